/**
 * One user who presses, speaks, types, cancels, moves between relays and goes away, against real chats and real turns
 * on a virtual clock. What a model, a voice and a recogniser would do is part of the script, misbehaviour included.
 */
import assert from "node:assert/strict";
import { capabilities, capability } from "../../test/support/capabilities.js";
import { RecordedEvents } from "../../test/support/events.js";
import { assertWellFormed, FakeOutlet } from "../../test/support/fake-outlet.js";
import { ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { dripping, opusSample, ScriptedSpeech } from "../../test/support/fake-speech.js";
import { locales } from "../../test/support/locales.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import type { Draft } from "../capability/capability.js";
import type { Dialogue } from "../domain/dialogue.js";
import type { TurnFailure } from "../domain/failure.js";
import type { HeardRequest, HistoryEntry, TurnRequest } from "../domain/turn.js";
import type { Utterance } from "../domain/utterance.js";
import { NO_WORDS } from "../hearing/vocabularies.js";
import { sleep } from "../lib/clock.js";
import { abortable } from "../lib/deadline.js";
import { seededRandom } from "../lib/random.js";
import { routingOptions } from "../routing/options.js";
import type { RecognitionResult, SpeechToText } from "../speech/speech-to-text.js";
import { Acknowledgements } from "../turn/acknowledgement.js";
import { type Announcement, announce } from "../turn/announce.js";
import { listen } from "../turn/listen.js";
import type { OutletFrame, SendResult } from "../turn/outlet.js";
import { runTurn } from "../turn/run-turn.js";
import { VoiceBench } from "../turn/voice-bench.test-util.js";
import type { RunAnnouncement } from "./chat.js";
import { admissionOf, ROOMY } from "./limits.test-util.js";
import { Recording } from "./recording.js";
import { ChatRegistry } from "./registry.js";

export const ANN = { network: "plant", username: "ann" };
const SHAPE = { sampleRateHz: 16_000, packetMs: 60 };
const FOREVER = new AbortController().signal;
const SPEECH = opusSample(12);

/** What comes of a question: how its words are found out, how its answer is written. */
export interface Fate {
  readonly recogniser: "words" | "nothing" | "fails" | "deaf" | "early" | "hangs";
  readonly writer: "answers" | "fails" | "hangs" | "breaks_off";
  readonly afterMs: number;
}

/** A relay that looks, at each frame, whether anything may be said now. */
class WatchedRelay extends FakeOutlet {
  override acknowledges = true;

  constructor(
    readonly index: number,
    override announces: boolean,
    private readonly onSent: (frame: OutletFrame, relay: WatchedRelay) => void,
  ) {
    super();
  }

  override send(frame: OutletFrame): SendResult {
    const result = super.send(frame);
    if (result === "accepted") this.onSent(frame, this);
    return result;
  }
}

export class FloorBench {
  readonly clock = new VirtualClock();
  readonly events = new RecordedEvents();
  readonly chats: ChatRegistry;
  readonly relays: WatchedRelay[];
  readonly gone: WatchedRelay[] = [];
  /** Every question that a chat was given, in order. */
  readonly asked: string[] = [];
  /** What each turn gave its chat to remember. */
  readonly entries = new Map<string, readonly HistoryEntry[]>();
  readonly problems: string[] = [];
  /** Every announcement that a chat took, with what came of it. */
  readonly announcements = new Map<
    string,
    { readonly one: Announcement; over: number; remembered: string[] }
  >();
  /** What a recogniser makes of speech. */
  heardAs = "How do I tag it?";
  /** Which announcement a reply was. */
  readonly #announcedBy = new Map<number, string>();
  /** What is being answered, or announced. */
  #underWay: string | undefined;
  readonly #fates = new Map<string, Fate>();
  readonly #tts = new ScriptedSpeech();
  #holding: { readonly messageId: number; pid: number } | undefined;
  #count = 0;

  /** `announcing`: which relays take announcements, before they say otherwise. */
  constructor(
    turnsRunningMax = 2,
    private readonly announcing: readonly boolean[] = [true, false],
  ) {
    this.relays = [this.#newRelay(0), this.#newRelay(1)];
    this.#tts.otherwise = () => dripping(this.clock, SPEECH.ogg, 200, 40);
    const { clock, events: telemetry } = this;
    this.chats = new ChatRegistry(
      {
        ...{ clock, telemetry, random: seededRandom(7) },
        admission: admissionOf({ clock, telemetry }, { turnsRunningMax, turnsWaitingMax: 5 }),
        ...this.#runners(),
        listen: (request, stop) =>
          listen(
            request,
            {
              ...{ clock, telemetry, groups: { fromCommand: true, directories: [] } },
              recogniser: this.#recogniser(request.id),
              told: "titles_and_terms",
              vocabulary: async () => NO_WORDS,
            },
            stop,
          ),
      },
      { ...ROOMY, chatsMax: 10 },
    );
  }

  ask(relay: number, responseType: "text" | "audio", fate: Fate): void {
    const outlet = this.#seen(relay);
    this.chats.accept({ ...this.#context(responseType, fate), text: "How do I lock it?" }, outlet);
  }

  /** As `voiceMessage` does it. */
  press(relay: number, responseType: "text" | "audio", fate: Fate): void {
    const outlet = this.#seen(relay);
    const chat = this.chats.open(ANN, outlet);
    const context = this.#context(responseType, fate);
    const messageId = this.#count;
    const giveUp = (failure: TurnFailure) => chat.giveUp(messageId, failure);
    const recording = new Recording(SHAPE, this.clock, giveUp, this.chats.voices);
    this.#holding = { messageId, pid: 0 };
    chat.press({ ...context, messageId, utterance: recording }, recording);
  }

  /** `skip` packets are lost on the way. */
  speak(relay: number, count: number, skip: number): void {
    const holding = this.#holding;
    if (holding === undefined) return;
    this.#seen(relay);
    holding.pid += skip;
    for (let i = 0; i < count; i++) {
      const packet = SPEECH.packets[holding.pid % SPEECH.packets.length]!;
      this.chats.find(ANN)?.hear(holding.messageId, holding.pid++, packet);
    }
  }

  release(relay: number): void {
    this.#seen(relay);
    if (this.#holding !== undefined) this.chats.find(ANN)?.release(this.#holding.messageId);
  }

  cancel(relay: number): void {
    this.#seen(relay);
    this.chats.find(ANN)?.cancel();
  }

  /** The user is heard of, and asks for nothing. */
  look(relay: number): void {
    this.#seen(relay);
  }

  close(relay: number): void {
    this.#seen(relay);
    const chat = this.chats.find(ANN);
    if (chat !== undefined) void this.chats.close(chat, "closed");
  }

  withdraw(which: number): void {
    const turn = this.asked.at(-1 - which);
    if (turn !== undefined) this.chats.find(ANN)?.withdraw(turn);
  }

  slow(relay: number): void {
    this.relays[relay]!.slow();
  }

  drain(relay: number): void {
    this.relays[relay]!.drain();
  }

  /** The connection is lost; the relay connects anew. */
  lose(relay: number): void {
    this.relays[relay]!.close();
    this.gone.push(this.relays[relay]!);
    this.relays[relay] = this.#newRelay(relay);
  }

  /** The service has something to say by itself. */
  announce(subject: string, lifeMs: number, responseType: "text" | "audio", fate: Fate): void {
    this.#count += 1;
    const id = `a${this.#count}`;
    this.#fates.set(id, fate);
    const untilMs = this.clock.now() + lifeMs;
    const said = capability("phrase", (...job) => this.#capability(id)(...job));
    const context = { user: ANN, responseType, features: [], groups: [] };
    const one: Announcement = { id, subject, untilMs, capability: said, ...context };
    this.announcements.set(id, { one, over: 0, remembered: [] });
    if (this.chats.announce(one) === "no_chat") this.announcements.delete(id);
  }

  /** What becomes of a turn that a test puts to the chats by itself. */
  fateOf(turn: string, fate: Fate = { recogniser: "words", writer: "answers", afterMs: 0 }): void {
    this.#fates.set(turn, fate);
  }

  /** The relay says that it takes announcements. */
  greet(relay: number): void {
    const outlet = this.relays[relay]!;
    outlet.announces = true;
    this.chats.announces(outlet.link);
  }

  /** Everything comes to its end. */
  async finish(finishWithinMs: number): Promise<void> {
    await settle();
    for (const relay of this.relays) relay.drain();
    this.#seen(0);
    const done = this.chats.shutdown(finishWithinMs);
    await this.clock.advance(60_000);
    await done;
    for (const relay of this.relays) relay.drain();
  }

  /** What is wrong with all that was said. */
  verdict(): readonly string[] {
    const all = [...this.gone, ...this.relays];
    for (const relay of this.gone) assertWellFormed(relay.handed, { complete: false });
    for (const relay of this.relays) assertWellFormed(relay.handed);
    const frames = all.flatMap(({ handed }) => handed);
    return [
      ...this.problems,
      ...packetProblems(frames),
      ...this.asked.flatMap((turn) => this.#problemsOf(turn, frames)),
      ...[...this.announcements.keys()].flatMap((id) => this.#problemsOfAnnouncement(id, frames)),
      ...(this.clock.pending === 0 ? [] : [`${this.clock.pending} timers are left`]),
    ];
  }

  #problemsOf(turn: string, frames: readonly OutletFrame[]): string[] {
    const ends = this.events.all.filter(
      (event) => (event.type === "turn_finished" || event.type === "turn_dropped") && event.turn === turn,
    );
    const outcomes = frames.filter(
      (frame) => frame.requestId === turn && ["text_message", "transcription", "error"].includes(frame.type),
    );
    const lines = this.entries.get(turn) ?? [];
    const remembered = lines.find(({ role }) => role === "assistant")?.text;
    const told = outcomes.find(({ type }) => type !== "error");
    const heard = told !== undefined && "text" in told ? told.text : undefined;
    const lossless = this.gone.length === 0;
    return [
      ...(ends.length === 1 ? [] : [`${turn} ended ${ends.length} times`]),
      ...(outcomes.length > 1 || (lossless && outcomes.length === 0)
        ? [`${turn} has ${outcomes.length} outcomes`]
        : []),
      // That nothing could be made out is not worth remembering.
      ...(!lossless || lines.length === 0 || (remembered ?? "") === (heard ?? "")
        ? []
        : [`${turn}: "${heard}" was heard, "${remembered}" is remembered`]),
    ];
  }

  /** Each ends once: it was heard, could not be said, or was dropped; and is remembered as it was heard. */
  #problemsOfAnnouncement(id: string, frames: readonly OutletFrame[]): string[] {
    const { over, remembered } = this.announcements.get(id)!;
    const dropped = this.events.of("announcement_dropped").filter(({ turn }) => turn === id).length;
    const heard = frames.flatMap((frame) => {
      const isWords = frame.type === "text_message" || frame.type === "transcription";
      return isWords && frame.text !== "" && this.#announcedBy.get(frame.mid) === id ? [frame.text] : [];
    });
    const lossless = this.gone.length === 0;
    return [
      ...(over + dropped === 1 ? [] : [`${id} ended ${over + dropped} times`]),
      ...(remembered.length <= 1 ? [] : [`${id} was said ${remembered.length} times`]),
      ...(!lossless || heard.join() === remembered.join()
        ? []
        : [`${id}: "${heard}" was heard, "${remembered}" is remembered`]),
    ];
  }

  #seen(relay: number): WatchedRelay {
    const outlet = this.relays[relay]!;
    this.chats.seen(ANN, outlet);
    return outlet;
  }

  #context(responseType: "text" | "audio", fate: Fate): Omit<TurnRequest, "text"> {
    this.#count += 1;
    const id = `q${this.#count}`;
    this.asked.push(id);
    this.#fates.set(id, fate);
    return { id, requestId: id, user: ANN, responseType, features: [], groups: [] };
  }

  #newRelay(index: number): WatchedRelay {
    return new WatchedRelay(index, this.announcing[index]!, (frame, relay) => {
      this.#watchAnnouncement(frame, relay);
      const held = this.#holding !== undefined && this.chats.find(ANN)?.isSpeaking(this.#holding.messageId);
      // One that is stopped on its way to another relay is opened there for its end alone.
      const opens = frame.type === "message" && frame.firstPid === undefined;
      if (held === true && (opens || frame.type === "audio" || frame.type === "text_message"))
        this.problems.push(`${frame.type} of ${frame.requestId} while the button is held`);
    });
  }

  #watchAnnouncement(frame: OutletFrame, relay: WatchedRelay): void {
    const isFirst = "kind" in frame && frame.kind === "announcement" && !this.#announcedBy.has(frame.mid);
    const isMoved = frame.type === "message" && frame.kind === "announcement" && frame.firstPid !== undefined;
    if (isMoved && !relay.announces) this.problems.push(`an announcement went on at relay ${relay.index}`);
    if (!isFirst) return;
    const id = this.#underWay;
    const announced = this.announcements.get(id ?? "");
    if (id === undefined || announced === undefined) {
      this.problems.push(`an announcement while ${id} is answered`);
      return;
    }
    this.#announcedBy.set(frame.mid, id);
    if (this.clock.now() > announced.one.untilMs) this.problems.push(`${id} was begun after its time`);
    if (!relay.announces && !this.asked.some((turn) => !this.#ended(turn)))
      this.problems.push(`${id} was said unasked on relay ${relay.index}`);
  }

  #ended(turn: string): boolean {
    const ends = [...this.events.of("turn_finished"), ...this.events.of("turn_dropped")];
    return ends.some((event) => event.turn === turn);
  }

  #recogniser(turn: string): SpeechToText {
    const { afterMs, recogniser } = this.#fates.get(turn)!;
    return {
      name: "scripted",
      warm: async () => {},
      close: async () => {},
      recognise: async (utterance: Utterance, _, signal): Promise<RecognitionResult> => {
        if (recogniser === "early") return { type: "words", text: "an early guess" };
        let packets = 0;
        for await (const _packet of utterance.packets()) packets += 1;
        // One that is deaf to being stopped answers all the same.
        await sleep(this.clock, afterMs, recogniser === "deaf" ? FOREVER : signal);
        if (recogniser === "fails") throw new Error("the recogniser broke");
        if (recogniser === "hangs") return abortable(new Promise<never>(() => {}), signal);
        if (recogniser === "nothing" || packets === 0) return { type: "nothing", reason: "silent" };
        return { type: "words", text: this.heardAs };
      },
    };
  }

  #capability(turn: string): Draft {
    const { afterMs, writer } = this.#fates.get(turn)!;
    const { clock } = this;
    const subject = this.announcements.get(turn)?.one.subject;
    return async function* (_, signal) {
      await sleep(clock, afterMs, signal);
      if (writer === "fails") throw new Error("the writer broke");
      if (subject !== undefined) yield { type: "phrase", text: `The ${subject} is over.` };
      yield { type: "phrase", text: "Lock the main breaker." };
      await sleep(clock, 200, signal);
      if (writer === "hangs") await new Promise<never>(() => {});
      if (writer === "breaks_off") throw new Error("the writer broke");
      yield { type: "phrase", text: "Then hang your own tag on it." };
      yield { type: "end", searched: "found", degraded: false, outcome: "answered" };
    };
  }

  #runners() {
    const { clock, events: telemetry } = this;
    let mid = 0;
    const nextMid = () => {
      mid += 1;
      return mid;
    };
    const [route] = routingOptions.parse({}).routes;
    const decision = { route: "knowledge", layer: "default", confidence: 1 } as const;
    const routed = { type: "route", decision, route: route!, usesContext: false } as const;
    const common = {
      ...{ clock, telemetry, nextMid, locales, tts: this.#tts, retrieval: new ScriptedRetrieval() },
      groups: { fromCommand: true, directories: [] },
      router: { fallback: route!, route: async () => routed },
      acknowledger: impatient(clock, telemetry, this.#tts, nextMid),
    };
    const runAnnouncement: RunAnnouncement = async (one, dialogue, line, stop) => {
      const deps = { ...common, capabilities: capabilities(() => one.capability.draft) };
      const said = await this.#alone(one.id, () => announce(one, dialogue, line, deps, stop));
      const told = this.announcements.get(one.id)!;
      const known = new Set(dialogue.history);
      told.over += Number(said.isOver);
      told.remembered.push(
        ...said.dialogue.history.filter((line) => !known.has(line)).map(({ text }) => text),
      );
      return said;
    };
    const answer = async (
      asked: TurnRequest | HeardRequest,
      dialogue: Dialogue,
      ...rest: readonly [Parameters<typeof runTurn>[2], AbortSignal, number]
    ): Promise<Dialogue> => {
      const ask = this.#capability(asked.id);
      const [line, stop, receivedMs] = rest;
      const after = await this.#alone(asked.id, () =>
        runTurn(
          asked,
          dialogue,
          line,
          { ...common, capabilities: capabilities(() => ask), earlyClause: true },
          stop,
          receivedMs,
        ),
      );
      assert(!this.entries.has(asked.id), `${asked.id} ran twice`);
      const known = new Set(dialogue.history);
      this.entries.set(
        asked.id,
        after.history.filter((line) => !known.has(line)),
      );
      return after;
    };
    return { runTurn: answer, announce: runAnnouncement };
  }

  /** Nothing else is answered or announced meanwhile. */
  async #alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (this.#underWay !== undefined) this.problems.push(`${id} began while ${this.#underWay} was under way`);
    this.#underWay = id;
    try {
      return await work();
    } finally {
      this.#underWay = undefined;
    }
  }
}

/** Gives a sign before every answer that takes longer than the grace. */
function impatient(
  clock: VirtualClock,
  telemetry: RecordedEvents,
  tts: ScriptedSpeech,
  nextMid: () => number,
): Acknowledgements {
  const deps = { clock, telemetry, tts, nextMid, random: seededRandom(1), locales };
  const acknowledgements = new Acknowledgements(deps, { sign: "tone", thresholdMs: 0 });
  const { job } = new VoiceBench();
  for (let i = 0; i < 8; i++) void acknowledgements.begin(job).giveWay("packet");
  return acknowledgements;
}

/** The packets of each reply are 0, 1, 2 …, each once, whichever relay they went to. */
function packetProblems(frames: readonly OutletFrame[]): string[] {
  const byMid = new Map<number, number[]>();
  for (const frame of frames)
    if (frame.type === "audio") byMid.set(frame.mid, [...(byMid.get(frame.mid) ?? []), frame.pid]);
  return [...byMid].flatMap(([mid, pids]) => {
    const sorted = [...pids].sort((a, b) => a - b);
    return sorted.every((pid, at) => pid === at) ? [] : [`the packets of ${mid} are ${pids.join(" ")}`];
  });
}
