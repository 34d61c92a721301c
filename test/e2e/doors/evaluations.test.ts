/** Evaluations of the running service: over HTTP behind the same keys, and as gRPC's `EvaluateRAG`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { status } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/lib/clock.js";
import { traceIdOf } from "../../../src/telemetry/traces/turn-spans.js";
import { freePort } from "../../attack/support/nginx.js";
import { OtlpReceiver } from "../../support/otlp-receiver.js";
import { address, type GrpcError, grpc, offline, post, QUESTION } from "./ask.js";

const ROWS = [
  { id: "a", category: "press", question: QUESTION, expected: { outcomes: ["answered"] } },
  { id: "b", category: "shop", question: "Where is the canteen?", expected: { outcomes: ["answered"] } },
];

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "readback-doors-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function goldenFolder(): string {
  const lines = [{ dataset: "Golden", network: "acme" }, ...ROWS].map((line) => JSON.stringify(line));
  return folderWith({ "golden.jsonl": `${lines.join("\n")}\n` });
}

test("a run that is started over HTTP asks the running service, and its result can be fetched", async () => {
  const world = await offline({ clock: systemClock, config: { "evaluation.datasets_dir": goldenFolder() } });
  const started = await post(world, "/api/v1/evaluations", { dataset: "golden" });
  expect(started.status).toBe(202);
  const { id } = (await started.json()) as { id: string };
  await world.happened("chat_closed", ROWS.length);
  let run: { status: string; result: object | null };
  do {
    run = (await (await fetch(address(world, `/api/v1/evaluations/${id}`))).json()) as typeof run;
  } while (run.status !== "finished");
  expect(run.result).toMatchObject({ verdict: expect.stringMatching(/EXCELLENT|ACCEPTABLE|INSUFFICIENT/) });
});

test("what rows come to is sent to Langfuse as scores of their turns", async () => {
  const receiver = await OtlpReceiver.start();
  const config = {
    "evaluation.datasets_dir": goldenFolder(),
    "traces.langfuse_host": receiver.url,
    "traces.langfuse_public_key": "pk-1",
    "traces.langfuse_secret_key": "sk-1",
    shutdown_grace_ms: 5_000,
  };
  const world = await offline({ clock: systemClock, config });
  await post(world, "/api/v1/evaluations", { dataset: "golden" });
  await world.happened("turn_scored", ROWS.length);
  await world.stop();
  const sent = receiver.requests.filter(({ path }) => path === "/api/public/scores");
  const scores = sent.map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>);
  const told = world.eventsOf("turn_scored");
  const traceIds = told.map(({ turn }) => traceIdOf(turn));
  expect(new Set(scores.map(({ traceId }) => traceId))).toEqual(new Set(traceIds));
  expect(scores.map(({ value }) => value)).toEqual(told.flatMap(({ scores }) => Object.values(scores)));
  const turns = receiver.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(turns.map(({ traceId }) => traceId)).toEqual(expect.arrayContaining(traceIds));
});

test("EvaluateRAG waits for its result, of the category and as many questions as it names", async () => {
  const world = await offline({ clock: systemClock, config: { "evaluation.datasets_dir": goldenFolder() } });
  const evaluate = (request: object) =>
    new Promise<{ error: GrpcError | null; reply: unknown }>((resolve) =>
      grpc(world).EvaluateRAG(request, (error, reply) => resolve({ error, reply })),
    );
  const { reply } = await evaluate({});
  expect(reply).toMatchObject({
    status: "ok",
    questions_evaluated: 2,
    elapsed_seconds: expect.any(Number),
    faithfulness: expect.any(Number),
    global_score: expect.any(Number),
    verdict: expect.stringMatching(/EXCELLENT|ACCEPTABLE|INSUFFICIENT/),
  });
  expect((await evaluate({ category: "shop" })).reply).toMatchObject({ questions_evaluated: 1 });
  expect((await evaluate({ limit: 1 })).reply).toMatchObject({ questions_evaluated: 1 });
  expect((await evaluate({ data_set: "../secrets" })).error?.code).toBe(status.NOT_FOUND);
  expect((await evaluate({ category: "none" })).error?.code).toBe(status.INVALID_ARGUMENT);
  expect((await evaluate({ limit: -1 })).error?.code).toBe(status.INVALID_ARGUMENT);
});

test("EvaluateRAG says that a dead judge scored nothing", async () => {
  const judge = { model: "judge", base_url: `http://127.0.0.1:${await freePort()}/v1`, api_key: "judge-key" };
  const world = await offline({
    clock: systemClock,
    config: {
      "evaluation.datasets_dir": goldenFolder(),
      "evaluation.attempts_max": 1,
      "llm.judge": judge,
    },
  });
  const reply = await new Promise((resolve) => grpc(world).EvaluateRAG({}, (_error, one) => resolve(one)));
  expect(reply).toMatchObject({
    status: expect.stringMatching(/^2 of 2 rows were not scored/),
    judge_model: "judge",
    verdict: "INSUFFICIENT",
  });
  expect(reply).not.toHaveProperty("global_score");
});

test("a key is needed, and one that is bound does not do", async () => {
  const keys = [
    { key: "free-key-1", name: "qa" },
    { key: "plant-key-1", networks: ["acme"] },
  ];
  const world = await offline({ config: { "http.api_keys": keys } });
  const codeWith = async (headers: Record<string, string>) =>
    (await fetch(address(world, "/api/v1/evaluations"), { headers })).status;
  expect(await codeWith({})).toBe(401);
  expect(await codeWith({ "x-api-key": "plant-key-1" })).toBe(403);
  expect(await codeWith({ "x-api-key": "free-key-1" })).toBe(200);
  expect(await world.metrics()).toContain('{door="evaluations",result="unauthorized"} 1');
});
