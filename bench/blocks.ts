/**
 * The longest that a single request holds up the event loop, door by door: ordinary questions, and texts of forty
 * pathological families, in one piece and in sentences, each as long as the door takes it, one request at a time and
 * nothing beside it, in processor time of the loop's thread. Without a model: what a model takes is time of another
 * machine. In one run:
 *
 *     node dist/bench/blocks.js
 */
import { pathToFileURL } from "node:url";
import type { Ports } from "../src/compose/doors.js";
import { FAMILIES, type Family } from "../test/support/families.js";
import { DOORS, type Door } from "./support/block-doors.js";
import { Child } from "./support/child.js";
import { withKnowledge } from "./support/knowledge.js";
import type { ServiceCalls } from "./support/service.child.js";
import { SERVICE_FLAGS } from "./support/stage.js";
import { summarize, verdict } from "./support/stats.js";

const AIM_MS = 50;
/** Rounds of ordinary requests before anything is measured. */
const WARM_UP_ROUNDS = 10;
/** The longest of a door are played again: what does not come back was the machine's. */
const AGAIN = 3;
const AGAIN_TIMES = 2;
/** So much shorter each time, so that nothing is known already, in UTF-16 units. */
const SHORTER_CHARS = 6;
const DOCUMENT_CHARS = 8_000;

/** Of sentences that are short enough to be looked at, in UTF-16 units. */
const SENTENCE_CHARS = 250;
const TEXTS: readonly Family[] = FAMILIES.flatMap((family) => [family, inSentences(family)]);

const OFFLINE = { "llm.base_url": undefined, "llm.api_key": undefined, "speech.provider": "offline" };

interface Played {
  readonly family: Family;
  readonly blockMs: number;
  readonly tookMs: number;
}

export async function run(): Promise<void> {
  console.log(
    `The longest block of the event loop under a single request, of ${TEXTS.length} a door; aim: under ${AIM_MS} ms\n`,
  );
  console.log(
    `  ${"door".padEnd(32)}${"p50".padStart(8)}${"p99".padStart(8)}${"longest".padStart(9)}   of, in all`,
  );
  await withKnowledge(measure, Object.fromEntries(TEXTS.map(register)));
}

/** The same as sentences, no two of them alike. */
function inSentences({ name, text }: Family): Family {
  const sentences = (chars: number) =>
    Array.from(
      { length: Math.ceil(chars / SENTENCE_CHARS) },
      (_, i) => `Pump ${i} has ${text(SENTENCE_CHARS - 20)} here. `,
    );
  return { name: `sentences of ${name}`, text: (chars) => sentences(chars).join("").slice(0, chars) };
}

/** A document with a hostile text in it. */
function register({ name, text }: Family, index: number): readonly [string, string] {
  const body = `# Register ${index}\n\nThe register of ${name} hangs beside pump 7. ${text(DOCUMENT_CHARS)}\n`;
  return [`register-${index}.md`, body];
}

async function measure(dataDir: string): Promise<void> {
  const service = new Child<ServiceCalls>("service.child", { execArgv: SERVICE_FLAGS, stderr: "pipe" });
  try {
    const ports = await service.call("start", { dataDir, baseUrl: "", settings: OFFLINE });
    const player = new Player(service, ports);
    const [written, spoken] = DOORS as readonly [Door, Door];
    for (let round = 0; round < WARM_UP_ROUNDS; round++)
      for (const door of [written, spoken]) await player.play(door, FAMILIES[0]!);
    for (const door of DOORS) report(door, await player.playAll(door));
  } finally {
    await service.stop();
  }
}

class Player {
  #users = 0;

  constructor(
    private readonly service: Child<ServiceCalls>,
    private readonly ports: Ports,
  ) {}

  async playAll(door: Door): Promise<readonly Played[]> {
    const all: Played[] = [];
    for (const family of TEXTS) all.push(await this.play(door, family));
    all.sort((a, b) => b.blockMs - a.blockMs);
    for (let i = 0; i < AGAIN; i++)
      for (let time = 1; time <= AGAIN_TIMES; time++) {
        const played = await this.play(door, all[i]!.family, SHORTER_CHARS * time);
        if (played.blockMs < all[i]!.blockMs) all[i] = played;
      }
    return all.sort((a, b) => b.blockMs - a.blockMs);
  }

  /** One request with a text of the family, `shorter` characters shorter than the door takes it. */
  async play(door: Door, family: Family, shorter = 0): Promise<Played> {
    this.#users += 1;
    await this.service.call("longestBlock", undefined);
    const startMs = performance.now();
    await door.send((chars) => wellFormed(family.text(chars - shorter)), this.ports, `user-${this.#users}`);
    const tookMs = performance.now() - startMs;
    return { family, tookMs, blockMs: await this.service.call("longestBlock", undefined) };
  }
}

/** Half a character is refused at each door: it becomes a whole one. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function report({ name }: Door, played: readonly Played[]): void {
  const { p50, p99, max } = summarize(played.map(({ blockMs }) => blockMs));
  const { family, tookMs } = played[0]!;
  const numbers = [p50, p99].map((ms) => ms.toFixed(1).padStart(8)).join("");
  console.log(
    `  ${name.padEnd(32)}${numbers}${max.toFixed(1).padStart(9)}   ${family.name}, ${tookMs.toFixed(0)} ms   ` +
      `aim ${verdict(max, AIM_MS)}`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await run();
