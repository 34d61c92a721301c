import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { answerOf, NOT_FOUND, passageOf } from "../../../test/support/evaluation.js";
import { ScriptedModel } from "../../../test/support/fake-model.js";
import { errorReply, textReply } from "../../../test/support/openai-replies.js";
import { OpenAiServer } from "../../../test/support/openai-server.js";
import { VirtualClock } from "../../../test/support/virtual-clock.js";
import { systemClock } from "../../lib/clock.js";
import { OpenAiModel } from "../../llm/openai.js";
import { ModelFailure } from "../../llm/port.js";
import { loadPrompts } from "../../llm/prompts.js";
import type { Embedder } from "../../retrieval/embedding/port.js";
import { openEvaluationRuns } from "../../store/embedded-evaluation-runs.js";
import type { EvaluationRuns } from "../../store/evaluation-runs.js";
import { Judge, JudgeUnavailable, judgeForm, readAnswer } from "./judge.js";
import { JUDGED } from "./judged-scores.js";

const never = new AbortController().signal;
const prompts = await loadPrompts();

let folder = "";
let store: EvaluationRuns;
let server: OpenAiServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "readback-judge-"));
  store = await openEvaluationRuns(folder, systemClock);
  server = await OpenAiServer.start();
});
afterEach(async () => {
  await server.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

function judgeAt(target: OpenAiServer): Judge {
  const { baseUrl, apiKey } = target;
  const limits = { firstByteTimeoutMs: 5_000, idleTimeoutMs: 5_000 };
  const model = new OpenAiModel(systemClock, { model: "judge", baseUrl, apiKey, temperature: 0, ...limits });
  return new Judge({ model, prompts, judgements: store, clock: systemClock, delayMs: 0 });
}

const passage = passageOf("burns.md", "Cool the burn for 20 minutes.");
const row = {
  question: "How long?",
  answer: answerOf("For 20 minutes. Use butter.", { passages: [passage, passageOf("fire.md", "Shout.")] }),
  expected: { mustSay: [], mustNotSay: [], groundTruth: "Cool it for 20 minutes." },
};
const json = (value: object) => textReply(JSON.stringify(value));

describe("faithfulness by a judge", () => {
  const measure = () => JUDGED.faithfulness(row, { judge: judgeAt(server), embedder: undefined }, never);
  const statements = ["It takes 20 minutes.", "Butter is used."];

  it("is asked in two steps", async () => {
    server.expectChat(json({ statements }), ({ messages }) => {
      expect(JSON.parse(String(messages[1]!.content))).toEqual({
        question: "How long?",
        answer: "For 20 minutes. Use butter.",
      });
    });
    const verdicts = [
      { reason: "it says so", verdict: 1 },
      { reason: "nothing on butter", verdict: 0 },
    ];
    server.expectChat(json({ verdicts }), ({ messages }) => {
      expect(JSON.parse(String(messages[1]!.content))).toEqual({
        context: "Cool the burn for 20 minutes.\nShout.",
        statements,
      });
    });
    expect(await measure()).toEqual({
      type: "scored",
      value: 0.5,
      notes: ["not supported: Butter is used. (nothing on butter)"],
    });
    server.verify();
  });

  it("asks nothing twice that was answered", async () => {
    server
      .expectChat(json({ statements }))
      .expectChat(json({ verdicts: [{ verdict: "1" }, { verdict: true }] }));
    expect(await measure()).toMatchObject({ value: 1 });
    expect(await measure()).toMatchObject({ value: 1 });
    expect(server.requests).toHaveLength(2);
    server.verify();
  });

  it("says nothing where nothing is stated", async () => {
    server.expectChat(json({ statements: [] }));
    expect(await measure()).toMatchObject({ type: "not_applicable" });
    const refused = { ...row, answer: NOT_FOUND };
    const tools = { judge: judgeAt(server), embedder: undefined };
    expect(await JUDGED.faithfulness(refused, tools, never)).toMatchObject({ type: "not_applicable" });
    server.verify();
  });

  it.each([
    ["prose", "The answer is fine.", "Looks good to me!"],
    ["another shape", '{"claims": []}', '{"statements": "one"}'],
    ["broken JSON", '{"statements": ["a", }', '{"statements": '],
    ["nothing", "", " "],
  ])("fails when the judge answers %s, twice", async (_name, first, second) => {
    server.expectChat(textReply(first));
    server.expectChat(textReply(second), ({ messages }) => {
      expect(messages).toHaveLength(4);
      expect(messages[3]!.content).toMatch(/not what was asked for/);
    });
    expect(await measure()).toMatchObject({ type: "failed", why: expect.stringMatching(/makes no sense/) });
    server.verify();
  });

  it("takes a second answer that makes sense, and keeps only that", async () => {
    server
      .expectChat(textReply("Sure! Here you go."))
      .expectChat(textReply('```json\n{"statements": []}\n```'));
    expect(await measure()).toMatchObject({ type: "not_applicable" });
    expect(await measure()).toMatchObject({ type: "not_applicable" });
    server.verify();
  });

  it("fails when there are not as many verdicts as statements", async () => {
    server.expectChat(json({ statements })).expectChat(json({ verdicts: [{ reason: "", verdict: 1 }] }));
    expect(await measure()).toMatchObject({ type: "failed", why: expect.stringMatching(/1 verdicts on 2/) });
  });

  it("fails when the answer was cut for length", async () => {
    const cut = textReply('{"statements": ["a"]}', { finishReason: "length" });
    server.expectChat(cut).expectChat(cut);
    expect(await measure()).toMatchObject({ type: "failed" });
  });

  it("is postponed when the judge is down, and given up when it refuses", async () => {
    server.expectChat(errorReply(503));
    await expect(measure()).rejects.toThrow(JudgeUnavailable);
    server.expectChat(errorReply(401));
    await expect(measure()).rejects.toThrow(ModelFailure);
  });
});

describe("the other metrics by a judge", () => {
  it("have the usefulness of each passage, in order", async () => {
    server.expectChat(json({ reason: "", verdict: 0 })).expectChat(json({ reason: "", verdict: 1 }));
    const tools = { judge: judgeAt(server), embedder: undefined };
    const score = await JUDGED.context_precision(row, tools, never);
    expect(score.type === "scored" && score.value).toBeCloseTo(1 / 2, 9);
    server.verify();
  });

  it("have the sentences of the ground truth that are in the passages", async () => {
    const classifications = [
      { statement: "a", reason: "", attributed: 1 },
      { statement: "b", reason: "", attributed: 0 },
      { statement: "c", reason: "", attributed: 0 },
    ];
    server.expectChat(json({ classifications }));
    const tools = { judge: judgeAt(server), embedder: undefined };
    expect(await JUDGED.context_recall(row, tools, never)).toEqual({
      type: "scored",
      value: 1 / 3,
      notes: ["not retrieved: b", "not retrieved: c"],
    });
  });

  it("fail where the judge classified nothing", async () => {
    server.expectChat(json({ classifications: [] }));
    const tools = { judge: judgeAt(server), embedder: undefined };
    expect(await JUDGED.context_recall(row, tools, never)).toMatchObject({ type: "failed" });
  });

  it("need a ground truth", async () => {
    const tools = { judge: judgeAt(server), embedder: undefined };
    const bare = { ...row, expected: { mustSay: [], mustNotSay: [] } };
    expect(await JUDGED.context_precision(bare, tools, never)).toMatchObject({ type: "not_applicable" });
    expect(await JUDGED.context_recall(bare, tools, never)).toMatchObject({ type: "not_applicable" });
  });

  const embedder: Embedder = {
    name: "letters",
    dimensions: 2,
    embed: async (texts) => texts.map((text) => Float32Array.of(text.includes("same") ? 1 : 0, 1)),
  };
  const asked = { ...row, question: "the same?" };

  it("have the mean cosine of three generated questions", async () => {
    for (const question of ["the same!", "same", "other"])
      server.expectChat(json({ question, noncommittal: 0 }));
    const score = await JUDGED.answer_relevancy(asked, { judge: judgeAt(server), embedder }, never);
    expect(score.type === "scored" && score.value).toBeCloseTo((1 + 1 + Math.SQRT1_2) / 3, 6);
    server.verify();
  });

  it("have 0 for what is noncommittal, and fail without a question", async () => {
    for (let i = 0; i < 3; i++) server.expectChat(json({ question: "same", noncommittal: 1 }));
    const tools = { judge: judgeAt(server), embedder };
    expect(await JUDGED.answer_relevancy(asked, tools, never)).toMatchObject({ value: 0 });
    const other = { ...asked, answer: answerOf("Another answer.") };
    for (let i = 0; i < 3; i++) server.expectChat(json({ question: "", noncommittal: 0 }));
    expect(await JUDGED.answer_relevancy(other, tools, never)).toMatchObject({ type: "failed" });
    server.verify();
  });

  it("need embeddings for that", async () => {
    const tools = { judge: judgeAt(server), embedder: undefined };
    expect(await JUDGED.answer_relevancy(asked, tools, never)).toMatchObject({ type: "not_applicable" });
    server.verify();
  });
});

describe("the pace", () => {
  const form = judgeForm("judge-question", z.strictObject({}), z.object({}));

  it("is one call at a time, with a pause between two", async () => {
    const clock = new VirtualClock();
    const model = new ScriptedModel(clock).expectStream("{}").expectStream("{}").expectStream("{}");
    const judge = new Judge({ model, prompts, judgements: store, clock, delayMs: 3_000 });
    const all = Promise.all([1, 2, 3].map((number) => judge.ask(form, { number }, never)));
    const asked = async (byMs: number) => {
      for (let i = 0; i < 20; i++) await clock.advance(byMs / 20);
      return model.requests.length;
    };
    expect(await asked(2_900)).toBe(1);
    expect(await asked(200)).toBe(2);
    expect(await asked(2_800)).toBe(2);
    expect(await asked(300)).toBe(3);
    expect(await all).toHaveLength(3);
    model.verify();
  });

  it("goes on after a call that failed", async () => {
    const clock = new VirtualClock();
    const model = new ScriptedModel(clock)
      .expectStream(new ModelFailure("unavailable", "down"))
      .expectStream("{}");
    const judge = new Judge({ model, prompts, judgements: store, clock, delayMs: 0 });
    const results = await Promise.allSettled([
      judge.ask(form, { a: 1 }, never),
      judge.ask(form, { a: 2 }, never),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });
});

describe("an answer", () => {
  const schema = z.object({ a: z.number() });

  it.each([
    ['{"a": 1}'],
    ['```json\n{"a": 1}\n```'],
    ['<think>{"a": 2} or {</think>{"a": 1}'],
    ['Here it is: {"a": 1}. Anything else?'],
  ])("in %j is read", (text) =>
    expect(readAnswer(text, schema)).toEqual({ type: "answer", value: { a: 1 } }),
  );

  it.each([["}{"], ['{"a": "1"}'], ['{"a": 1} {"a": 2}'], ["[]"], ["null"]])("in %j makes no sense", (text) =>
    expect(readAnswer(text, schema).type).toBe("nonsense"),
  );
});
