import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  answerOf,
  claimOf,
  ListedAnswerer,
  NOT_FOUND,
  passageOf,
  reportOf,
} from "../../test/support/evaluation.js";
import type { AnswerReport } from "../domain/answer-report.js";
import { DataSets } from "../evaluation/data-sets.js";
import { Evaluations } from "../evaluation/evaluations.js";
import { RunQueue } from "../evaluation/run-queue.js";
import { systemClock } from "../lib/clock.js";
import { systemRandom } from "../lib/random.js";
import { openEvaluationRuns } from "../store/embedded-evaluation-runs.js";
import type { EvaluationRuns } from "../store/evaluation-runs.js";
import { createTelemetry } from "../telemetry/events.js";
import { evaluationRoutes } from "./evaluations.js";
import { HttpServer } from "./server.js";

const burns = passageOf("burns.md", "Cool the burn for 20 minutes.");
const GOOD = answerOf("Cool <b>the burn</b> for 20 minutes.", {
  passages: [burns],
  claims: [claimOf("Cool the burn for 20 minutes.", burns)],
});

let folder = "";
let store: EvaluationRuns;
let queue: RunQueue;
let server: HttpServer;
let url = "";
let answer: (text: string, signal: AbortSignal) => AnswerReport | Promise<AnswerReport>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "readback-evaluations-http-"));
  answer = () => reportOf(GOOD);
  store = await openEvaluationRuns(folder, systemClock);
  const answerer = new ListedAnswerer(({ text }, signal) => answer(text, signal));
  const shared = { clock: systemClock, random: systemRandom };
  const deps = {
    ...shared,
    store,
    answerer: answerer.answer,
    judgeTools: undefined,
    origin: "http",
  } as const;
  const evaluations = new Evaluations(deps, { concurrency: 2, attemptsMax: 2, retryDelayMs: 0 });
  queue = new RunQueue(evaluations, { queuedRunsMax: 2 }, (error) => {
    throw error;
  });
  const limits = { rowsMax: 20, uploadBytesMax: 20_000 };
  writeFileSync(
    join(folder, "golden.jsonl"),
    '{"dataset":"Golden","network":"acme"}\n{"id":"g","question":"Q?"}\n',
  );
  writeFileSync(join(folder, "broken.jsonl"), "{\n");
  const routes = evaluationRoutes({ evaluations, queue, limits, dataSets: new DataSets(folder, limits) });
  const telemetry = createTelemetry([]);
  server = new HttpServer({ host: "127.0.0.1", port: 0 }, [routes], { clock: systemClock, telemetry });
  url = `http://127.0.0.1:${await server.listen()}/api/v1/evaluations`;
});

afterEach(async () => {
  await queue.close();
  await server.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(path: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url + path, { ...init, headers: { connection: "close", ...init.headers } });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}

function post(body: unknown, type = "application/json", query = ""): Promise<Reply> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return call(query, { method: "POST", body: text, headers: { "content-type": type } });
}

const ROWS = [
  { id: "a", category: "yes", question: "A?", expected: { outcome: "answered", must_say: ["20 minutes"] } },
  { id: "b", category: "yes", question: "B?", expected: { outcome: "partial" } },
  { id: "c", category: "no", question: "C?", expected: { outcome: "not_in_documents" } },
];

/** A run that is over. */
async function finishedRun(): Promise<string> {
  answer = (text) => reportOf(text === "C?" ? NOT_FOUND : GOOD);
  const { body, status } = await post({ dataset: ROWS, network: "acme", name: "three" });
  expect(status).toBe(202);
  await queue.idle();
  return `/${String(body.id)}`;
}

