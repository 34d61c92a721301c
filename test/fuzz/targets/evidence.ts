/** Targets of what is believed: sentences against passages, answers against readings, questions, extracted answers. */

import { type Passage, PROSE } from "../../../src/domain/passage.js";
import { extractAnswer } from "../../../src/extractive/extractive.js";
import { readQuestion } from "../../../src/extractive/question.js";
import { checkText } from "../../../src/grounding/check/check-text.js";
import { checkReadings } from "../../../src/grounding/readings/readings.js";
import { WorkBudget } from "../../../src/lib/steps.js";
import { must, partsOf, SEPARATOR, type Target } from "../target.js";

const WORDS = [
  "must not",
  "never",
  "only if",
  "unless",
  "at least",
  "at most",
  "more than",
  "between",
  "and",
  "or",
  "not",
  "no",
  "5 mg",
  "12 V",
  "-40 °C",
  "3.5 bar",
  "2 h 30 min",
  "10:45",
  "2026-11-22",
  "1/2",
  "half",
  "twice",
  "50 %",
  "1,000",
  "valve",
  "press 4",
  "A-113",
  "the pump",
  "Wait 10 minutes.",
  "1. Close the valve.\n2. Open it.",
  "WARNING:",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "Nobody except the supervisor",
  "nicht",
  "jamais",
  "nie",
  "ніколи",
  "nunca",
  "before",
  "after",
  "if",
  "when",
  '"quoted"',
  "(see 4.2)",
  "all",
  "some",
  "every",
  "first",
  "then",
  SEPARATOR,
]; // prettier-ignore

const PASSAGE =
  "Press 4 must be locked out before cleaning. Wait at least 10 minutes. Never open valve " +
  "A-113 above 3.5 bar.\n\n1. Switch off at 400 V.\n2. Hang the red padlock.\n\nWARNING: " +
  "the flywheel runs on for 8 minutes.";

/** A sentence of the claim is one claim at most. */
export const grounding: Target = {
  name: "grounding",
  seeds: [
    ["Wait 10 minutes before you open valve A-113.", PASSAGE, "How long do I wait?"].join(SEPARATOR),
    ["Open it at 4 bar, or never.", PASSAGE, "May I open it?"].join(SEPARATOR),
    ["Attendez 10 minutes.", "Attendre au moins 10 minutes. Ne jamais ouvrir.", "Combien ?"].join(SEPARATOR),
  ],
  words: WORDS,
  charsMax: 1_200,
  async check(input) {
    const [text, evidence, question] = partsOf(input, 3) as [string, string, string];
    const passage = {
      type: "passage",
      source: "p-1",
      text: evidence,
      title: "Press 4",
      headings: [],
    } as const;
    const claims = await checkText(text, [passage], question, new WorkBudget(Number.POSITIVE_INFINITY));
    let at = 0;
    for (const claim of claims) {
      const found = text.indexOf(claim.text, at);
      must(found >= 0, "a claim is no part of the text");
      at = found + claim.text.length;
      must(claim.confidence >= 0 && claim.confidence <= 1, `a confidence of ${claim.confidence}`);
    }
  },
};

export const readings: Target = {
  name: "readings",
  seeds: [
    [
      "The nginx service is running and uses 40 % of its 2 GB of memory.",
      "Is nginx up?",
      '{"service":"nginx","state":"running","memory":{"used_mb":820,"total_mb":2048},"port":8080}',
    ].join(SEPARATOR),
    [
      "Pump 3 is stopped since 10:45; all others run.",
      "And pump 3?",
      '[{"name":"pump 3","status":"stopped"}]',
    ].join(SEPARATOR),
    ["No, there are 3 containers.", "Are there 4 containers?", '{"containers":["a","b","c"]}'].join(
      SEPARATOR,
    ),
  ],
  words: [
    ...WORDS,
    "running",
    "stopped",
    "offline",
    "is down",
    "containers",
    "disk",
    "GB",
    "10.0.0.1",
    ":8080",
    "eth0",
    '"state":',
    '"name":',
    "true",
    "null",
    "I think",
    "you said",
    "Yes.",
    "No.",
    "probably",
    "the tool shows",
  ], // prettier-ignore
  charsMax: 1_200,
  async check(input) {
    const [answer, user, json] = partsOf(input, 3) as [string, string, string];
    const result = readingOf(json);
    const tools = [{ tool: "linux_services", args: { service: "nginx" }, result, ageMs: 5_000 }];
    const state = { host: "plant-1", disks: ["sda"] };
    const budget = new WorkBudget(Number.POSITIVE_INFINITY);
    const { confidence } = await checkReadings(answer, { state, tools, user, nowMs: () => 0 }, budget);
    must(confidence >= 0 && confidence <= 1, `a confidence of ${confidence}`);
  },
};

/** A tool may answer with anything; what is no JSON is a text. */
function readingOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

const QUESTION_WORDS = [
  "how",
  "how much",
  "how long",
  "how deep",
  "what",
  "where",
  "who",
  "may I",
  "why",
  "which",
  "is it",
  "and then?",
  "And the other one?",
  "without",
  "pump 4",
  "A-113",
  "12 V",
  "when",
  "do I need",
  "what if",
  "?",
  "the same",
  "cuánto",
  "wie lange",
  "скільки",
  "ile",
  SEPARATOR,
]; // prettier-ignore

export const question: Target = {
  name: "question",
  seeds: [
    ["How deep is the pit of press 4?", ""].join(SEPARATOR),
    ["And for pump 4?", "How much oil does pump 3 need before I start it?"].join(SEPARATOR),
  ],
  words: QUESTION_WORDS,
  charsMax: 1_500,
  check(input) {
    const [asked, before] = partsOf(input, 2) as [string, string];
    const { telling, topics } = readQuestion(asked, before === "" ? undefined : before);
    for (const topic of topics) must(telling.has(topic), `${topic} is a topic that does not tell`);
  },
};

export const extractive: Target = {
  name: "extractive",
  seeds: [
    ["How long do I wait?", "", PASSAGE].join(SEPARATOR),
    ["How do I lock it out?", "What about press 4?", PASSAGE].join(SEPARATOR),
  ],
  words: [...QUESTION_WORDS, ...WORDS],
  charsMax: 1_500,
  async check(input) {
    const [asked, before, text] = partsOf(input, 3) as [string, string, string];
    const half = text.indexOf("\n\n");
    const texts = half < 0 ? [text] : [text.slice(0, half), text.slice(half)];
    const passages = texts.map((one, position) => passageOf(one, position));
    const answer = await extractAnswer(asked, before === "" ? undefined : before, passages, {});
    if (answer.type !== "answer") return;
    must(answer.sentences.length > 0, "an answer without a sentence");
    must(answer.passages.length > 0, "an answer without a passage");
  },
};

function passageOf(text: string, position: number): Passage {
  return {
    chunkId: `c-${position}`,
    documentId: "d-1",
    title: "Press 4",
    supersedes: [],
    sourceFile: "press-4.md",
    headings: ["Safety"],
    position,
    kind: PROSE,
    text,
    highlights: [],
    score: 1,
    access: { network: "acme", visibility: "network", allowedUsers: [], allowedGroups: [] },
    alsoIn: [],
  };
}
