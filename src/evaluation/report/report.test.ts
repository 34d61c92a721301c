import { describe, expect, it } from "vitest";
import {
  answerOf,
  claimOf,
  failureOf,
  NOT_FOUND,
  passageOf,
  reportOf,
  rowOf,
} from "../../../test/support/evaluation.js";
import { html, Markup } from "../../lib/markup.js";
import type { EvaluatedRun } from "../evaluations.js";
import { junitXml } from "../junit.js";
import { evaluated, type RowState, type Run } from "../run.js";
import { availableMetrics } from "../score.js";
import { scoreRow } from "../score-row.js";
import { summarize, verdictOf } from "../summary.js";
import { worstRows } from "./cases.js";
import { binName, histogramOf, waterfall } from "./charts.js";
import { reportHtml } from "./html.js";
import { resultTable } from "./table.js";

const metrics = availableMetrics(false);
const burns = passageOf("burns.md", "Cool the burn for 20 minutes.");

function stateOf(position: number, rest: Partial<RowState>): RowState {
  const row = rest.row ?? rowOf(`r${position}`);
  const answer = rest.report?.answer;
  const scores = answer ? scoreRow(row, answer, metrics) : {};
  return { position, row, status: "done", attempts: 0, scores, ...rest };
}

function runOf(states: readonly RowState[], status: Run["status"] = "finished"): EvaluatedRun {
  const rows = evaluated(states, [], metrics);
  const count = (wanted: RowState["status"]) => states.filter((state) => state.status === wanted).length;
  const run: Run = {
    id: "0123456789abcdef",
    spec: { dataSet: 'Data & <script>alert("1")</script>', network: "acme", metrics },
    status,
    createdAtMs: 0,
    rows: { pending: count("pending"), answered: 0, done: count("done"), failed: count("failed") },
  };
  return { run, rows, summary: summarize(run.spec, rows) };
}

const HOSTILE = `</style></svg><img src=x onerror="alert('1')"> & \u0000 \uD800`;
const hostile = passageOf(`${HOSTILE}.md`, HOSTILE, { title: HOSTILE, headings: [HOSTILE] });
const states = [
  stateOf(0, {
    row: rowOf(HOSTILE, {
      category: HOSTILE,
      turns: ["one", HOSTILE],
      username: HOSTILE,
      expected: { outcomes: ["partial"], mustSay: [[HOSTILE]], mustNotSay: [], groundTruth: HOSTILE },
    }),
    report: reportOf(
      answerOf(HOSTILE, {
        passages: [hostile],
        claims: [
          claimOf(HOSTILE, hostile),
          claimOf(HOSTILE, hostile, {
            verdict: "contradicted",
            said: false,
            reasons: [{ code: "number_differs", text: HOSTILE }],
          }),
        ],
      }),
      { timingsMs: { [HOSTILE]: 3, plan: 10, search: 5, compose_first_text: 7, compose: 20, total: 40 } },
    ),
  }),
  stateOf(1, {
    row: rowOf("good", { expected: { outcomes: ["answered"], mustSay: [["20 minutes"]], mustNotSay: [] } }),
    report: reportOf(
      answerOf("Cool it for 20 minutes.", { passages: [burns], claims: [claimOf("Cool it.", burns)] }),
    ),
  }),
  stateOf(2, { status: "failed", report: failureOf("timeout"), reason: HOSTILE }),
  stateOf(3, { status: "pending" }),
];

describe("the report", () => {
  const page = reportHtml(runOf(states));
  /** Tags without the values of their attributes. */
  const tags = (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'));

  it("has every part", () => {
    const parts = [
      "Metrics",
      "Categories",
      "Outcomes",
      "Distributions",
      "Latency",
      "Risk and coverage",
      "Worst cases",
    ];
    for (const part of parts) expect(page).toContain(`<h2>${part}</h2>`);
    expect(page).toMatch(/<div class="score">0\.\d{3}<\/div>/);
    expect(page).toMatch(/EXCELLENT|ACCEPTABLE|INSUFFICIENT/);
  });

  it("lets nothing run, whatever users asked and documents say", () => {
    expect(page).not.toContain("<img");
    expect(page).not.toContain("<script");
    expect(tags.join("\n")).not.toMatch(/\son\w+=/i);
    expect(page.match(/<\/style>/g)).toHaveLength(1);
  });

  it("holds nothing that a page cannot hold", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(page).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]|\p{Surrogate}/u);
  });

  it("takes nothing from elsewhere", () => {
    expect(tags.join("\n")).not.toMatch(/\b(?:src|href|style)=/i);
    expect(page).not.toMatch(/url\(|@import|https?:/);
  });

  it("is well formed: what is opened is closed, in order", () => {
    const open: string[] = [];
    const VOID = ["meta", "rect", "line", "circle", "path", "br", "!doctype"];
    for (const [, closing, name, selfClosing] of page.matchAll(/<(\/?)([!a-z][a-z0-9]*)[^>]*?(\/?)>/gi)) {
      if (selfClosing === "/" || VOID.includes(name!.toLowerCase())) continue;
      if (closing === "/") expect(open.pop()).toBe(name);
      else open.push(name!);
    }
    expect(open).toEqual([]);
  });

  it("says in words what each chart shows", () => {
    const charts = page.match(/<svg[^>]*>/g) ?? [];
    expect(charts.length).toBeGreaterThan(8);
    for (const chart of charts) expect(chart).toMatch(/role="img" aria-label="[^"]+"/);
  });

  it("can be made before anything is there", () => {
    const empty = reportHtml(runOf([stateOf(0, { status: "pending" })], "running"));
    expect(empty).toContain("–");
    expect(empty).toContain("running: the figures are those so far");
  });

  it("names the worst rows first", () => {
    const ids = worstRows(runOf(states).rows).map(({ row }) => row.id);
    expect(ids[0]).toBe(HOSTILE);
    expect(ids).toContain("r2");
    expect(ids).not.toContain("r3");
  });
});

