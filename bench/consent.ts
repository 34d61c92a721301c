/**
 * Whether a consent survives a real recogniser: 500 replies in English, spoken by our own voices, sent as Opus, heard by the
 * local recogniser and judged. `npm run bench -- consent`, or a part of them: `-- consent --turns 60 --from 120`; each part
 * has as many of each kind. Prints what each kind was taken for. Aim: no denial accepted.
 */
import { parseArgs } from "node:util";
import { systemClock } from "../src/lib/clock.js";
import { columns } from "../src/lib/columns.js";
import { seededRandom } from "../src/lib/random.js";
import { CHALLENGE_WORDS } from "../src/locale/challenge.js";
import { spelledOut } from "../src/locale/commands/file.js";
import { parseTemplate } from "../src/locale/commands/notation.js";
import { type AskedConsent, judgeReply } from "../src/operate/consent/judge.js";
import type { FliteVoice } from "../src/speech/flite.js";
import { LocalSpeech } from "../src/speech/local.js";
import { LocalRecogniser } from "../src/speech/local-recogniser.js";
import { opusPackets } from "../src/speech/packets.js";

/** WORD stands for the word that is asked for, OTHER for another one. How many of each are spoken. */
const SPOKEN: Readonly<Record<string, { readonly count: number; readonly templates: readonly string[] }>> = {
  "a plain consent": {
    count: 100,
    templates: [
      "[(um|okay)] (yes|yeah|yes please|go ahead|please do it|proceed) [(please|thanks|thank you)]",
      "[(um|okay)] (yes go ahead|correct|affirmative|i agree) [(please|thanks|thank you)]",
    ],
  },
  "a consent with the word": {
    count: 100,
    templates: ["[(um|okay|yes)] (confirm|i confirm) WORD [(please|thanks|thank you)]"],
  },
  "a denial": {
    count: 100,
    templates: [
      "(no|stop|wait|cancel|never mind|no thanks|don't do it|hold on|not now|abort|please don't|forget it|leave it alone|do not do that)",
      "(okay wait|yes no|wait a moment|hang on a second|no wait|actually no|stop right there) [(please|thanks)]",
    ],
  },
  "a denial with the word": {
    count: 100,
    templates: [
      "(don't|do not|never|please don't|you should never|i won't) confirm WORD",
      "(no|wait|stop|hold on|cancel|never mind) [(please|then)] confirm WORD",
      "confirm WORD (no|no wait|actually stop|never mind|don't do it|wait for the tests|cancel that|not yet|hold on)",
    ],
  },
  "something else": {
    count: 100,
    templates: [
      "confirm OTHER [please]",
      "(what is the pressure|how hot is the oven|who is there|say that again)",
      "(what did you say|where is the manual|confirm it|confirm that|which pump is it)",
      "(yes if|go ahead when|confirm WORD if) the (line|room|belt) is (empty|clear)",
      "(yesterday|thank you|okay|got it|he said it works|the pump is loud|i am not sure|i don't know)",
    ],
  },
};

const VOICES: readonly FliteVoice[] = ["rms", "slt"];
const DEBIAN = {
  localCommand: "pocketsphinx_continuous",
  localModelDir: "/usr/share/pocketsphinx/model/en-us",
  localTimeoutMs: 60_000,
  localConcurrencyMax: 2,
  localQueueLengthMax: 8,
};
/** Replies that are spoken and heard at the same time. */
const AT_ONCE = 2;
const SHAPE = { sampleRateHz: 16_000, packetMs: 60 };
/** After that no further reply is spoken, in milliseconds. */
const RUN_MS_MAX = 30 * 60_000;
/** Replies after which it is told how far it is. */
const TOLD_EVERY = 20;

interface Reply {
  readonly kind: string;
  readonly text: string;
  readonly voice: FliteVoice;
  readonly asked: AskedConsent;
}

const VERDICTS = ["approved", "denied", "unclear", "failed"] as const;

interface Heard {
  readonly words: string;
  /** `failed`: the recogniser did not come to an end. */
  readonly verdict: (typeof VERDICTS)[number];
}

