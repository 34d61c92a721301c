/** What a sink gets, over real HTTP, and what becomes of it when the sink is not well. */
import { describe, expect, it } from "vitest";
import {
  attributeOf,
  conventionProblems,
  OtlpReceiver,
  shapeProblems,
  timesOf,
} from "../../../test/support/otlp-receiver.js";
import { systemClock } from "../../lib/clock.js";
import { createTelemetry, type Telemetry, type TelemetryEvent, withinTurn } from "../events.js";
import { ALL_SAMPLES, ANN, SAMPLES } from "../sample-events.test-util.js";
import { type TracesOptions, tracesOptions } from "./options.js";
import { EXPORT_MS_MAX, SPANS_WAITING_MAX } from "./span-sink.js";
import { openTraces, type Traces } from "./traces.js";
import { traceIdOf } from "./turn-spans.js";

const OPTIONS: TracesOptions = { headers: {}, sampleRatio: 1 };
const LANGFUSE = { langfusePublicKey: "pk-1", langfuseSecretKey: "sk-1" };
const BASIC = `Basic ${Buffer.from("pk-1:sk-1").toString("base64")}`;
const CLOSE_MS = 8_000;

interface Bench {
  readonly telemetry: Telemetry;
  readonly traces: Traces;
  readonly told: TelemetryEvent[];
}

/** Traces that hear a telemetry, which hears them. */
function opened(options: Partial<TracesOptions>, debugNetworks: readonly string[] = []): Bench {
  const told: TelemetryEvent[] = [];
  const emit: Telemetry["emit"] = (event) => telemetry.emit(event);
  const deps = { clock: systemClock, debugNetworks, telemetry: { emit } };
  const traces = openTraces({ ...OPTIONS, ...options }, deps);
  const telemetry: Telemetry = createTelemetry([traces.subscriber, (event) => told.push(event)]);
  return { telemetry, traces, told };
}

/** Every event there is, in a turn that begins and ends. */
function wholeTurn({ telemetry }: Bench, turn = "t-1"): void {
  const between = ALL_SAMPLES.filter(
    ({ type }) => !/^(?:turn_(?:accepted|finished|dropped)|announcement_|sink_|turn_scored)/.test(type),
  );
  for (const sample of [SAMPLES.turn_accepted, ...between, SAMPLES.turn_finished]) {
    const { turn: _, ...event } = sample;
    withinTurn(turn, () => telemetry.emit({ ...event, turn } as TelemetryEvent));
  }
}

/** What was told of sending, in order. */
function sent({ told }: Bench) {
  return told
    .filter((event) => event.type === "sink_sent")
    .map(({ count, error, isChange, result, sink, turn }) => ({
      count,
      error,
      isChange,
      result,
      sink,
      turn,
    }));
}

