import { encodeAudio, encodeCodecHeader } from "@readback/protocol";
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedRelay } from "../../test/support/scripted-relay.js";
import type { RunTurn } from "../chat/chat.js";
import { NOTHING_OPEN } from "../domain/dialogue.js";
import { TurnFailure } from "../domain/failure.js";
import type { Line } from "../turn/line.js";
import { RelayBench } from "./relay-bench.test-util.js";

const SHAPE = { sampleRateHz: 48_000, packetMs: 20 };
const ANN = { network: "plant", username: "ann" };
const HEADER = "nw:plant\nun:ann\ncid:c-1\n";

let bench: RelayBench;
afterEach(() => bench.stop());

/** A turn whose answer a test says by hand; it ends when the test or the chat ends it. */
class HeldTurn {
  #finish = () => {};
  constructor(
    readonly request: Parameters<RunTurn>[0],
    readonly line: Line,
    readonly stop: AbortSignal,
  ) {}

  readonly finished = new Promise<void>((resolve) => {
    this.#finish = resolve;
  });

  /** Says packets `from` … `to` of voice message `mid`, with what opens it before the first. */
  speak(mid: number, from: number, to: number): void {
    if (from === 0) this.line.send({ type: "message", mid, shape: SHAPE });
    for (let pid = from; pid <= to; pid++)
      this.line.send({ type: "audio", mid, pid, packet: Uint8Array.of(pid) });
  }

  end(mid: number, packets: number): void {
    this.line.send({ type: "end_message", mid, durationMs: packets * SHAPE.packetMs });
    this.line.send({ type: "transcription", mid, text: "All of it." });
    this.#finish();
  }

  finish(): void {
    this.#finish();
  }
}

/** Turns that wait for the test; `turns` has those that were begun. */
async function startHeld(): Promise<HeldTurn[]> {
  const turns: HeldTurn[] = [];
  const runTurn: RunTurn = async (request, _history, line, stop) => {
    const turn = new HeldTurn(request, line, stop);
    stop.addEventListener("abort", () => turn.finish(), { once: true });
    turns.push(turn);
    await turn.finished;
    const history = [{ role: "user", text: textOf(request), sources: [] } as const];
    return { history, pending: [] };
  };
  bench = await RelayBench.start(runTurn);
  return turns;
}

function textOf(request: Parameters<RunTurn>[0]): string {
  return "text" in request ? request.text : "";
}

async function startEchoing(): Promise<void> {
  let mid = 0;
  bench = await RelayBench.start(async (asked, _history, line) => {
    const { requestId } = asked;
    const text = textOf(asked);
    const request = requestId === undefined ? {} : { requestId };
    line.send({ type: "text_message", mid: ++mid, text: `You said: ${text}`, ...request });
    return NOTHING_OPEN;
  });
}

async function turn(turns: readonly HeldTurn[], nth = 0): Promise<HeldTurn> {
  await bench.event("turn_started", nth);
  return turns[nth]!;
}

describe("ai_message", () => {
  it("becomes a turn that carries everything the relay said", async () => {
    const turns = await startHeld();
    const relay = await bench.connect();
    relay.send({
      command: "ai_message",
      ...ANN,
      text: "How do I lock out press 4?",
      responseType: "audio",
      mode: "ai_onboarding",
      features: ["kiosk", "beta"],
      groups: ["maintenance"],
      language: "pt-BR",
      requestId: "r-1",
    });
    expect((await turn(turns)).request).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      user: ANN,
      text: "How do I lock out press 4?",
      responseType: "audio",
      mode: "ai_onboarding",
      features: ["kiosk", "beta"],
      groups: ["maintenance"],
      language: "pt-BR",
      requestId: "r-1",
      consent: { via: "text", isTrusted: true, pressedMs: expect.any(Number) },
    });
    expect(bench.eventsOf("command_received")).toMatchObject([{ command: "ai_message", user: ANN }]);
  });

  it("is answered as text unless it asks for audio, with its request id", async () => {
    await startEchoing();
    const relay = await bench.connect();
    relay.send({ command: "ai_message", ...ANN, text: "Hello?", requestId: "r-2" });
    expect(await relay.command("text_message")).toEqual({
      command: "text_message",
      text: "You said: Hello?",
      requestId: "r-2",
    });
    expect(relay.heard).toMatchObject([{ route: ANN }]);
  });

  it("is refused with chat_busy when ten are waiting; the connection and the others live on", async () => {
    const turns = await startHeld();
    const relay = await bench.connect();
    for (let n = 0; n < 12; n++)
      relay.send({ command: "ai_message", ...ANN, text: `Question ${n}`, requestId: `r-${n}` });
    expect(await relay.command("ai_message_error")).toMatchObject({ code: "chat_busy", requestId: "r-11" });
    (await turn(turns)).finish();
    expect((await turn(turns, 1)).request.requestId).toBe("r-1");
    expect(relay.commands("ai_message_error")).toHaveLength(1);
  });
});

