import { describe, expect, it } from "vitest";
import { runOfActions } from "../run/runs.test-util.js";
import { indexGuide } from "../schema/graph.js";
import { instruct, procedureOf } from "../schema/guides.test-util.js";
import { runHtml } from "./run-page.js";

const GUIDE = procedureOf(
  [
    { id: "s", kind: "section", title: "Lock out" },
    instruct("a", { title: "Close <valve>" }),
    { id: "r", kind: "record", title: "Gauge", text: "What?", variable: "p", unit: "bar" },
    { id: "h", kind: "hold_point", title: "Two", text: "Ask." },
  ],
  { intake: [{ name: "line", label: "Which line?" }], version: 4 },
);

const RUN = runOfActions(
  indexGuide(GUIDE),
  [
    { type: "value", value: "two & three" },
    { type: "yes" },
    { type: "leave_out", left: "does_not_apply", reason: "no <valve> there" },
    { type: "value", value: 4.2 },
    { type: "yes" },
    { type: "second", groups: [], by: "bob" },
  ],
  Date.UTC(2026, 10, 23, 8, 0, 0),
);

describe("the page of a run", () => {
  const page = runHtml(GUIDE, RUN, [["Ledger", "entry 12"]]);
  const text = page.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|");

  it("tells who, when, which version, and the values with their units", () => {
    expect(page).toContain("<title>Record of Guide</title>");
    for (const fact of [
      "Guide|g, version 4",
      "Worker|ann",
      "Others|bob",
      "State|finished",
      "Ledger|entry 12",
    ])
      expect(text).toContain(`|${fact}|`);
    expect(text).toContain("|Began|2026-11-23 08:00:00|Last entry|2026-11-23 08:06:00|");
    expect(text).toContain("|Which line?|two &amp; three|Gauge|4.2 bar|");
  });

  it("has a row for each entry, by the numbers of the steps, and marks what needs attention", () => {
    const rows = text.slice(text.indexOf("|By|"));
    expect(rows).toContain(
      "|2026-11-23 08:03:00|1. Close &lt;valve&gt;|Does not apply|no &lt;valve&gt; there|ann|",
    );
    expect(rows).toContain("|2026-11-23 08:05:00|2. Gauge|Recorded|4.2|ann|");
    expect(rows).toContain("|2026-11-23 08:06:00|3. Two|Confirmed by a second person|bob|");
    expect(page.match(/<tr class="odd">/g)).toHaveLength(1);
    expect(rows).not.toContain("Came to it");
  });
});
