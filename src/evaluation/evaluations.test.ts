import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  answerOf,
  claimOf,
  failureOf,
  ListedAnswerer,
  NOT_FOUND,
  passageOf,
  reportOf,
  rowOf,
} from "../../test/support/evaluation.js";
import { systemClock } from "../lib/clock.js";
import { seededRandom, systemRandom } from "../lib/random.js";
import { type LanguageModel, type ModelEvent, ModelFailure } from "../llm/port.js";
import { loadPrompts } from "../llm/prompts.js";
import { openEvaluationRuns } from "../store/embedded-evaluation-runs.js";
import type { EvaluationRuns } from "../store/evaluation-runs.js";
import type { DataSetRow } from "./data-set.js";
import { Evaluations, type RunRequest } from "./evaluations.js";
import { gateProblem } from "./gate.js";
import { Judge } from "./judge/judge.js";
import { RunQueue } from "./run-queue.js";

const prompts = await loadPrompts();
const never = new AbortController().signal;
const options = { concurrency: 2, attemptsMax: 3, retryDelayMs: 0 };

let folder = "";
let store: EvaluationRuns;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "readback-evaluations-"));
  store = await openEvaluationRuns(folder, systemClock);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const burns = passageOf("burns.md", "Cool the burn for 20 minutes.");
const GOOD = answerOf("Cool the burn for 20 minutes.", {
  passages: [burns],
  claims: [claimOf("Cool the burn for 20 minutes.", burns)],
});

function requestOf(rows: readonly DataSetRow[], rest: Partial<RunRequest> = {}): RunRequest {
  return { dataSet: { rows }, name: "test", network: "acme", ...rest };
}

function rowsOf(count: number): DataSetRow[] {
  return Array.from({ length: count }, (_, i) => rowOf(`r${i}`));
}