export async function run(turns = Number.POSITIVE_INFINITY, from = 0): Promise<void> {
  const never = new AbortController().signal;
  const recogniser = await LocalRecogniser.find(systemClock, DEBIAN, never);
  if (recogniser === undefined) {
    console.log("consent: the local recogniser is not installed (scripts/test-tools.sh)");
    return;
  }
  const voices = new Map(
    VOICES.map((voice) => [
      voice,
      new LocalSpeech(systemClock, { offlineVoice: voice, offlineQueueLengthMax: 2 * AT_ONCE }),
    ]),
  );
  const hear = async ({ asked, text, voice }: Reply): Promise<Heard> => {
    const packets: Uint8Array[] = [];
    for await (const read of opusPackets(voices.get(voice)!.synthesize({ text: `${text}.` }, never)))
      packets.push(...read.packets);
    const utterance = {
      shape: SHAPE,
      async *packets() {
        yield* packets;
      },
    };
    const heard = await recogniser
      .recognise(utterance, { words: [], language: "en" }, never)
      .catch((error: unknown) => ({ type: "failed", error }) as const);
    if (heard.type === "failed") return { words: String(heard.error), verdict: "failed" };
    const words = heard.type === "words" ? heard.text : "";
    return { words, verdict: judgeReply(words, asked).verdict };
  };
  const left = replies().slice(from, from + turns);
  const spoken: (Reply & Heard)[] = [];
  const endMs = systemClock.monotonic() + RUN_MS_MAX;
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      spoken.push({ ...next, ...(await hear(next)) });
      if (spoken.length % TOLD_EVERY === 0) console.log(`${spoken.length} spoken, ${left.length} left`);
      if (systemClock.monotonic() > endMs) return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await Promise.all([recogniser, ...voices.values()].map((one) => one.close()));
  report(spoken, left.length);
}

export async function runWith(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: { turns: { type: "string" }, from: { type: "string", default: "0" } },
  });
  const { from, turns = "500" } = values;
  if (![from, turns].every((one) => /^\d{1,3}$/.test(one)))
    throw new Error("--turns and --from take whole numbers of replies, such as --turns 60 --from 120");
  await run(Number(turns), Number(from));
}

function report(spoken: readonly (Reply & Heard)[], left: number): void {
  const count = (some: readonly Heard[], verdict: Heard["verdict"]) =>
    String(some.filter((one) => one.verdict === verdict).length);
  const rows = Object.keys(SPOKEN).map((kind) => {
    const some = spoken.filter((one) => one.kind === kind);
    return [kind, String(some.length), ...VERDICTS.map((verdict) => count(some, verdict))];
  });
  console.log(columns([["", "spoken", ...VERDICTS], ...rows]).join("\n"));
  const isConsent = ({ kind }: Reply) => kind.includes("consent");
  const wrong = spoken.filter((one) => one.verdict === "approved" && !isConsent(one));
  const denials = wrong.filter(({ kind }) => kind.includes("denial"));
  const rejected = spoken.filter((one) => one.verdict !== "approved" && isConsent(one));
  const consents = spoken.filter(isConsent);
  console.log(`\nfalse consents ${wrong.length} of ${spoken.length - consents.length}`);
  console.log(`denials accepted ${denials.length}`);
  console.log(`false rejects ${rejected.length} of ${consents.length}`);
  if (left > 0) console.log(`stopped after ${RUN_MS_MAX / 60_000} minutes: ${left} were not spoken`);
  for (const { kind, text, words } of wrong) console.log(`${kind}: "${text}" was heard as "${words}"`);
}

/** What is spoken, drawn from a seed. */
function replies(): Reply[] {
  const random = seededRandom(16);
  const some = <T>(of: readonly T[]) => of[Math.floor(random.fraction() * of.length)]!;
  const words = CHALLENGE_WORDS.get("en")!;
  const kinds = Object.entries(SPOKEN).map(([kind, { count, templates }]) =>
    Array.from({ length: count }, (_, at) => {
      const challenge = some(words);
      const pattern = some(spelledOut(parseTemplate(some(templates)), new Map()));
      const other = some(words.filter((word) => word !== challenge));
      const text = pattern.replace("WORD", challenge).replace("OTHER", other);
      const takesWord = pattern.includes("confirm");
      const asked = {
        ...(takesWord ? ({ level: "challenge", challenge } as const) : ({ level: "plain" } as const)),
        languages: ["en"],
      };
      return { at: at / count, reply: { kind, text, voice: some(VOICES), asked } };
    }),
  );
  // Of each kind as many in every part.
  const all = kinds.flat().sort((one, other) => one.at - other.at);
  return all.map(({ reply }) => reply);
}
