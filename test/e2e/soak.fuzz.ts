/**
 * Many users, few relays, a model and a voice that fail now and then, relays that vanish: whatever happens, every
 * accepted question ends exactly once, no packet is lost, repeated, reordered or heard by somebody else, and what a
 * relay hears of a message is always whole. The seed repeats what everybody does, if not how it falls together:
 * `SOAK_SEED=7 SOAK_STEPS=5000 npx vitest run test/e2e/soak.fuzz.ts --testTimeout=0`.
 */
import { expect, test } from "vitest";
import { xorshift32 } from "../../protocol/src/naive.test-util.js";
import { oggOpus } from "../support/naive-ogg.js";
import {
  type ChatReply,
  cutReply,
  errorReply,
  type SpeechReply,
  searchReply,
  textReply,
} from "../support/openai-replies.js";
import type { ChatBody, SpeechBody } from "../support/openai-requests.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { type Frame, summary, type TestRelay } from "./relay.js";
import { inPieces, lastContent } from "./script.js";
import { World } from "./world.js";

const SEED = Number(process.env.SOAK_SEED ?? 20_261_121);
const STEPS = Number(process.env.SOAK_STEPS ?? 250);
const USERS = ["ann", "bob", "cid", "dee", "eve", "fay"];
const RELAYS = 3;
const NETWORK = "acme";
const MS_PER_STEP_MAX = 50;
const PADDING_CHARS = 200_000;
const CHOKING_FRAMES = 40;

type Pick = (below: number) => number;

/** What each user has a document of: it names them in every sentence, and they alone may read it. */
const THINGS = ["tag is red", "key is blue", "lamp is green"];
const saysFor = (name: string, thing: string) => `For ${name} the ${thing}.`;
const thingsOf = (name: string) =>
  `---\ntitle: Things\nallowed_users: [${name}]\n---\n# Things\n\n${THINGS.map((thing) => saysFor(name, thing)).join(" ")}\n`;

/** A model that says for whom it answers. */
function chatty(pick: Pick, body: ChatBody): ChatReply {
  if (pick(12) === 0) return pick(2) === 0 ? errorReply(500) : cutReply;
  if (body.tool_choice === "required") return searchReply("tag key lamp");
  const name = /for (\w+), question/.exec(lastContent(body, "user"))?.[1] ?? "";
  const sentences = THINGS.slice(0, 1 + pick(3)).map((thing) => saysFor(name, thing));
  return textReply(sentences.join(" "), { ending: pick(10) === 0 ? "cut" : "complete" });
}

/** A voice whose packets spell what they say: an Opus TOC of 20 ms mono, then the text and the packet's number. */
function spelling(pick: Pick, { input }: SpeechBody): SpeechReply {
  if (pick(14) === 0) return errorReply(500);
  const audio = Array.from({ length: 1 + pick(12) }, (_, n) =>
    Buffer.concat([Buffer.of(0xf8), Buffer.from(`${n}|${input}`)]),
  );
  const body = Buffer.from(oggOpus(audio, { packetsPerPage: 1 + pick(3) }));
  const pieces = [body.subarray(0, body.length / 2), body.subarray(body.length / 2)];
  return inPieces(pieces, { ending: pick(14) === 0 ? "cut" : "complete" });
}

/** What relays do now and then: nothing bad, vanish, or stop reading for a while under a flood. */
type Trouble = "none" | "vanish" | "choke";

/** What users do, and on which relay each was last seen. */
class Crowd {
  readonly everyRelay: TestRelay[] = [];
  readonly #relays: TestRelay[] = [];
  readonly #place = new Map<string, number>(USERS.map((name) => [name, 0]));
  asked = 0;

  constructor(
    private readonly world: World,
    private readonly pick: Pick,
    private readonly trouble: Trouble,
  ) {}

  async fill(): Promise<void> {
    for (let n = 0; n < RELAYS; n++) {
      if (this.#relays[n] !== undefined && !this.#relays[n]!.isClosed) continue;
      this.#relays[n] = await this.world.relay();
      this.everyRelay.push(this.#relays[n]!);
    }
  }

  step(): void {
    const { pick } = this;
    const name = USERS[pick(USERS.length)]!;
    if (pick(6) === 0) this.#place.set(name, pick(RELAYS));
    const relay = this.#relays[this.#place.get(name)!]!;
    const user = relay.user(NETWORK, name);
    const action = pick(100);
    if (action < 55) {
      this.asked += 1;
      const text = `Where do I find the things for ${name}, question ${this.asked}?`;
      user.ask(text, {
        response_type: pick(3) === 0 ? "text" : "audio",
        request_id: `${name}-${this.asked}`,
      });
    } else if (action < 68) user.send("cancel");
    else if (action < 72) user.send("close_chat");
    else if (action < 86) user.send("get_chat");
    else if (action < 94) relay.send({ command: "keep_alive" });
    else if (action < 96) user.send("ai_message", { text: "" });
    else this.#misbehave(relay);
  }

  #misbehave(relay: TestRelay): void {
    if (this.trouble === "vanish") {
      if (this.pick(3) === 0) relay.sendRaw("garbage\n");
      else relay.destroy();
    } else if (this.trouble === "choke") {
      if (this.pick(2) === 0) this.resume();
      else this.#choke(relay);
    }
  }

  #choke(relay: TestRelay): void {
    relay.pause();
    const padding = "x".repeat(PADDING_CHARS);
    for (let sent = 0; sent < CHOKING_FRAMES; sent++) relay.send({ command: "keep_alive", padding });
  }

