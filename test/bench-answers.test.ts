/** The benchmark `answers` on questions made up for this test: what it marks, and that half b gives figures only. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runWith } from "../bench/answers.js";
import { type AskedRow, askTrade, tradesOf } from "../bench/support/answers.js";
import { slowClock } from "../bench/support/slow-clock.js";
import { loadConfig } from "../src/config/load.js";
import { patience } from "./support/patience.js";
import { VirtualClock } from "./support/virtual-clock.js";

const SECRET = "How long does the press check take?";
const ROWS = [
  {
    id: "p-1",
    kind: "fact",
    turns: [SECRET],
    answerable: true,
    expect: [["6 minutes"]],
    source: { document: "press.md", heading: "Press", quote: "The press check takes 6 minutes." },
  },
  {
    id: "p-2",
    kind: "near_unanswerable",
    turns: ["What does lunch cost?"],
    answerable: false,
    forbid: ["5"],
  },
];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-bench-answers-"));
  mkdirSync(join(folder, "press", "documents"), { recursive: true });
  writeFileSync(
    join(folder, "press", "documents", "press.md"),
    "# Press\n\nThe press check takes 6 minutes.\n",
  );
  const lines = ROWS.map((row) => JSON.stringify(row)).join("\n");
  for (const half of ["a", "b"]) writeFileSync(join(folder, "press", `${half}.jsonl`), lines);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the benchmark answers", { timeout: patience(60_000) }, () => {
  const { config } = loadConfig({});

  it("marks answers, and says whether the search found what the row quotes", async () => {
    expect(tradesOf("a", folder)).toEqual(["press"]);
    const rows = await askTrade("press", "a", config, folder);
    expect(rows).toMatchObject([
      { category: "fact", answerable: true, found: true, marked: { mark: "right" }, told: { id: "p-1" } },
      { category: "near_unanswerable", answerable: false, marked: { mark: "right" } },
    ]);
    expect(rows[1]!.found).toBeUndefined();
    expect(rows[0]!.sure).toBeGreaterThan(rows[1]!.sure!);
    expect(rows[0]!.bm25).toBeGreaterThan(rows[1]!.bm25);
  });

  it("tells what became of each sentence, of as many rows as are asked for", async () => {
    const rows = await askTrade("press", "a", config, folder, { rows: 1, slower: 30 });
    expect(rows).toHaveLength(1);
    const [{ degraded, told }] = rows as [AskedRow];
    expect(degraded).toBe(false);
    expect(told!.claims).toMatchObject([{ text: "The press check takes 6 minutes.", said: true }]);
    expect(told!.ms).toBeGreaterThan(0);
    await expect(runWith(["--rows", "0"])).rejects.toThrow(/--rows is a whole number/);
  });

  it("stretches time for a slow model", async () => {
    const clock = new VirtualClock();
    const slow = slowClock(clock, 30);
    const startMs = slow.monotonic();
    const rung: number[] = [];
    slow.after(1_000, () => rung.push(slow.monotonic() - startMs));
    slow.after(1_000, () => rung.push(0)).cancel();
    await clock.advance(29_999);
    expect(rung).toEqual([]);
    await clock.advance(1);
    expect(rung).toEqual([1_000]);
  });

  it("lets nothing of half b out but figures", async () => {
    const rows = await askTrade("press", "b", config, folder);
    expect(rows).toHaveLength(2);
    expect(rows.every(({ told }) => told === undefined)).toBe(true);
    for (const word of [SECRET, "p-1", "6 minutes"]) expect(JSON.stringify(rows)).not.toContain(word);
    await expect(runWith(["--half", "b", "--verbose"])).rejects.toThrow(/half b is never looked at/);
  });
});