describe("get_chat", () => {
  it("describes the chat at once, also while it is speaking", async () => {
    const turns = await startHeld();
    const relay = await bench.connect();
    relay.send({ command: "ai_message", ...ANN, text: "Go on.", mode: "ai_onboarding" });
    const held = await turn(turns);
    held.speak(7, 0, 1);
    relay.send({ command: "get_chat", ...ANN, requestId: "r-3" });
    const chat = await relay.command("chat");
    expect(chat).toMatchObject({
      messageCount: 0,
      mode: "ai_onboarding",
      speaking: true,
      lastUpdateMs: bench.clock.now(),
      expiresAtMs: bench.clock.now() + 600_000,
      requestId: "r-3",
    });
    held.end(7, 2);
    await relay.command("transcription");
    relay.send({ command: "get_chat", ...ANN });
    expect(await relay.command("chat", 1)).toMatchObject({
      chatId: chat.chatId,
      messageCount: 1,
      speaking: false,
    });
  });

  it("opens no chat: without one it is refused with not_found", async () => {
    await startEchoing();
    const relay = await bench.connect();
    relay.send({ command: "get_chat", ...ANN, requestId: "r-4" });
    expect(await relay.command("ai_message_error")).toMatchObject({ code: "not_found", requestId: "r-4" });
    expect(bench.chats.size).toBe(0);
    expect(bench.eventsOf("command_refused")).toMatchObject([{ code: "not_found", user: ANN }]);
  });
});

describe("close_chat", () => {
  it("stops the answer, cancels what waits, then says that the chat is closed", async () => {
    const turns = await startHeld();
    const relay = await bench.connect();
    relay.send({ command: "ai_message", ...ANN, text: "One.", requestId: "r-1" });
    const first = await turn(turns);
    relay.send({ command: "ai_message", ...ANN, text: "Two.", requestId: "r-2" });
    relay.send({ command: "close_chat", ...ANN, requestId: "r-3" });
    expect(await relay.command("chat_closed")).toEqual({
      command: "chat_closed",
      reason: "closed",
      requestId: "r-3",
    });
    expect(first.stop.reason).toMatchObject({ code: "cancelled" });
    expect(relay.commands("ai_message_error")).toMatchObject([{ code: "cancelled", requestId: "r-2" }]);
    expect(relay.summary().at(-1)).toBe("chat_closed");
    expect(bench.chats.size).toBe(0);
  });

  it("is refused with not_found without a chat", async () => {
    await startEchoing();
    const relay = await bench.connect();
    relay.send({ command: "close_chat", ...ANN });
    expect(await relay.command("ai_message_error")).toMatchObject({ code: "not_found" });
  });
});

describe("cancel", () => {
  it("stops the answer under way, and is refused when there is none", async () => {
    const turns = await startHeld();
    const relay = await bench.connect();
    relay.send({ command: "cancel", ...ANN, requestId: "r-0" });
    expect(await relay.command("ai_message_error")).toMatchObject({ code: "not_found", requestId: "r-0" });
    relay.send({ command: "ai_message", ...ANN, text: "One." });
    const held = await turn(turns);
    relay.send({ command: "cancel", ...ANN });
    await held.finished;
    expect(held.stop.reason).toMatchObject({ code: "cancelled" });
  });
});