/** A judge that says yes to everything, unless `fault` has something else for the n-th call, from 1. */
function judgeModel(fault: (call: number, content: string) => Error | string | undefined = () => undefined) {
  const calls: string[] = [];
  const model: LanguageModel = {
    name: "yes",
    complete: () => Promise.reject(new Error("unexpected")),
    async *stream(request): AsyncGenerator<ModelEvent, void, undefined> {
      const { content } = request.messages[1] as { content: string };
      calls.push(content);
      const wrong = fault(calls.length, content);
      if (wrong instanceof Error) throw wrong;
      const data = JSON.parse(content) as { answer?: string; statements?: readonly string[] };
      const value = data.statements
        ? { verdicts: data.statements.map(() => ({ reason: "", verdict: 1 })) }
        : { statements: [data.answer] };
      yield { type: "text", text: wrong ?? JSON.stringify(value) };
      yield { type: "end", reason: "complete", usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  return { model, calls };
}

function evaluationsOf(answerer: ListedAnswerer, judge?: LanguageModel, kept: EvaluationRuns = store) {
  const judgeTools = judge && {
    judge: new Judge({ model: judge, prompts, judgements: kept, clock: systemClock, delayMs: 0 }),
    embedder: undefined,
  };
  const deps = {
    clock: systemClock,
    random: systemRandom,
    store: kept,
    answerer: answerer.answer,
    judgeTools,
    origin: "cli",
  } as const;
  return new Evaluations(deps, options);
}

async function finished(evaluations: Evaluations, request: RunRequest) {
  const { id } = await evaluations.create(request);
  await evaluations.work(id, never);
  return evaluations.report((await evaluations.run(id))!);
}

describe("a run", () => {
  it("asks each row once, in its network, and comes to figures", async () => {
    const answerer = new ListedAnswerer(({ text }) => reportOf(text === "question r1" ? NOT_FOUND : GOOD));
    const rows = [
      rowOf("r0", {
        expected: { outcomes: ["answered"], mustSay: [["20 minutes"]], mustNotSay: [], documents: ["burns"] },
      }),
      rowOf("r1", {
        category: "no",
        expected: { outcomes: ["not_in_documents"], mustSay: [], mustNotSay: [] },
      }),
      rowOf("r2", { network: "other", expected: { outcomes: ["partial"], mustSay: [], mustNotSay: [] } }),
    ];
    const { run, summary } = await finished(evaluationsOf(answerer), requestOf(rows));
    expect(run).toMatchObject({ status: "finished", rows: { pending: 0, answered: 0, done: 3, failed: 0 } });
    expect(answerer.counts).toEqual({ "question r0": 1, "question r1": 1, "question r2": 1 });
    expect(answerer.asked.map(({ network }) => network).sort()).toEqual(["acme", "acme", "other"]);
    expect(summary.metrics).toMatchObject({
      as_expected: { mean: 2 / 3, scored: 3, counts: false },
      context_precision_deterministic: { mean: expect.closeTo(1), counts: true },
      correct_refusal: { mean: 1, scored: 1, notApplicable: 2 },
      evidence_recall: { mean: 1, scored: 1 },
      faithfulness_deterministic: { mean: 1, scored: 2, counts: false },
    });
    expect(summary.categories).toMatchObject([
      { category: "answerable", rows: 2, means: { as_expected: 0.5 } },
      { category: "no", rows: 1, means: { as_expected: 1 } },
    ]);
    const means = Object.values(summary.metrics).flatMap(({ mean, counts }) => (counts ? [mean!] : []));
    expect(summary.globalScore).toBeCloseTo(means.reduce((sum, mean) => sum + mean, 0) / means.length, 12);
    expect(summary).toMatchObject({ unscored: 0 });
    expect(summary.usage).toEqual({ inputTokens: 30, outputTokens: 9, costUsd: undefined });
  });

  it("asks the turns of a row in order, in a conversation of its own", async () => {
    const answerer = new ListedAnswerer(({ text }) => reportOf({ ...GOOD, text: `answer to ${text}` }));
    const { rows } = await finished(
      evaluationsOf(answerer),
      requestOf([rowOf("r", { turns: ["one", "two", "three"] }), rowOf("s")]),
    );
    const textsOf = (conversation: number) =>
      answerer.asked.flatMap((one) => (one.conversation === conversation ? [one.text] : []));
    expect([0, 1].map(textsOf)).toEqual([["one", "two", "three"], ["question s"]]);
    expect(answerer.open.size).toBe(0);
    expect(rows[0]!.report!.answer!.text).toBe("answer to three");
  });

  it("holds answers to the words of other rows, on whatever page they are", async () => {
    const words: Readonly<Record<string, string>> = {
      "question a": "No.",
      "question b": "No.",
      "question c": "No!",
    };
    const answerer = new ListedAnswerer(({ text }) =>
      reportOf({ ...NOT_FOUND, text: words[text]!, spoken: "" }),
    );
    const like = (id: string) => ({ expected: { mustSay: [], mustNotSay: [], sameWordsAs: id } });
    const evaluations = evaluationsOf(answerer);
    const { run, rows } = await finished(
      evaluations,
      requestOf([rowOf("a"), rowOf("b", like("a")), rowOf("c", like("a"))]),
    );
    const passed = (row: (typeof rows)[number]) => row.checks.map((check) => check.passed);
    expect(rows.map(passed)).toEqual([[], [true], [false]]);
    expect((await evaluations.rows(run, { from: 2, limit: 1 })).map(passed)).toEqual([[false]]);
  });

  it("tries failed turns again, and fails the row when they stay so", async () => {
    let tries = 0;
    const answerer = new ListedAnswerer(({ text }) => {
      if (text === "question r0") return tries++ < 2 ? failureOf("timeout") : reportOf(GOOD);
      if (text === "question r1") return failureOf("assistant_unavailable");
      return failureOf("message_too_long");
    });
    const expected = { outcomes: ["answered"] as const, mustSay: [], mustNotSay: [] };
    const rows = rowsOf(3).map((row) => ({ ...row, expected }));
    const { rows: came, summary } = await finished(evaluationsOf(answerer), requestOf(rows));
    expect(answerer.counts).toEqual({ "question r0": 3, "question r1": 3, "question r2": 1 });
    expect(came.map(({ status, reason }) => [status, reason])).toEqual([
      ["done", undefined],
      ["failed", "assistant_unavailable: it was assistant_unavailable"],
      ["failed", "message_too_long: it was message_too_long"],
    ]);
    expect(summary.metrics.as_expected).toMatchObject({ mean: 1 / 3, scored: 3 });
    expect(summary.metrics.faithfulness_deterministic).toMatchObject({ mean: 1, scored: 1 });
    expect(summary.outcomes).toContainEqual({ expected: "answered", came: "failed", count: 2 });
  });

  it("survives an answerer that throws", async () => {
    const answerer = new ListedAnswerer(({ text }) => {
      if (text === "question r0") throw new Error("boom");
      return reportOf(GOOD);
    });
    const { rows } = await finished(evaluationsOf(answerer), requestOf(rowsOf(2)));
    expect(rows.map(({ status }) => status)).toEqual(["failed", "done"]);
    expect(rows[0]!.reason).toContain("boom");
  });

  it("asks no more rows at once than it may", async () => {
    let [now, most] = [0, 0];
    const answerer = new ListedAnswerer(async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return reportOf(GOOD);
    });
    await finished(evaluationsOf(answerer), requestOf(rowsOf(12)));
    expect(most).toBe(options.concurrency);
  });

  it("refuses what cannot be done, naming the field", async () => {
    const evaluations = evaluationsOf(new ListedAnswerer(() => reportOf(GOOD)));
    const refused = (rest: Partial<RunRequest>) =>
      expect(evaluations.create(requestOf(rowsOf(2), rest))).rejects;
    await refused({ metrics: ["faithfulness"] }).toMatchObject({ field: "metrics" });
    await refused({ metrics: [] }).toMatchObject({ field: "metrics" });
    await refused({ categories: ["nope"] }).toMatchObject({ field: "category" });
    await refused({ ids: ["r9"] }).toMatchObject({ field: "ids" });
    const { network: _, ...nameless } = requestOf(rowsOf(1));
    await expect(evaluations.create(nameless)).rejects.toMatchObject({ field: "network" });
    expect(await evaluations.runs(10)).toEqual([]);
  });

  it("takes part of a data set", async () => {
    const answerer = new ListedAnswerer(() => reportOf(GOOD));
    const rows = [...rowsOf(3), rowOf("x", { category: "other" }), rowOf("y", { category: "other" })];
    const { rows: came } = await finished(
      evaluationsOf(answerer),
      requestOf(rows, { categories: ["other"], limit: 1 }),
    );
    expect(came.map(({ row }) => row.id)).toEqual(["x"]);
  });
});

describe("a run with a judge", () => {
  const metrics = ["faithfulness", "faithfulness_deterministic"] as const;

  it("counts the judge's figure and not its deterministic twin", async () => {
    const { model } = judgeModel();
    const evaluations = evaluationsOf(new ListedAnswerer(() => reportOf(GOOD)), model);
    const { run, summary } = await finished(evaluations, requestOf(rowsOf(2), { metrics }));
    expect(run.spec.judge).toBe("yes");
    expect(summary.metrics).toMatchObject({
      faithfulness: { mean: 1, counts: true },
      faithfulness_deterministic: { counts: false },
    });
  });

  it("marks the row of a judge that answers nonsense, and averages the others", async () => {
    const { model } = judgeModel((_call, content) => (content.includes("question r0") ? "what?" : undefined));
    const evaluations = evaluationsOf(new ListedAnswerer(({ text }) => reportOf({ ...GOOD, text })), model);
    const { rows, summary } = await finished(
      evaluations,
      requestOf(rowsOf(3), { metrics: ["faithfulness"] }),
    );
    expect(rows.filter(({ status }) => status === "failed")).toHaveLength(1);
    expect(rows.find(({ status }) => status === "failed")!.reason).toMatch(/^faithfulness: .*no sense/);
    expect(summary.metrics.faithfulness).toMatchObject({ mean: 1, scored: 2, failed: 1 });
    expect(summary).toMatchObject({ globalScore: 1, unscored: 1, verdict: "INSUFFICIENT" });
  });

  it("has no score without a living judge, whatever our own metrics say, and does not pass the gate", async () => {
    const { model } = judgeModel(() => new ModelFailure("unavailable", "down"));
    const evaluations = evaluationsOf(new ListedAnswerer(() => reportOf(GOOD)), model);
    const evaluated = await finished(
      evaluations,
      requestOf(rowsOf(2), { metrics: [...metrics, "answer_relevancy_deterministic", "as_expected"] }),
    );
    expect(evaluated.summary).toMatchObject({ globalScore: undefined, unscored: 2, verdict: "INSUFFICIENT" });
    expect(gateProblem(evaluated)).toMatch(/^2 of 2 rows were not scored \(faithfulness: .*down\)$/);
  });

  it("waits for a judge that is down in the middle, and asks nobody else again", async () => {
    const { model, calls } = judgeModel((call) =>
      call >= 3 && call <= 5 ? new ModelFailure("unavailable", "down") : undefined,
    );
    const answerer = new ListedAnswerer(({ text }) => reportOf({ ...GOOD, text }));
    const { run, summary } = await finished(
      evaluationsOf(answerer, model),
      requestOf(rowsOf(4), { metrics }),
    );
    expect(run.rows).toMatchObject({ done: 4, failed: 0 });
    expect(summary.metrics.faithfulness).toMatchObject({ mean: 1, scored: 4 });
    expect(Object.values(answerer.counts)).toEqual([1, 1, 1, 1]);
    // Two for each row, and three that failed.
    expect(calls).toHaveLength(4 * 2 + 3);
  });

  it("fails rows with the reason when the judge does not come back", async () => {
    const { model } = judgeModel(() => new ModelFailure("unavailable", "down"));
    const answerer = new ListedAnswerer(() => reportOf(GOOD));
    const { rows, summary } = await finished(
      evaluationsOf(answerer, model),
      requestOf(rowsOf(2), { metrics }),
    );
    for (const { status, reason, attempts } of rows) {
      expect(status).toBe("failed");
      expect(reason).toMatch(/faithfulness: the judge gave no answer: .*down/);
      expect(attempts).toBe(options.attemptsMax - 1);
    }
    expect(summary.metrics.faithfulness).toMatchObject({ mean: undefined, failed: 2, counts: false });
    expect(summary.metrics.faithfulness_deterministic).toMatchObject({ mean: 1, scored: 2, counts: false });
  });

  it("does not try again what the judge refuses", async () => {
    const { model, calls } = judgeModel(() => new ModelFailure("rejected", "wrong key"));
    const evaluations = evaluationsOf(new ListedAnswerer(() => reportOf(GOOD)), model);
    const { rows } = await finished(evaluations, requestOf(rowsOf(1), { metrics: ["faithfulness"] }));
    expect(rows[0]).toMatchObject({ status: "failed", reason: expect.stringContaining("wrong key") });
    expect(calls).toHaveLength(1);
  });
});

describe("a run that was interrupted", () => {
  it("goes on where it was, whenever it is stopped, and counts nothing twice", async () => {
    const random = seededRandom(7);
    const rows = rowsOf(20);
    const answered: Record<string, number> = {};
    let runId: string | undefined;
    for (let round = 0; round < 50; round++) {
      // What is open at a kill is never closed: the next round opens the same file beside it.
      const kept = await openEvaluationRuns(folder, systemClock);
      const stop = new AbortController();
      let left = 1 + Math.floor(random.fraction() * 6);
      const answerer = new ListedAnswerer(async ({ text }, signal) => {
        if (left-- <= 0) stop.abort(new Error("killed"));
        signal.throwIfAborted();
        return reportOf({ ...GOOD, text });
      });
      const evaluations = evaluationsOf(answerer, undefined, kept);
      runId ??= (await evaluations.create(requestOf(rows))).id;
      await evaluations.work(runId, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) throw error;
      });
      for (const [text, count] of Object.entries(answerer.counts))
        answered[text] = (answered[text] ?? 0) + count;
      const run = (await evaluations.run(runId))!;
      if (run.status !== "finished") continue;
      const { summary, rows: came } = await evaluations.report(run);
      expect(came.map(({ row }) => row.id)).toEqual(rows.map(({ id }) => id));
      expect(came.every(({ report, row }) => report!.answer!.text === `question ${row.id}`)).toBe(true);
      expect(summary.metrics.faithfulness_deterministic!.scored).toBe(20);
      expect(run.rows).toEqual({ pending: 0, answered: 0, done: 20, failed: 0 });
      expect(round).toBeGreaterThan(2);
      expect(Object.keys(answered)).toHaveLength(20);
      return;
    }
    throw new Error("the run never came to its end");
  });

  it("is found by what was asked for", async () => {
    const evaluations = evaluationsOf(new ListedAnswerer(() => reportOf(GOOD)));
    const { id } = await evaluations.create(requestOf(rowsOf(3)));
    expect((await evaluations.unfinished(requestOf(rowsOf(3))))?.id).toBe(id);
    expect(await evaluations.unfinished(requestOf(rowsOf(4)))).toBeUndefined();
    expect(await evaluations.unfinished(requestOf(rowsOf(3), { network: "other" }))).toBeUndefined();
    expect(await evaluations.unfinished(requestOf(rowsOf(3), { metrics: ["as_expected"] }))).toBeUndefined();
    await evaluations.work(id, never);
    expect(await evaluations.unfinished(requestOf(rowsOf(3)))).toBeUndefined();
  });

  it("leaves what is final as it is", async () => {
    const evaluations = evaluationsOf(new ListedAnswerer(() => reportOf(GOOD)));
    const { run } = await finished(evaluations, requestOf(rowsOf(1)));
    await store.saveRow(run.id, { position: 0, status: "pending", attempts: 9, result: "{}" });
    await evaluations.cancel(run.id);
    expect(await evaluations.run(run.id)).toEqual(run);
    expect((await store.rows(run.id))[0]).toMatchObject({ status: "done", attempts: 0 });
  });
});