describe("a turn as a trace", () => {
  it("is one tree of spans in OTLP's form, which the conventions accept", async () => {
    const receiver = await OtlpReceiver.start();
    const bench = opened({ endpoint: `${receiver.url}/v1/traces`, headers: { "x-team": "night" } });
    wholeTurn(bench);
    await bench.traces.close(CLOSE_MS);
    const { spans } = receiver;
    expect(spans.flatMap(shapeProblems)).toEqual([]);
    expect(spans.flatMap(conventionProblems)).toEqual([]);
    for (const { attributes, name } of spans)
      expect(new Set(attributes.map(({ key }) => key)).size, name).toBe(attributes.length);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf("t-1")]));
    const ids = new Map(spans.map((span) => [span.spanId, span.name]));
    expect(ids.size).toBe(spans.length);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)).toEqual([
      "invoke_agent readback",
    ]);
    for (const { name, parentSpanId } of spans)
      if (parentSpanId !== undefined)
        expect(ids.get(parentSpanId), name).toMatch(/^(?:invoke_agent|prepare|answer)/);
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...[
          "wait",
          "route",
          "plan",
          "prepare",
          "chat gpt-4.1-mini",
          "retrieval knowledge",
          "execute_tool get_pump",
        ],
        ...[
          "embeddings text-embedding-3-small/512",
          "speech_to_text whisper-1",
          "text_to_speech tts-1/shimmer",
        ],
        ...["operation ended", "consent refused"],
      ]),
    );
    expect(receiver.requests[0]).toMatchObject({ path: "/v1/traces", headers: { "x-team": "night" } });
    expect(receiver.requests[0]?.headers).not.toHaveProperty("x-langfuse-ingestion-version");
  });

  it("has the tokens, the cost and the first word of a call of a model, and its own length", async () => {
    const receiver = await OtlpReceiver.start();
    const bench = opened({ endpoint: `${receiver.url}/v1/traces` });
    wholeTurn(bench);
    await bench.traces.close(CLOSE_MS);
    const chat = receiver.spans.find(({ name }) => name.startsWith("chat"))!;
    const attribute = (key: string) => attributeOf(chat, key);
    expect(attribute("gen_ai.usage.input_tokens")).toBe(900);
    expect(attribute("gen_ai.usage.output_tokens")).toBe(60);
    expect(attribute("gen_ai.request.stream")).toBe(true);
    expect(attribute("gen_ai.response.time_to_first_chunk")).toBe(0.3);
    expect(JSON.parse(String(attribute("langfuse.observation.cost_details")))).toEqual({ total: 0.000_456 });
    expect([attribute("user.id"), attribute("session.id")]).toEqual(["plant/ann", "c-9"]);
    const [startMs, endMs] = timesOf(chat);
    expect(endMs - startMs).toBeCloseTo(700, 0);
    expect(Math.abs(endMs - Date.now())).toBeLessThan(60_000);
  });

  it("is OTLP whatever is in a name or a number, and what an event leaves open is filled in", async () => {
    const receiver = await OtlpReceiver.start();
    const bench = opened({ endpoint: `${receiver.url}/v1/traces` });
    const tool = 'open "valve\\2"\n\u2028 💡 \ud800';
    bench.telemetry.emit({ ...SAMPLES.site_called, turn: "t-1", site: tool, tool });
    bench.telemetry.emit({ ...SAMPLES.query_embedded, turn: "t-1", provider: undefined, model: "own" });
    bench.telemetry.emit({ ...SAMPLES.turn_routed, turn: "t-1", confidence: Number.NaN });
    bench.telemetry.emit({ ...SAMPLES.operation_changed, turn: "t-1" });
    await bench.traces.close(CLOSE_MS);
    const [called, embedded, routed, changed] = receiver.spans;
    expect(called?.name).toBe(`execute_tool ${tool}`);
    expect(attributeOf(called!, "readback.site")).toBe(tool);
    expect(attributeOf(embedded!, "gen_ai.provider.name")).toBe("readback");
    expect(attributeOf(routed!, "readback.confidence")).toBeNull();
    expect(attributeOf(changed!, "readback.outcomes")).toEqual({
      values: [{ stringValue: "contradicted" }, { stringValue: "skipped" }],
    });
    expect(receiver.spans.flatMap(conventionProblems)).toEqual([]);
  });

  it("tells questions, answers and passages of debug networks only", async () => {
    const secret = /lock out press 4|red handle|clicks|lockout press/;
    for (const [debugNetworks, isTold] of [
      [[], false],
      [[ANN.network], true],
    ] as const) {
      const receiver = await OtlpReceiver.start();
      const bench = opened({ endpoint: `${receiver.url}/v1/traces` }, debugNetworks);
      wholeTurn(bench);
      await bench.traces.close(CLOSE_MS);
      expect(receiver.spans.length).toBeGreaterThan(5);
      expect(secret.test(receiver.requests.map(({ body }) => body).join("")), `${debugNetworks}`).toBe(
        isTold,
      );
    }
  });

  it("ends with the code of a failure as its error", async () => {
    const receiver = await OtlpReceiver.start();
    const { telemetry, traces } = opened({ endpoint: `${receiver.url}/v1/traces` });
    telemetry.emit(SAMPLES.turn_accepted);
    telemetry.emit(SAMPLES.turn_dropped);
    await traces.close(CLOSE_MS);
    expect(receiver.spans).toHaveLength(1);
    expect(attributeOf(receiver.spans[0]!, "error.type")).toBe("chat_busy");
  });

  it("gets what is told after its end, and an announcement is one too", async () => {
    const receiver = await OtlpReceiver.start();
    const bench = opened({ endpoint: `${receiver.url}/v1/traces` });
    wholeTurn(bench);
    bench.telemetry.emit({ ...SAMPLES.site_called, turn: "t-1" });
    bench.telemetry.emit({ ...SAMPLES.announcement_ended, turn: "a-1" });
    await bench.traces.close(CLOSE_MS);
    const late = receiver.spans.filter(({ name }) => name.startsWith("execute_tool"));
    expect(late.map(({ traceId }) => traceId)).toEqual([traceIdOf("t-1"), traceIdOf("t-1")]);
    const [startMs, endMs] = timesOf(receiver.spans.find(({ traceId }) => traceId === traceIdOf("a-1"))!);
    expect(endMs - startMs).toBeCloseTo(2_400, 0);
  });

  it("is there whole or not at all, for about the share of turns that is wanted", async () => {
    const receiver = await OtlpReceiver.start();
    const { telemetry, traces } = opened({ endpoint: `${receiver.url}/v1/traces`, sampleRatio: 0.25 });
    for (let i = 0; i < 400; i++) {
      telemetry.emit({ ...SAMPLES.turn_accepted, turn: `t-${i}` });
      telemetry.emit({ ...SAMPLES.search_finished, turn: `t-${i}` });
      telemetry.emit({ ...SAMPLES.turn_finished, turn: `t-${i}` });
    }
    await traces.close(CLOSE_MS);
    const counts = new Map<string, number>();
    for (const { traceId } of receiver.spans) counts.set(traceId, (counts.get(traceId) ?? 0) + 1);
    expect(new Set(counts.values())).toEqual(new Set([2]));
    expect(counts.size).toBeGreaterThan(60);
    expect(counts.size).toBeLessThan(140);
  });
});

