/**
 * 60 attacks and 60 harmless texts in six languages, which somebody wrote who had not seen the scanners, through the
 * local server. No model runs here: the server is told which texts are attacks. What is measured is what leaves as
 * what: that no piece of a text escapes, that the local scanners raise no false alarm, and the time that it takes.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { ForeignText } from "../../src/domain/foreign-text.js";
import { LlmGuard } from "../../src/guard/llm-guard.js";
import { localRefusal } from "../../src/guard/local-scanners.js";
import { guardOptions } from "../../src/guard/options.js";
import { TextGuard } from "../../src/guard/text-guard.js";
import { systemClock } from "../../src/lib/clock.js";
import { RecordedEvents } from "../support/events.js";
import { GUARD_TOKEN, LlmGuardServer } from "../support/llm-guard-server.js";
import { patience } from "../support/patience.js";

interface Row {
  readonly id: string;
  readonly language: string;
  readonly kind: "injection" | "harmless";
  readonly what: "attached" | Exclude<ForeignText["what"], "attached_text">;
  readonly text: string;
}

const rows = readFileSync(new URL("texts.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);
const attacks = rows.filter(({ kind }) => kind === "injection");
const harmless = rows.filter(({ kind }) => kind === "harmless");
const languages = [...new Set(rows.map(({ language }) => language))];

/** Characters of harmless text before and behind an attack. */
const AROUND_CHARS = 700;

const whatOf = ({ what }: Row) => (what === "attached" ? "attached_text" : what);

/** The text between harmless ones of its language. */
function buried({ language, text }: Row): string {
  const filler = harmless
    .filter((row) => row.language === language && row.text !== text)
    .map((row) => row.text);
  const around = filler.join(" ").repeat(3).slice(0, AROUND_CHARS);
  return `${around}\n${text}\n${around}`;
}

/** A guard at a server that knows the attacks. */
async function guardAt(chunkChars: number) {
  const server = await LlmGuardServer.start(attacks.map(({ text }) => text));
  const settings = { url: server.url, token: GUARD_TOKEN, timeout_ms: patience(20_000) };
  const { url, token, timeout_ms: timeoutMs, endpoint, fail, threshold } = guardOptions.parse(settings);
  const options = { url: url!, token: token!, timeoutMs, endpoint, fail, threshold, chunkChars };
  const events = new RecordedEvents();
  const guard = new TextGuard(options, systemClock, events, new LlmGuard(systemClock, options));
  const { signal } = new AbortController();
  const refuses = async (what: ForeignText["what"], text: string) =>
    (await guard.scan({ what, text }, "model", signal)) !== undefined;
  return { server, events, refuses };
}

async function refused(from: readonly Row[], textOf: (row: Row) => string, chunkChars: number) {
  const { events, refuses, server } = await guardAt(chunkChars);
  const found: Row[] = [];
  for (const row of from) if (await refuses(whatOf(row), textOf(row))) found.push(row);
  await server.close();
  return {
    found,
    ms: events
      .of("guard_scanned")
      .map(({ ms }) => ms)
      .sort((a, b) => a - b),
  };
}

const part = (sorted: readonly number[], share: number) =>
  (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);

it("is the list that was fixed before the first run", () => {
  expect(attacks).toHaveLength(60);
  expect(harmless).toHaveLength(60);
  expect(languages.sort()).toEqual(["de", "en", "es", "fr", "pl", "uk"]);
});

describe("the local scanners", () => {
  it("raise no false alarm", () => {
    const alarms = harmless.filter(({ text }) => localRefusal(text) !== undefined);
    expect(alarms.map(({ id }) => id)).toEqual([]);
  });
});

describe("texts through the server", () => {
  type Refused = Awaited<ReturnType<typeof refused>>;
  let alone: Refused;
  let inLong: Refused;
  let whole: Refused;
  let good: Refused;
  let goodInLong: Refused;
  beforeAll(async () => {
    const plain = ({ text }: Row) => text;
    alone = await refused(attacks, plain, 256);
    inLong = await refused(attacks, buried, 256);
    whole = await refused(attacks, buried, 4_096);
    good = await refused(harmless, plain, 256);
    goodInLong = await refused(harmless, buried, 256);
    const local = attacks.filter(({ text }) => localRefusal(text) !== undefined);
    const count = (found: readonly Row[], language: string) =>
      found.filter((row) => row.language === language).length;
    console.table(
      Object.fromEntries(
        [...languages, "all"].map((language) => {
          const of = (found: readonly Row[]) => (language === "all" ? found.length : count(found, language));
          return [
            language,
            {
              attacks: of(attacks),
              "by local scanners": of(local),
              "by the guard": of(alone.found),
              "in a long text": of(inLong.found),
              "the same in one piece": of(whole.found),
              harmless: of(harmless),
              "refused by mistake": of(good.found),
              "of long ones": of(goodInLong.found),
            },
          ];
        }),
      ),
    );
    const times = { short: [...alone.ms, ...good.ms], long: [...inLong.ms, ...goodInLong.ms] };
    for (const [name, ms] of Object.entries(times)) {
      ms.sort((a, b) => a - b);
      console.log(
        `added by a ${name} text: p50 ${part(ms, 0.5)} ms, p95 ${part(ms, 0.95)} ms, without a model`,
      );
    }
  });

  it("are refused where they are attacks, wherever they stand", () => {
    expect(attacks.filter((row) => !alone.found.includes(row)).map(({ id }) => id)).toEqual([]);
    expect(attacks.filter((row) => !inLong.found.includes(row)).map(({ id }) => id)).toEqual([]);
  });

  it("would pass in the middle of a long text that is scanned in one piece", () => {
    expect(whole.found.length).toBeLessThan(attacks.length / 2);
  });

  it("are let through where they are harmless", () => {
    expect(good.found.map(({ id }) => id)).toEqual([]);
    expect(goodInLong.found.map(({ id }) => id)).toEqual([]);
  });
});