describe("the line of runs", () => {
  const queueOf = (evaluations: Evaluations, queuedRunsMax = 3) =>
    new RunQueue(evaluations, { queuedRunsMax }, (error) => {
      throw error;
    });

  it("works on one run after the other, the oldest first", async () => {
    const order: string[] = [];
    const answerer = new ListedAnswerer(({ username }) => {
      order.push(username);
      return reportOf(GOOD);
    });
    const queue = queueOf(evaluationsOf(answerer));
    for (const username of ["a", "b", "c"]) await queue.start(requestOf([rowOf("r", { username })]));
    await queue.idle();
    expect(order).toEqual(["a", "b", "c"]);
    await queue.start(requestOf([rowOf("r", { username: "d" })]));
    await queue.idle();
    expect(order).toEqual(["a", "b", "c", "d"]);
  });

  it("has an end", async () => {
    const answerer = new ListedAnswerer((_question, signal) => hang(signal));
    const queue = queueOf(evaluationsOf(answerer), 2);
    await queue.start(requestOf(rowsOf(1)));
    await queue.start(requestOf(rowsOf(1)));
    await expect(queue.start(requestOf(rowsOf(1)))).rejects.toThrow(/2 runs wait already/);
    await queue.close();
  });

  it("stops a run that is cancelled, and goes on with the next", async () => {
    const started = new Promise<void>((resolve) => {
      hanging = resolve;
    });
    const answerer = new ListedAnswerer(({ username }, signal) => {
      if (username !== "hangs") return reportOf(GOOD);
      hanging();
      return hang(signal);
    });
    const evaluations = evaluationsOf(answerer);
    const queue = queueOf(evaluations);
    const first = await queue.start(requestOf([rowOf("r", { username: "hangs" })]));
    const second = await queue.start(requestOf([rowOf("r")]));
    await started;
    await queue.cancel(first.id);
    await queue.idle();
    expect((await evaluations.run(first.id))?.status).toBe("cancelled");
    expect((await evaluations.run(second.id))?.status).toBe("finished");
  });

  it("goes on after a restart with what was under way", async () => {
    const started = new Promise<void>((resolve) => {
      hanging = resolve;
    });
    const first = evaluationsOf(
      new ListedAnswerer((_question, signal) => {
        hanging();
        return hang(signal);
      }),
    );
    const queue = queueOf(first);
    const { id } = await queue.start(requestOf(rowsOf(2)));
    await started;
    await queue.close();
    expect((await first.run(id))?.status).toBe("running");
    const evaluations = evaluationsOf(new ListedAnswerer(() => reportOf(GOOD)));
    const next = queueOf(evaluations);
    next.resume();
    await next.idle();
    expect((await evaluations.run(id))?.status).toBe("finished");
    await next.close();
  });
});

let hanging: () => void = () => undefined;

function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
}
