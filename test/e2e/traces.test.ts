/** A spoken question over a real socket, as the trace that a sink gets of it; and what is loaded where none is wanted. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { traceIdOf } from "../../src/telemetry/traces/turn-spans.js";
import { searchReply, textReply } from "../support/openai-replies.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import {
  attributeOf,
  conventionProblems,
  OtlpReceiver,
  type OtlpSpan,
  shapeProblems,
  timesOf,
} from "../support/otlp-receiver.js";
import { spokenPackets } from "../support/spoken.js";
import { LOCKOUT } from "./documents.js";
import { librarian, packets, spoken } from "./script.js";
import { temporaryDirectory, World } from "./world.js";

const QUESTION = "Where is the padlock of press 4?";
const ANSWER = "The padlock is red.";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Clocks of one process, rounded by OTLP. */
const ROUNDING_MS = 2;

test("one turn by voice is one trace: who began within whom, and when", async () => {
  const receiver = await OtlpReceiver.start();
  const world = await World.start({
    documents: { acme: { "lockout.md": LOCKOUT } },
    respond: librarian,
    clock: systemClock,
    config: { "traces.endpoint": `${receiver.url}/v1/traces`, shutdown_grace_ms: 5_000 },
  });
  const ann = (await world.relay()).user("acme", "ann");
  world.server.expectTranscription(transcriptReply(QUESTION));
  world.server.expectChat(searchReply("press 4")).expectChat(textReply(ANSWER));
  world.server.expectSpeech(spoken(packets(3)));
  ann.say(7, await spokenPackets(QUESTION), { request_id: "v-1" });
  expect(await ann.answered("v-1")).toMatchObject({ text: ANSWER });
  const { turn } = await world.happened("turn_finished");
  await world.stop();

  const { spans } = receiver;
  expect([...spans.flatMap(shapeProblems), ...spans.flatMap(conventionProblems)]).toEqual([]);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(turn!)]));
  const { answer = [], prepare = [], "invoke_agent readback": turnItself = [], ...others } = treeOf(spans);
  expect(others).toEqual({});
  // Who is slow to hear the end of what is said finds the turn begun.
  expect([...turnItself, ...prepare].sort()).toEqual([
    "answer",
    "prepare",
    "route",
    "speech_to_text whisper-1",
    "wait",
  ]);
  expect(prepare).toContain("route");
  expect(answer.filter((name) => name === "chat gpt-4.1-mini")).toHaveLength(2);
  expect(answer).toEqual(
    expect.arrayContaining(["compose", "plan", "retrieval knowledge", "text_to_speech tts-1/shimmer"]),
  );
  const root = spans.find(({ parentSpanId }) => parentSpanId === undefined)!;
  const [beganMs, endedMs] = timesOf(root);
  for (const span of spans) {
    const [startMs, endMs] = timesOf(span);
    expect(startMs, span.name).toBeGreaterThanOrEqual(beganMs - ROUNDING_MS);
    expect(endMs, span.name).toBeLessThanOrEqual(endedMs + ROUNDING_MS);
  }
  const [finished] = world.eventsOf("turn_finished");
  expect(endedMs - beganMs).toBeGreaterThanOrEqual(finished!.ms - ROUNDING_MS);
  expect(root.events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["transcribed", "first_packet"]),
  );
  const [opened] = spans.filter(({ name }) => name.startsWith("chat"));
  expect(attributeOf(opened!, "gen_ai.usage.input_tokens")).toBeGreaterThan(0);
  const bodies = receiver.requests.map(({ body }) => body).join("");
  for (const words of [QUESTION, ANSWER, "press 4", "padlock"]) expect(bodies).not.toContain(words);
});

test("a sink that is down costs no answer, is counted, and is logged once", async () => {
  const receiver = await OtlpReceiver.start(() => 503);
  const world = await World.start({
    documents: { acme: { "lockout.md": LOCKOUT } },
    respond: librarian,
    clock: systemClock,
    config: { "traces.endpoint": `${receiver.url}/v1/traces` },
  });
  const ann = (await world.relay()).user("acme", "ann");
  for (const id of ["r-1", "r-2"]) {
    ann.ask(QUESTION, { request_id: id, response_type: "text" });
    await ann.answered(id);
  }
  await world.metricBecomes(
    'readback_sink_items_total{sink="spans",result="not_taken"}',
    (value) => value > 0,
  );
  expect(world.log.match(/"event":"sink_sent"/g)).toHaveLength(1);
  expect(world.log).toMatch(/"level":"warn","event":"sink_sent"/);
});

test("no tracer and no exporter is loaded where nothing is traced", () => {
  const script =
    "import { createRequire } from 'node:module'; const { createService } = await import('./dist/src/main.js');" +
    "const { loadConfig } = await import('./dist/src/config/load.js');" +
    "const service = await createService(loadConfig({}, JSON.parse(process.argv[1])));" +
    "const paths = Object.keys(createRequire(process.cwd() + '/').cache);" +
    "console.log(paths.filter((path) => /opentelemetry.(?:sdk-trace|exporter)/.test(path)).length); await service.stop();";
  const loadedWith = (settings: object) =>
    Number(
      execFileSync(process.execPath, ["--input-type=module", "-e", script, JSON.stringify(settings)], {
        cwd: ROOT,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
  const folder = { data_dir: temporaryDirectory(), shutdown_grace_ms: 0 };
  expect(loadedWith(folder)).toBe(0);
  expect(loadedWith({ ...folder, "traces.endpoint": "http://127.0.0.1:9/v1/traces" })).toBeGreaterThan(0);
});

/** Names of the spans by the name of what they are within. */
function treeOf(spans: readonly OtlpSpan[]): Readonly<Record<string, readonly string[]>> {
  const names = new Map(spans.map(({ name, spanId }) => [spanId, name]));
  const tree: Record<string, string[]> = {};
  for (const { name, parentSpanId } of spans) {
    if (parentSpanId === undefined) continue;
    const parent = names.get(parentSpanId) ?? "nobody";
    tree[parent] = [...(tree[parent] ?? []), name];
  }
  for (const children of Object.values(tree)) children.sort();
  return tree;
}