describe("Langfuse", () => {
  it("gets spans under its path with both keys and the version of its intake", async () => {
    const receiver = await OtlpReceiver.start();
    const bench = opened({ ...LANGFUSE, langfuseHost: `${receiver.url}/` });
    wholeTurn(bench);
    await bench.traces.close(CLOSE_MS);
    expect(receiver.requests[0]).toMatchObject({
      path: "/api/public/otel/v1/traces",
      headers: {
        authorization: BASIC,
        "x-langfuse-ingestion-version": "4",
        "content-type": "application/json",
      },
    });
  });

  it("gets the scores of a turn by the id of its trace, each once, also when spans go elsewhere", async () => {
    const receiver = await OtlpReceiver.start((_, { headers }) =>
      headers.authorization === BASIC ? 200 : 401,
    );
    const bench = opened({
      ...LANGFUSE,
      langfuseHost: receiver.url,
      endpoint: "http://127.0.0.1:9/v1/traces",
    });
    bench.telemetry.emit({
      type: "turn_scored",
      turn: "t-1",
      scores: { faithfulness: 0.9, correct_refusal: 1 },
    });
    await bench.traces.close(CLOSE_MS);
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/api/public/scores", "/api/public/scores"]);
    const traceId = traceIdOf("t-1");
    expect(receiver.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { id: `${traceId}-faithfulness`, traceId, name: "faithfulness", value: 0.9, dataType: "NUMERIC" },
      { id: `${traceId}-correct_refusal`, traceId, name: "correct_refusal", value: 1, dataType: "NUMERIC" },
    ]);
    expect(sent(bench).map(({ result }) => result)).toEqual(["taken", "taken"]);
  });

  it("is asked again for a score after 429 and 503, and not after 401", async () => {
    const receiver = await OtlpReceiver.start((n) => [429, 503, 200, 401][n - 1] ?? 200);
    const bench = opened({ ...LANGFUSE, langfuseHost: receiver.url });
    bench.telemetry.emit({ type: "turn_scored", turn: "t-1", scores: { one: 1, two: 2, three: 3 } });
    await bench.traces.close(CLOSE_MS);
    expect(receiver.requests).toHaveLength(5);
    expect(sent(bench)).toMatchObject([
      { result: "taken", isChange: false },
      { result: "not_taken", isChange: true, error: expect.stringContaining("401") },
      { result: "taken", isChange: true },
    ]);
  });
});

describe("a sink that is not well", () => {
  const down = (error: RegExp) => ({
    result: "not_taken",
    isChange: true,
    sink: "spans",
    error: expect.stringMatching(error),
  });

  it.each([
    ["refuses the key", 401, /it answers 401/],
    ["is broken", 400, /it answers 400/],
  ])(
    "%s: its spans are dropped and counted, and that is told once and of no turn",
    async (_what, status, error) => {
      const receiver = await OtlpReceiver.start(() => status);
      const bench = opened({ endpoint: `${receiver.url}/v1/traces` });
      wholeTurn(bench);
      await bench.traces.close(CLOSE_MS);
      expect(sent(bench)).toMatchObject([{ ...down(error), turn: undefined }]);
      expect(sent(bench)[0]?.count).toBe(receiver.spans.length);
    },
  );

  it("is not there: nobody waits for it longer than they say", async () => {
    const bench = opened({ endpoint: "http://127.0.0.1:9/v1/traces" });
    wholeTurn(bench);
    const startMs = performance.now();
    await bench.traces.close(300);
    expect(performance.now() - startMs).toBeLessThan(EXPORT_MS_MAX / 2);
  });

  it.each(["hang", "trickle"] as const)(
    "answers with a %s: given up in time",
    async (how) => {
      const receiver = await OtlpReceiver.start(() => how);
      const bench = opened({ endpoint: `${receiver.url}/v1/traces` });
      wholeTurn(bench);
      await bench.traces.close(CLOSE_MS);
      expect(sent(bench)).toMatchObject([down(/./)]);
    },
    20_000,
  );

  it("holds no more than it may, and what is beyond that is counted", async () => {
    const receiver = await OtlpReceiver.start(() => "hang");
    const bench = opened({ endpoint: `${receiver.url}/v1/traces` });
    const beyond = 100;
    for (let i = 0; i < SPANS_WAITING_MAX + beyond; i++)
      bench.telemetry.emit({ ...SAMPLES.site_called, turn: "t-1" });
    expect(sent(bench)).toHaveLength(beyond);
    expect(sent(bench)).toContainEqual(
      expect.objectContaining({ result: "crowded_out", isChange: false, count: 1 }),
    );
    await bench.traces.close(0);
  });
});

describe("the settings of traces", () => {
  it.each([
    [{ endpoint: "collector:4318" }, "endpoint"],
    [{ langfuse_host: "https://langfuse.example" }, "langfuse_host"],
    [{ langfuse_secret_key: "sk" }, "langfuse_host"],
    [{ sample_ratio: 2 }, "sample_ratio"],
  ])("refuse %j", (given, where) => {
    const { error } = tracesOptions.safeParse(given);
    expect(error?.issues[0]?.path).toEqual([where]);
  });
});
