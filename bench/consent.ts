/**
 * Whether a consent survives a real recogniser: 500 replies in English, spoken by our own voices, sent as Opus, heard by the
 * local recogniser and judged. `npm run bench -- consent`. Prints what each kind was taken for. Aim: no denial accepted.
 */
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
  localTimeoutMs: 110_000,
  localConcurrencyMax: 2,
  localQueueLengthMax: 8,
};
/** Replies that are spoken and heard at the same time. */
const AT_ONCE = 2;
const SHAPE = { sampleRateHz: 16_000, packetMs: 60 };

interface Reply {
  readonly kind: string;
  readonly text: string;
  readonly voice: FliteVoice;
  readonly asked: AskedConsent;
}

export async function run(): Promise<void> {
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
  const left = replies();
  const taken = new Map<string, Map<string, number>>();
  const accepted: string[] = [];
  const hear = async ({ asked, kind, text, voice }: Reply) => {
    const packets: Uint8Array[] = [];
    for await (const { bytes } of opusPackets(voices.get(voice)!.synthesize({ text: `${text}.` }, never)))
      packets.push(bytes);
    const utterance = {
      shape: SHAPE,
      async *packets() {
        yield* packets;
      },
    };
    const heard = await recogniser.recognise(utterance, { words: [], language: "en" }, never);
    const words = heard.type === "words" ? heard.text : "";
    const { verdict } = judgeReply(words, asked);
    const counts = taken.get(kind) ?? new Map<string, number>();
    taken.set(kind, counts.set(verdict, (counts.get(verdict) ?? 0) + 1));
    if (verdict === "approved" && !kind.includes("consent"))
      accepted.push(`${kind}: "${text}" was heard as "${words}"`);
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await hear(next);
    }),
  );
  await Promise.all([recogniser, ...voices.values()].map((one) => one.close()));
  const verdicts = ["approved", "denied", "unclear"];
  const rows = [...taken].map(([kind, counts]) => [
    kind,
    ...verdicts.map((one) => String(counts.get(one) ?? 0)),
  ]);
  console.log(columns([["spoken", ...verdicts], ...rows.sort()]).join("\n"));
  console.log(accepted.length === 0 ? "No denial and nothing else was accepted." : accepted.join("\n"));
}

/** What is spoken, drawn from a seed. */
function replies(): Reply[] {
  const random = seededRandom(16);
  const some = <T>(of: readonly T[]) => of[Math.floor(random.fraction() * of.length)]!;
  const words = CHALLENGE_WORDS.get("en")!;
  return Object.entries(SPOKEN).flatMap(([kind, { count, templates }]) =>
    Array.from({ length: count }, () => {
      const challenge = some(words);
      const pattern = some(spelledOut(parseTemplate(some(templates)), new Map()));
      const other = some(words.filter((word) => word !== challenge));
      const text = pattern.replace("WORD", challenge).replace("OTHER", other);
      const hasWord = /WORD|OTHER/.test(pattern);
      const asked = {
        ...(hasWord ? ({ level: "challenge", challenge } as const) : ({ level: "plain" } as const)),
        languages: ["en"],
      };
      return { kind, text, voice: some(VOICES), asked };
    }),
  );
}
