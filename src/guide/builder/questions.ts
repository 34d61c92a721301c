/**
 * The interview without a model: fixed questions in a fixed order, one at a time, and the guide built from what people
 * answer, in their own words. Pure.
 */
import { cutToChars } from "../../lib/cut.js";
import { splitSentences } from "../../lib/sentence-end.js";
import type { Locale } from "../../locale/locale.js";
import { WARNING } from "../../words/warnings.js";
import type { Fields } from "../exchange/shapes.js";
import { type Guide, type GuideStep, idOf } from "../schema/guide.js";
import type { Patch } from "./patch.js";
import { type BuilderPhase, PHASES } from "./session.js";

/** Ids of the steps that a new tree begins with. */
export const [START_ID, UNKNOWN_ID, SOLVED_ID] = ["start", "unknown", "solved"];

/** UTF-16 units of a title and of an id that are made from a sentence. */
const TITLE_CHARS_MAX = 60;
const ID_CHARS_MAX = 40;
/** Things that differ from run to run, of one answer. */
const VALUES_MAX = 20;

const QUESTION_KEYS = [
  ...(["purpose", "values", "steps", "more", "symptom", "causes", "otherwise"] as const),
  ...(["dangers", "results", "review"] as const),
] as const;
export type QuestionKey = (typeof QUESTION_KEYS)[number];

export interface OfflineAnswer {
  readonly patches: readonly Patch[];
  /** The question that comes next; absent: the interview is over. */
  readonly next?: QuestionKey;
  /** What the answer has to be like; then it is asked again. */
  readonly remedy?: string;
}

/** What a guide holds, what was answered, and what fixed words are in its language. */
interface Asked {
  readonly guide: Guide;
  /** Ids of steps that nobody stands behind. */
  readonly marked: readonly string[];
  readonly text: string;
  readonly locale: Locale;
}

interface FixedQuestion {
  readonly phase: BuilderPhase;
  readonly take: (asked: Asked) => OfflineAnswer;
}

const QUESTIONS: Readonly<Record<QuestionKey, FixedQuestion>> = {
  purpose: { phase: "scoping", take: takePurpose },
  values: { phase: "scoping", take: takeValues },
  steps: { phase: "discovery", take: takeSteps },
  more: { phase: "discovery", take: takeSteps },
  symptom: { phase: "discovery", take: takeSymptom },
  causes: { phase: "discovery", take: takeCauses },
  otherwise: { phase: "discovery", take: takeOtherwise },
  dangers: { phase: "enrichment", take: numbered("warning", "results") },
  results: { phase: "enrichment", take: numbered("expected_outcome", "review") },
  review: { phase: "review", take: takeReview },
};

/** What an answer to the open question changes, and what is asked next; a question that is not known is the last one. */
export function offlineAnswer(question: string | undefined, asked: Asked): OfflineAnswer {
  return fixedQuestion(question).take(asked);
}

/** In which phase a question is asked. */
export function phaseOfQuestion(question: QuestionKey): BuilderPhase {
  return QUESTIONS[question].phase;
}

/** The words of a question; of those about steps by number, with the steps. */
export function questionText(question: QuestionKey, guide: Guide, locale: Locale): string {
  const words = locale.say(`guide_build_ask_${question}`);
  if (!["dangers", "results", "review"].includes(question)) return words;
  return [words, ...guide.steps.map((step, at) => `${at + 1}. ${wordsOf(step)}`)].join("\n");
}

/** All steps as somebody hears them who is to say whether they are right: with their warnings first. */
export function readBack({ steps }: Guide): readonly string[] {
  return steps.map((step, at) => {
    const unit = step.kind === "record" ? step.unit : undefined;
    const more = [unit, step.expectedOutcome, step.verificationPrompt, step.helpText];
    return [`${at + 1}.`, step.warning, wordsOf(step), ...more].filter(Boolean).join(" ");
  });
}

function wordsOf({ id, text, title }: GuideStep): string {
  return text ?? title ?? id;
}

/** What an interview begins with. */
export function firstQuestion(guide: Guide, isNew: boolean): QuestionKey {
  if (isNew) return "purpose";
  return guide.flowType === "troubleshooting" ? "dangers" : "more";
}