describe("voice in", () => {
  const voice = {
    command: "message",
    ...ANN,
    messageId: 3,
    codecHeader: { sampleRateHz: 16_000, framesPerPacket: 1, frameMs: 60 },
    durationMs: 60,
  } as const;

  it("is refused as a whole: once, with its audio dropped and counted", async () => {
    await startEchoing();
    const relay = await bench.connect();
    relay.send({ ...voice, requestId: "r-5" });
    const packet = { ...ANN, messageId: 3, payload: Uint8Array.of(1, 2, 3) };
    for (let packetId = 0; packetId < 3; packetId++) relay.sendBytes(encodeAudio({ ...packet, packetId }));
    relay.send({ command: "end_message", ...ANN, messageId: 3 });
    relay.send({ command: "keep_alive" });
    await relay.command("keep_alive");
    expect(relay.summary()).toEqual(["ai_message_error", "keep_alive"]);
    expect(relay.commands("ai_message_error")).toMatchObject([
      { code: "transcription_unavailable", requestId: "r-5" },
    ]);
    expect(bench.eventsOf("audio_dropped")).toHaveLength(3);
    expect(bench.chats.size).toBe(0);
  });

  it("is refused before that when its audio is not what is carried", async () => {
    await startEchoing();
    const relay = await bench.connect();
    const header = encodeCodecHeader({ sampleRateHz: 16_000, framesPerPacket: 1, frameMs: 60 });
    relay.sendJson(
      `{"command":"message","message_id":3,"codec":"speex","codec_header":"${header}","duration":60}`,
      HEADER,
    );
    expect(await relay.command("ai_message_error")).toMatchObject({ code: "unsupported_audio" });
  });
});

describe("what is asked for beside answers", () => {
  const request = {
    user: { network: ANN.network, username: ANN.username },
    features: ["kiosk"],
    groups: ["crew"],
    mode: "ai_onboarding",
    language: "es",
  };
  const { user: _, ...parameters } = request;

  it("is told, with the request id, and asked with all that the command says [LT-57] [LT-58]", async () => {
    await startEchoing();
    const relay = await bench.connect();
    bench.overview.questions = async () => ["How far?"];
    bench.overview.summary = async () => "In short: far.";
    relay.send({ command: "suggested_questions", ...ANN, ...parameters, requestId: "r-6" });
    expect(await relay.command("suggested_questions")).toMatchObject({
      questions: ["How far?"],
      requestId: "r-6",
    });
    relay.send({ command: "summarize", ...ANN, ...parameters, text: "Long.", requestId: "r-7" });
    expect(await relay.command("summary")).toMatchObject({ text: "In short: far.", requestId: "r-7" });
    expect(bench.overview.requests).toEqual([request, request]);
    expect(bench.overview.subjects).toEqual([{ type: "text", text: "Long." }]);
  });

  it("is refused in the words of the failure, and the connection lives on", async () => {
    await startEchoing();
    const relay = await bench.connect();
    bench.overview.summary = async () => {
      throw new TurnFailure("rate_limited", "Try again in 7 min.");
    };
    relay.send({ command: "summarize", ...ANN, document: "Lockout", requestId: "r-8" });
    expect(await relay.command("ai_message_error")).toMatchObject({
      code: "rate_limited",
      error: "Try again in 7 min.",
      requestId: "r-8",
    });
    expect(bench.overview.subjects).toEqual([{ type: "document", name: "Lockout" }]);
    expect(bench.events).toContainEqual(
      expect.objectContaining({ type: "command_refused", code: "rate_limited" }),
    );
    bench.overview.summary = async () => {
      throw new TypeError("a fault of ours");
    };
    relay.send({ command: "summarize", ...ANN, requestId: "r-9" });
    const { code, error } = await relay.command("ai_message_error", 1);
    expect(code).toBe("assistant_unavailable");
    expect(error).not.toContain("fault");
    expect(bench.overview.subjects.at(-1)).toEqual({ type: "chat", history: [] });
  });

  it("goes to where the user is when it is ready, and disturbs no answer", async () => {
    const turns = await startHeld();
    const [old, next] = [await bench.connect(), await bench.connect()];
    old.send({ command: "ai_message", ...ANN, text: "Go on.", responseType: "audio" });
    const held = await turn(turns);
    let ready: (text: string) => void = () => {};
    bench.overview.summary = () =>
      new Promise((resolve) => {
        ready = resolve;
      });
    old.send({ command: "summarize", ...ANN, requestId: "r-11" });
    await bench.event("command_received", 1);
    next.send({ command: "get_chat", ...ANN });
    await next.command("chat");
    ready("In short.");
    expect(await next.command("summary")).toMatchObject({ text: "In short.", requestId: "r-11" });
    expect(old.commands("summary")).toEqual([]);
    expect(held.stop.aborted).toBe(false);
  });
});