describe("POST /api/v1/evaluations", () => {
  it("takes rows as JSON", async () => {
    const { status, headers, body } = await post({
      dataset: ROWS,
      network: "acme",
      category: "yes",
      limit: 1,
    });
    expect(status).toBe(202);
    expect(headers.get("location")).toBe(`/api/v1/evaluations/${String(body.id)}`);
    expect(body).toMatchObject({ dataset: "upload", network: "acme", progress: { rows: 1 } });
  });

  it.each(["application/x-ndjson", "application/x-ndjson; charset=utf-8", "application/jsonl"])(
    "takes JSON lines as %s, with the rest in the query",
    async (type) => {
      const lines = ROWS.map((row) => JSON.stringify(row)).join("\n");
      const query = "?network=acme&category=yes,no&ids=a,c&metrics=as_expected,correct_refusal&name=mine";
      const { status, body } = await post(lines, type, query);
      expect(status).toBe(202);
      expect(body).toMatchObject({
        dataset: "mine",
        metrics: ["correct_refusal", "as_expected"],
        progress: { rows: 2 },
      });
    },
  );

  it("takes the name of a data set", async () => {
    expect(await post({ dataset: "golden" })).toMatchObject({
      status: 202,
      body: { dataset: "golden", network: "acme", progress: { rows: 1 } },
    });
  });

  it.each(["nope", "../golden", "golden.jsonl", "/etc/passwd", ""])(
    "does not know the data set %j",
    async (dataset) => {
      const { status, body } = await post({ dataset });
      if (dataset === "") expect(status).toBe(400);
      else
        expect({ status, body }).toMatchObject({
          status: 404,
          body: { error: { code: "not_found", field: "dataset" }, datasets: ["broken", "golden"] },
        });
    },
  );

  it.each<[string, unknown, string]>([
    ["no data set", { network: "acme" }, "dataset"],
    ["a data set of another kind", { dataset: 7 }, "dataset"],
    ["an unknown field", { dataset: ROWS, network: "acme", metric: ["x"] }, "metric"],
    ["an unknown metric", { dataset: ROWS, network: "acme", metrics: ["bleu"] }, "metrics[0]"],
    ["a metric that needs a judge", { dataset: ROWS, network: "acme", metrics: ["faithfulness"] }, "metrics"],
    ["no network", { dataset: ROWS }, "network"],
    ["an unknown category", { dataset: ROWS, network: "acme", category: "x" }, "category"],
    ["an unknown row", { dataset: ROWS, network: "acme", ids: ["x"] }, "ids"],
    ["a limit of 0", { dataset: ROWS, network: "acme", limit: 0 }, "limit"],
    ["no row", { dataset: [], network: "acme" }, "dataset"],
    ["a row without a question", { dataset: [{ id: "a" }], network: "acme" }, "dataset[0].question"],
    ["an unknown field of a row", { dataset: [{ question: "a", answer: "b" }] }, "dataset[0].answer"],
    [
      "a name twice",
      { dataset: [...ROWS, { id: "a", question: "a" }], network: "acme" },
      `dataset[${ROWS.length}].id`,
    ],
    [
      "a wrong outcome",
      { dataset: [{ question: "a", expected: { outcome: "x" } }], network: "acme" },
      "dataset[0].expected.outcome",
    ],
    [
      "too many rows",
      { dataset: Array.from({ length: 21 }, () => ({ question: "q" })), network: "acme" },
      "dataset",
    ],
    ["a list", [], ""],
  ])("refuses %s, naming the field", async (_name, body, field) => {
    const { status, body: answered } = await post(body);
    expect({ status, answered }).toMatchObject({
      status: 400,
      answered: { error: { field }, problems: [{ field }] },
    });
  });

  it("refuses what cannot be read", async () => {
    expect(await post("{", "application/json")).toMatchObject({
      status: 400,
      body: { error: { code: "bad_json" } },
    });
    expect(await post("a,b", "text/csv")).toMatchObject({ status: 400, body: { problems: [{ field: "" }] } });
    expect(await call("", { method: "POST" })).toMatchObject({ status: 400 });
    const line = await post('{"question":"a"}\n{', "application/x-ndjson", "?network=acme");
    expect(line).toMatchObject({
      status: 400,
      body: {
        error: { message: expect.stringMatching(/^line 2: is not JSON/) },
        problems: [{ place: "line 2" }],
      },
    });
    expect(await post(JSON.stringify({ dataset: "golden" }), "application/json", "?limit=1")).toMatchObject({
      status: 400,
      body: { error: { field: "limit" } },
    });
    expect(await post({ dataset: "broken", network: "acme" })).toMatchObject({ status: 400 });
    expect(await post('{"question":"a"}', "application/x-ndjson", "?limit=-1")).toMatchObject({
      status: 400,
      body: { problems: [{ field: "limit" }] },
    });
  });

  it("refuses more bytes than it takes", async () => {
    const long = "x".repeat(20_000);
    expect(await post({ dataset: [{ question: long }], network: "acme" })).toMatchObject({ status: 413 });
    expect(await post(JSON.stringify({ question: long }), "application/x-ndjson")).toMatchObject({
      status: 413,
    });
    expect(await call("")).toMatchObject({ body: { evaluations: [] } });
  });

  it("is busy when too many wait", async () => {
    answer = (_text, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    for (let i = 0; i < 2; i++) expect(await post({ dataset: "golden" })).toMatchObject({ status: 202 });
    expect(await post({ dataset: "golden" })).toMatchObject({
      status: 429,
      body: { error: { code: "rate_limited" } },
    });
  });
});

describe("a run over HTTP", () => {
  it("tells its progress, and its result when it is over", async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    answer = async () => {
      await gate;
      return reportOf(GOOD);
    };
    const { body } = await post({ dataset: ROWS, network: "acme" });
    const path = `/${String(body.id)}`;
    expect(await call(path)).toMatchObject({
      status: 200,
      body: { progress: { rows: 3, done: 0, pending: 3, is_over: false }, result: null },
    });
    go();
    await queue.idle();
    expect(await call(path)).toMatchObject({
      body: {
        status: "finished",
        progress: { done: 3, pending: 0, is_over: true },
        result: { verdict: expect.stringMatching(/^(?:EXCELLENT|ACCEPTABLE|INSUFFICIENT)$/) },
      },
    });
  });

  it("has figures by metric and by category", async () => {
    const { body } = await call(await finishedRun());
    expect(body.result).toMatchObject({
      metrics: {
        as_expected: { mean: 2 / 3, scored: 3, failed: 0, not_applicable: 0, counts: false },
        correct_refusal: { mean: 1, scored: 1, not_applicable: 2 },
      },
      categories: [
        { category: "yes", rows: 2, means: { as_expected: 0.5 } },
        { category: "no", rows: 1, means: { as_expected: 1 } },
      ],
      latency_ms: { total: { count: 3, p50: 5 } },
      usage: { input_tokens: 30, output_tokens: 9 },
    });
  });

  it("has rows in pages", async () => {
    const path = await finishedRun();
    const first = await call(`${path}/rows?limit=2`);
    expect(first.body).toMatchObject({ rows: [{ id: "a" }, { id: "b" }], next_offset: 2 });
    const [row] = first.body.rows as object[];
    expect(row).toMatchObject({
      status: "done",
      outcome: "answered",
      answer: GOOD.text,
      checks: [
        { name: "outcome", passed: true },
        { name: "must_say", passed: true },
      ],
      scores: {
        as_expected: { value: 1 },
        correct_refusal: { not_applicable: "to be answered, and answered" },
      },
      timings_ms: { total: 5 },
      passages: [{ source_file: "burns.md" }],
    });
    expect((await call(`${path}/rows?offset=2`)).body).toMatchObject({
      rows: [{ id: "c" }],
      next_offset: null,
    });
    expect((await call(`${path}/rows?status=failed`)).body).toMatchObject({ rows: [], next_offset: null });
    expect(await call(`${path}/rows?limit=201`)).toMatchObject({
      status: 400,
      body: { problems: [{ field: "limit" }] },
    });
    expect(await call(`${path}/rows?status=x`)).toMatchObject({
      status: 400,
      body: { problems: [{ field: "status" }] },
    });
  });

  it("has a report for people, in which nothing runs", async () => {
    const { status, headers, text } = await call(`${await finishedRun()}/report`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/html/);
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    expect(text).toContain("Evaluation of three");
    expect(text).not.toContain("<b>the burn</b>");
    expect(text).toContain("&lt;b&gt;the burn&lt;/b&gt;");
  });

  it("has the whole of it as JSON, and as JUnit", async () => {
    const path = await finishedRun();
    const { body } = await call(`${path}/report.json`);
    expect(body).toMatchObject({ dataset: "three", rows: [{ id: "a" }, { id: "b" }, { id: "c" }] });
    const { headers, text } = await call(`${path}/junit.xml?min_score=1`);
    expect(headers.get("content-type")).toMatch(/xml/);
    expect(text).toMatch(/<testsuite name="yes" tests="2" failures="1"/);
    expect(text).toMatch(/name="global_score"\/>/);
    expect(await call(`${path}/junit.xml?min_score=2`)).toMatchObject({ status: 400 });
  });

  it("is listed, newest first", async () => {
    const [first, second] = [await finishedRun(), await finishedRun()];
    const { body } = await call("");
    expect(body.datasets).toEqual(["broken", "golden"]);
    expect((body.evaluations as { id: string }[]).map(({ id }) => `/${id}`)).toEqual([second, first]);
    const page = await call("?limit=1&offset=1");
    expect((page.body.evaluations as { id: string }[]).map(({ id }) => `/${id}`)).toEqual([first]);
  });

  it("is cancelled while it goes on, and forgotten afterwards", async () => {
    answer = (_text, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { body } = await post({ dataset: ROWS, network: "acme" });
    const path = `/${String(body.id)}`;
    expect(await call(path, { method: "DELETE" })).toMatchObject({
      status: 200,
      body: { status: "cancelled" },
    });
    await queue.idle();
    expect(await call(path)).toMatchObject({ body: { status: "cancelled", progress: { pending: 3 } } });
    expect(await call(`${path}/report`)).toMatchObject({ status: 200 });
    expect(await call(path, { method: "DELETE" })).toMatchObject({ status: 204 });
    expect(await call(path)).toMatchObject({ status: 404 });
    expect(await store.rows(String(body.id))).toEqual([]);
  });

  it.each(["/nope", "/nope/rows", "/nope/report", "/nope/report.json", "/nope/junit.xml"])(
    "is not there at %s",
    async (path) =>
      expect(await call(path)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } }),
  );
});