/** The phases that lie on the way to a later one, that one included. */
export function phasesTo(from: BuilderPhase, to: BuilderPhase): readonly BuilderPhase[] {
  const [first, last] = [PHASES.indexOf(from), PHASES.indexOf(to)];
  return PHASES.slice(first + 1, last + 1);
}

/** The steps of a new guide: a procedure that ends at once; a tree that knows no answer yet. */
export function firstSteps(flowType: Guide["flowType"], name: string, locale: Locale): readonly Fields[] {
  if (flowType !== "troubleshooting") return [{ id: "end", kind: "end", title: name }];
  const other = { id: "other", label: locale.say("guide_build_other"), next: UNKNOWN_ID };
  const text = locale.say("guide_build_unknown");
  return [
    { id: START_ID, kind: "question", text: locale.say("guide_build_start"), options: [other] },
    { id: UNKNOWN_ID, kind: "solution", title: locale.say("guide_build_other"), text },
  ];
}

function fixedQuestion(question: string | undefined): FixedQuestion {
  return QUESTIONS[QUESTION_KEYS.find((key) => key === question) ?? "review"];
}

function takePurpose({ guide, text }: Asked): OfflineAnswer {
  const next = guide.flowType === "troubleshooting" ? "symptom" : "values";
  return { patches: [{ op: "describe", fields: { description: text } }], next };
}

function takeValues({ locale, text }: Asked): OfflineAnswer {
  if (is(text, locale.say("guide_build_word.none"))) return { patches: [], next: "steps" };
  const labels = text.split(/[,;\n]/).map((part) => part.trim().replace(/[.?!]$/, ""));
  const given = [...new Set(labels.filter((label) => label !== ""))].slice(0, VALUES_MAX);
  const intake = given.map((label, at) => {
    const name = idOf(label).replaceAll("-", "_");
    return { name: name === NO_SLUG ? `value_${at + 1}` : name.slice(0, ID_CHARS_MAX), label };
  });
  return { patches: [{ op: "describe", fields: { intake } }], next: "steps" };
}

/** A sentence is a step; one that warns is said before the step behind it, the last one before the step that it follows. */
function takeSteps({ guide, locale, text }: Asked): OfflineAnswer {
  const sentences = sentencesIn(text);
  const done = locale.say("guide_build_word.done");
  const isLast = is(sentences.at(-1) ?? "", done);
  const told = isLast ? sentences.slice(0, -1) : sentences;
  if (told.length === 0 && guide.steps.length === 1)
    return { patches: [], next: "steps", remedy: locale.say("guide_build_ask_steps") };
  const patches = stepsFrom(told, new Set(guide.steps.map(({ id }) => id)));
  return {
    patches: patches.map((step) => ({ op: "add", step })),
    next: isLast ? "dangers" : "more",
  };
}

function stepsFrom(sentences: readonly string[], taken: Set<string>): readonly Fields[] {
  const steps: Fields[] = [];
  let warnings: string[] = [];
  for (const text of sentences) {
    if (WARNING.test(text)) {
      warnings.push(text);
      continue;
    }
    const warning = warnings.join(" ");
    const title = titleOf(text);
    steps.push({
      id: freeId(title, taken),
      kind: "instruct",
      title,
      text,
      ...(warning !== "" && { warning }),
    });
    warnings = [];
  }
  const last = steps.at(-1);
  if (warnings.length === 0) return steps;
  const late = warnings.join(" ");
  if (last !== undefined) return [...steps.slice(0, -1), { warning: late, ...last }];
  const title = titleOf(late);
  return [{ id: freeId(title, taken), kind: "instruct", content_type: "warning", title, text: late }];
}

function takeSymptom({ text }: Asked): OfflineAnswer {
  const asked = text.replace(/[.!]$/, "");
  const question = /[?？]$/.test(asked) ? asked : `${asked}?`;
  return { patches: [{ op: "modify", id: START_ID, fields: { text: question } }], next: "causes" };
}