describe("the parts of a chart", () => {
  it("put scores into ten bins, the last closed on both sides", () => {
    const { counts } = histogramOf([
      0,
      0.05,
      0.1,
      0.29999999999999999,
      0.3,
      0.7,
      0.1 + 0.2,
      0.95,
      1,
      1.2,
      -1,
    ]);
    expect(counts).toEqual([3, 1, 0, 3, 0, 0, 0, 1, 0, 3]);
    expect([binName(0), binName(9)]).toEqual(["0.0–0.1", "0.9–1.0"]);
  });

  it("let stages begin where those before them end", () => {
    const of = (p50Ms: number) => ({ count: 1, p50Ms, p90Ms: p50Ms, p95Ms: p50Ms, maxMs: p50Ms });
    const latency = {
      total: of(50),
      odd: of(1),
      compose: of(20),
      compose_first_text: of(7),
      search: of(5),
      plan: of(10),
    };
    expect(waterfall(latency).map(({ stage, fromMs }) => [stage, fromMs])).toEqual([
      ["plan", 0],
      ["search", 10],
      ["compose_first_text", 15],
      ["compose", 15],
      ["odd", 0],
      ["total", 0],
    ]);
    expect(waterfall({})).toEqual([]);
  });

  it("escape what is put into them", () => {
    expect(html`<p title="${'"'}">${"<&>"}${undefined}${7}${[html`<i>${"'"}</i>`]}</p>`).toEqual(
      new Markup('<p title="&quot;">&lt;&amp;&gt;7<i>&#39;</i></p>'),
    );
  });
});

describe("JUnit", () => {
  it("tells failures from errors and from what still waits", () => {
    const xml = junitXml(runOf(states), 0.99);
    expect(xml).toMatch(/<testcase [^>]*name="good"[^>]*time="0.005"/);
    expect(xml.match(/<failure /g)).toHaveLength(2);
    expect(xml.match(/<error /g)).toHaveLength(1);
    expect(xml.match(/<skipped\/>/g)).toHaveLength(1);
    expect(junitXml(runOf(states))).not.toContain("global_score");
  });

  it("holds nothing that XML cannot hold", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(junitXml(runOf(states))).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]|\p{Surrogate}/u);
  });
});

describe("the summary", () => {
  it.each([
    [1, "EXCELLENT"],
    [0.8, "EXCELLENT"],
    [0.7999, "ACCEPTABLE"],
    [0.6, "ACCEPTABLE"],
    [0.5999, "INSUFFICIENT"],
    [0, "INSUFFICIENT"],
    [undefined, "INSUFFICIENT"],
  ])("calls %s %s", (score, verdict) => expect(verdictOf(score, 0)).toBe(verdict));

  it("calls no run good that did not score every row", () => expect(verdictOf(1, 1)).toBe("INSUFFICIENT"));

  it("of nothing is insufficient", () => {
    expect(runOf([]).summary).toMatchObject({ globalScore: undefined, verdict: "INSUFFICIENT" });
    expect(resultTable(runOf([]))).toContain("global score: – INSUFFICIENT");
  });

  it("does not average what does not apply", () => {
    const expected = {
      outcomes: ["not_in_documents"] as const,
      mustSay: [],
      mustNotSay: [],
      documents: ["burns"],
    };
    const { metrics: figures } = runOf([
      stateOf(0, { row: rowOf("r", { expected }), report: reportOf(NOT_FOUND) }),
    ]).summary;
    expect(figures.answer_relevancy_deterministic).toMatchObject({ mean: undefined, counts: false });
    expect(figures.evidence_recall).toMatchObject({ mean: undefined });
    expect(figures.correct_refusal).toMatchObject({ mean: 1 });
  });
});