describe("a bad command", () => {
  const cases: readonly [what: string, payload: string, header: string, expected: object][] = [
    ["no JSON", "{", HEADER, { code: "bad_json" }],
    ["JSON that is no object", "[1]", HEADER, { code: "bad_json" }],
    ["no command", "{}", HEADER, { code: "missing_parameter" }],
    ["an unknown command", `{"command":"dance","request_id":"r-7"}`, HEADER, { code: "unknown_command" }],
    ["a command of ours", `{"command":"text_message","text":"x"}`, HEADER, { code: "unknown_command" }],
    ["a missing parameter", `{"command":"ai_message"}`, HEADER, { code: "missing_parameter" }],
    ["a parameter of a wrong type", `{"command":"ai_message","text":5}`, HEADER, { code: "bad_parameter" }],
    ["no user", `{"command":"get_chat"}`, "", { code: "missing_parameter" }],
    [
      "another user in payload than in header",
      `{"command":"get_chat","username":"ben"}`,
      HEADER,
      { code: "identity_mismatch" },
    ],
  ];

  it.each(cases)(
    "is answered with its code: %s; the connection lives on",
    async (_, payload, header, expected) => {
      await startEchoing();
      const relay = await bench.connect();
      relay.sendJson(payload, header);
      expect(await relay.command("ai_message_error")).toMatchObject(expected);
      const route = header === "" ? {} : { ...ANN, connectionId: "c-1" };
      expect(relay.heard).toMatchObject([{ route }]);
      expect(bench.eventsOf("command_refused")).toMatchObject([expected]);
      relay.send({ command: "ai_message", ...ANN, text: "Still there?" });
      await relay.command("text_message");
    },
  );

  it("echoes a request id that is good", async () => {
    await startEchoing();
    const relay = await bench.connect();
    relay.sendJson(`{"command":"dance","request_id":"r-7"}`, HEADER);
    expect(await relay.command("ai_message_error")).toMatchObject({ requestId: "r-7" });
  });
});