/** Each line is an answer and what is done then; behind that it is asked whether it helped. */
function takeCauses({ guide, locale, text }: Asked): OfflineAnswer {
  const lines = text.split(/\n|;/).filter((line) => line.trim() !== "");
  const causes = lines.map((line) => /^([^:]{1,100}):\s*(\S.*)$/s.exec(line.trim()));
  if (causes.length === 0 || causes.some((cause) => cause === null))
    return { patches: [], next: "causes", remedy: locale.say("guide_build_cause_expected") };
  const taken = new Set([...guide.steps.map(({ id }) => id), SOLVED_ID]);
  const added: Fields[] = [];
  const options = causes.map((cause, at) => {
    const [, label, acts] = cause!;
    const steps = stepsFrom(sentencesIn(acts!), taken);
    const helped = freeId(`helped ${at + 1}`, taken);
    const behind = [...steps.slice(1).map(({ id }) => id), helped];
    added.push(...steps.map((step, nth) => ({ ...step, next: behind[nth] })), {
      ...{ id: helped, kind: "question", text: locale.say("guide_build_helped") },
      options: [
        { id: "yes", label: locale.say("guide_word.yes"), next: SOLVED_ID },
        { id: "no", label: locale.say("guide_word.no"), next: UNKNOWN_ID },
      ],
    });
    return { id: `answer-${at + 1}`, label, next: String(steps[0]?.id ?? helped) };
  });
  const solved = locale.say("guide_build_solved");
  const other = { id: "other", label: locale.say("guide_build_other"), next: UNKNOWN_ID };
  if (!guide.steps.some(({ id }) => id === SOLVED_ID))
    added.push({ id: SOLVED_ID, kind: "solution", title: solved, text: solved });
  const patches = added.map((step): Patch => ({ op: "add", step }));
  const start: Patch = { op: "modify", id: START_ID, fields: { options: [...options, other] } };
  return { patches: [...patches, start], next: "otherwise" };
}

function takeOtherwise({ locale, text }: Asked): OfflineAnswer {
  const none = is(text, locale.say("guide_build_word.none"));
  const patch: Patch = none
    ? { op: "confirm", id: UNKNOWN_ID }
    : { op: "modify", id: UNKNOWN_ID, fields: { text } };
  return { patches: [patch], next: "dangers" };
}

/** Takes lines such as "2: The plate is hot." for one field of these steps. */
function numbered(field: string, next: QuestionKey): FixedQuestion["take"] {
  return ({ guide, locale, text }) => {
    if (is(text, locale.say("guide_build_word.none"))) return { patches: [], next };
    const patches = byNumber(text, guide, field);
    if (patches === undefined) return { patches: [], remedy: locale.say("guide_build_number_expected") };
    return { patches, next };
  };
}

/** Who heard all of it and says that it is right stands behind it. */
function takeReview({ guide, locale, marked, text }: Asked): OfflineAnswer {
  if (is(text, locale.say("guide_word.yes"))) return { patches: marked.map((id) => ({ op: "confirm", id })) };
  const patches = byNumber(text, guide, "text");
  if (patches === undefined)
    return { patches: [], next: "review", remedy: locale.say("guide_build_number_expected") };
  return { patches, next: "review" };
}

function byNumber(text: string, { steps }: Guide, field: string): readonly Patch[] | undefined {
  const patches = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): Patch | undefined => {
      const [, number, said] = /^(\d{1,3})\s*[:.)]\s*(\S.*)$/.exec(line.trim()) ?? [];
      const step = steps[Number(number) - 1];
      return step && { op: "modify", id: step.id, fields: { [field]: said } };
    });
  const whole = patches.filter((patch) => patch !== undefined);
  return whole.length === 0 || whole.length < patches.length ? undefined : whole;
}

function sentencesIn(text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap(splitSentences)
    .map((sentence) => sentence.trim().replace(/^(?:\d{1,3}[.)]|[-*•–])\s+/, ""))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** The first words of a sentence. */
function titleOf(sentence: string): string {
  return cutToChars(sentence.replace(/[.!?]{1,8}$/, ""), TITLE_CHARS_MAX);
}

/** What `idOf` gives where a text has nothing to make one of. */
const NO_SLUG = "guide";

/** An id of these words that none of `taken` is; it is taken then. */
export function freeId(title: string, taken: Set<string>): string {
  const slug = idOf(title).slice(0, ID_CHARS_MAX).replace(/-$/, "");
  const base = slug === NO_SLUG ? "step" : slug;
  let id = base;
  for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
  taken.add(id);
  return id;
}

/** Whether somebody says just these words. */
function is(text: string, words: string): boolean {
  const bare = (one: string) =>
    one
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  return bare(text) === bare(words);
}