  resume(): void {
    for (const relay of this.#relays) relay.resume();
  }

  /** Everybody shows up once more, on a relay that lives. */
  gather(): void {
    for (const name of USERS) this.#relays[0]!.user(NETWORK, name).send("get_chat");
  }

  async flushed(): Promise<void> {
    await Promise.all(this.#relays.map((relay) => relay.flushed()));
  }
}

test.each([
  { name: "relays that live", trouble: "none" },
  { name: "relays that vanish", trouble: "vanish" },
  { name: "relays that choke", trouble: "choke" },
] as const)(`holds with $name for seed ${SEED}`, async ({ trouble }) => {
  const next = xorshift32(SEED);
  const pick = (below: number) => next() % below;
  const clock = new VirtualClock();
  const world = await World.start({
    documents: { [NETWORK]: Object.fromEntries(USERS.map((name) => [`${name}.md`, thingsOf(name)])) },
    clock,
    config: { "llm.attempts_max": 2, "relay.idle_timeout_ms": 86_400_000 },
    respond: { chat: ({ body }) => chatty(pick, body), speech: ({ body }) => spelling(pick, body) },
  });
  const crowd = new Crowd(world, pick, trouble);
  for (let step = 0; step < STEPS; step++) {
    await crowd.fill();
    crowd.step();
    await clock.advance(pick(MS_PER_STEP_MAX));
  }
  crowd.resume();
  await world.metricBecomes("readback_outbox_bytes", (bytes) => bytes === 0);
  await crowd.fill();
  crowd.gather();
  while (!isOver(world)) await clock.advance(MS_PER_STEP_MAX);
  await crowd.flushed();
  expect(world.eventsOf("service_fault")).toEqual([]);
  checkTurns(world);
  const heard = crowd.everyRelay.flatMap(({ frames }) => frames);
  const messages = checkMessages(crowd.everyRelay);
  const ends = checkOutcomes(heard);
  if (trouble !== "vanish") {
    // Then no packet was lost on the way either.
    for (const { pids, packets } of messages)
      expect(pids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: packets }, (_, pid) => pid));
  }
  if (trouble === "none") expect(ends).toBe(crowd.asked);
  expect(world.eventsOf("turn_finished").length).toBeGreaterThan(STEPS / 10);
});

/** Whether every accepted question has ended. */
function isOver(world: World): boolean {
  const over = world.eventsOf("turn_finished").length + world.eventsOf("turn_dropped").length;
  return over >= world.eventsOf("turn_accepted").length;
}

/** Every accepted question ended exactly once. */
function checkTurns(world: World): void {
  const accepted = world.eventsOf("turn_accepted").map(({ turn }) => turn);
  const over = [...world.eventsOf("turn_finished"), ...world.eventsOf("turn_dropped")].map(
    ({ turn }) => turn,
  );
  expect([...over].sort()).toEqual([...accepted].sort());
}

/** No question is answered twice, and each frame says whom it is for. Returns how many questions were answered. */
function checkOutcomes(heard: readonly Frame[]): number {
  const last = ["text_message", "transcription", "ai_message_error"];
  const ends = new Map<string, number>();
  for (const { un, nw, json } of heard) {
    const id = json?.request_id;
    if (typeof id !== "string") continue;
    expect([nw, un]).toEqual([NETWORK, id.split("-")[0]]);
    if (last.includes(String(json?.command))) ends.set(id, (ends.get(id) ?? 0) + 1);
    // On a busy machine the clock of the test may pass the time of a search that takes no time.
    if (json?.text !== undefined && !/^$|^I can't (reach|search)/.test(String(json.text)))
      expect(json.text).toContain(`For ${un} `);
  }
  expect([...ends].filter(([, count]) => count > 1)).toEqual([]);
  return ends.size;
}

interface Message {
  readonly pids: number[];
  /** As the last `end_message` has it. */
  packets: number;
}

/** Each relay hears whole stretches of a message, and all of them together hear each packet once. Returns them all. */
function checkMessages(relays: readonly TestRelay[]): readonly Message[] {
  const everywhere = new Map<number, Message>();
  for (const { frames } of relays) {
    const open = new Map<string, { readonly mid: number; next: number }>();
    for (const frame of frames) {
      const { un = "", json, mid, pid, packet } = frame;
      const context = () => summary(frames.filter((other) => other.un === un)).join("\n");
      if (json?.command === "message") {
        expect(open.has(un), context()).toBe(false);
        const id = json.message_id as number;
        open.set(un, { mid: id, next: (json.first_pid as number | undefined) ?? 0 });
        if (!everywhere.has(id)) everywhere.set(id, { pids: [], packets: 0 });
      } else if (packet !== undefined) {
        const message = open.get(un);
        expect([mid, pid], context()).toEqual([message?.mid, message?.next]);
        message!.next += 1;
        expect(String(packet.subarray(1)), context()).toMatch(
          new RegExp(`^\\d+\\|(.*For ${un} |I can't|Please ask again|Things|The rest|Do not)`),
        );
        everywhere.get(mid!)!.pids.push(pid!);
      } else if (json?.command === "end_message") {
        const message = open.get(un);
        expect([json.message_id, json.duration_ms], context()).toEqual([message?.mid, message!.next * 20]);
        const whole = everywhere.get(message!.mid)!;
        whole.packets = Math.max(whole.packets, message!.next);
        open.delete(un);
      }
    }
  }
  for (const [mid, { pids }] of everywhere)
    expect(new Set(pids).size, `packets of ${mid}: ${pids}`).toBe(pids.length);
  return [...everywhere.values()];
}