describe("a user who shows up on another relay", () => {
  /** Ann is being spoken to over the first relay: three packets are there. */
  async function speakingAt(relay: ScriptedRelay, turns: readonly HeldTurn[]): Promise<HeldTurn> {
    relay.send({ command: "ai_message", ...ANN, text: "Go on.", responseType: "audio" });
    const held = await turn(turns);
    held.speak(7, 0, 2);
    await relay.until((heard) => (heard.length === 4 ? heard : undefined));
    return held;
  }

  const ways: readonly [what: string, show: (relay: ScriptedRelay) => void][] = [
    ["with a question", (relay) => relay.send({ command: "ai_message", ...ANN, text: "And then?" })],
    ["with get_chat", (relay) => relay.send({ command: "get_chat", ...ANN })],
    [
      "with a refused voice message's audio",
      (relay) =>
        relay.sendBytes(encodeAudio({ ...ANN, messageId: 1, packetId: 0, payload: Uint8Array.of(1) })),
    ],
    ["with a summary", (relay) => relay.send({ command: "summarize", ...ANN })],
  ];

  it.each(ways)("takes the answer along %s [LT-91]", async (_what, show) => {
    const turns = await startHeld();
    const [old, next] = [await bench.connect(), await bench.connect()];
    const held = await speakingAt(old, turns);
    show(next);
    expect(await next.command("message")).toMatchObject({ messageId: 7, firstPacketId: 3 });
    expect(await old.command("end_message")).toMatchObject({ ending: "moved", durationMs: 60 });
    held.speak(7, 3, 4);
    held.end(7, 5);
    await next.command("transcription");
    const packets = next.summary().filter((word) => word.startsWith("7."));
    expect(packets).toEqual(["7.3", "7.4"]);
    expect(old.summary()).toEqual(["message", "7.0", "7.1", "7.2", "end_message"]);
    expect(bench.eventsOf("answer_moved")).toMatchObject([{ mid: 7, firstPid: 3 }]);
  });

  const nothings: readonly [what: string, show: (relay: ScriptedRelay) => void][] = [
    ["a keep_alive in their name", (relay) => relay.sendJson(`{"command":"keep_alive"}`, HEADER)],
    ["a hello", (relay) => relay.sendJson(`{"command":"hello"}`, HEADER)],
    ["a command that is refused", (relay) => relay.sendJson(`{"command":"ai_message"}`, HEADER)],
    ["a mismatch", (relay) => relay.sendJson(`{"command":"get_chat","username":"x"}`, HEADER)],
    ["somebody else", (relay) => relay.send({ command: "get_chat", ...ANN, network: "shop" })],
    ["a name in other letters", (relay) => relay.send({ command: "get_chat", ...ANN, username: "Ann" })],
  ];

  it.each(nothings)("is not there because of %s", async (_what, show) => {
    const turns = await startHeld();
    const [old, next] = [await bench.connect(), await bench.connect()];
    const held = await speakingAt(old, turns);
    show(next);
    next.send({ command: "keep_alive" });
    await next.command("keep_alive");
    held.speak(7, 3, 3);
    held.end(7, 4);
    await old.command("transcription");
    expect(next.commands("message")).toEqual([]);
    expect(bench.eventsOf("answer_moved")).toEqual([]);
  });

  it("is addressed with the connection id seen last", async () => {
    const turns = await startHeld();
    const relay = await bench.connect();
    const held = await speakingAt(relay, turns);
    relay.sendJson(`{"command":"get_chat"}`, "nw:plant\nun:ann\ncid:c-2\n");
    await relay.command("chat");
    held.end(7, 3);
    await relay.command("transcription");
    expect(relay.heard.at(-1)).toMatchObject({ route: { ...ANN, connectionId: "c-2" } });
  });

  it("gets the rest on a relay that comes within ten seconds of the old one's end", async () => {
    const turns = await startHeld();
    const old = await bench.connect();
    const held = await speakingAt(old, turns);
    await old.close();
    await bench.event("relay_disconnected");
    const rest = held.line.deliver(
      { type: "audio", mid: 7, pid: 3, packet: Uint8Array.of(3) },
      new AbortController().signal,
    );
    await bench.clock.advance(9_000);
    const next = await bench.connect();
    next.send({ command: "get_chat", ...ANN });
    expect(await rest).toBe("accepted");
    held.end(7, 4);
    await next.command("transcription");
    expect(next.summary().filter((word) => word !== "chat")).toEqual([
      "message",
      "7.3",
      "end_message",
      "transcription",
    ]);
  });
});

describe("a hello", () => {
  it("changes what the relay is given from then on; a bad one changes nothing", async () => {
    const turns = await startHeld();
    const relay = await bench.connect();
    relay.send({ command: "hello", audio: [{ sampleRateHz: 16_000, frameMs: 60 }] });
    relay.sendJson(`{"command":"hello","audio":[{"sample_rate":"48000","frame_ms":20}]}`);
    expect(await relay.command("ai_message_error")).toMatchObject({ code: "bad_parameter" });
    relay.send({ command: "ai_message", ...ANN, text: "Go on.", responseType: "audio" });
    const { line } = await turn(turns);
    expect(line.send({ type: "message", mid: 7, shape: SHAPE })).toBe("refused");
    const taken = { sampleRateHz: 16_000, packetMs: 60 };
    expect(line.send({ type: "message", mid: 8, shape: taken })).toBe("accepted");
    await relay.command("message");
  });
});
