/**
 * The interview without a model: fixed questions in a fixed order, one at a time, and the guide built from what people
 * answer, in their own words. Pure.
 */
import { cutToChars } from "../../lib/cut.js";
import { splitSentences } from "../../lib/sentence-end.js";
import type { Locale } from "../../locale/locale.js";
import { commands } from "../../routing/commands.js";
import { utterance } from "../../routing/normalized-message.js";
import { WARNING } from "../../words/warnings.js";
import type { Fields } from "../exchange/shapes.js";
import { freeId, type Guide, type GuideStep, idOf } from "../schema/guide.js";
import { type Patch, tryPatches } from "./patch.js";
import { markedSteps } from "./review.js";
import { type BuilderPhase, type BuilderSession, movesTo, type SessionEvent } from "./session.js";

/** Ids of the steps that a new tree begins with. */
export const [START_ID, UNKNOWN_ID, SOLVED_ID] = ["start", "unknown", "solved"];

/** UTF-16 units of a title that is made from a sentence, and of the name of a value. */
const TITLE_CHARS_MAX = 60;
const VALUE_CHARS_MAX = 40;
/** Things that differ from run to run, of one answer. */
const VALUES_MAX = 20;

export type QuestionKey =
  | ("purpose" | "values" | "steps" | "more" | "symptom" | "causes" | "otherwise")
  | ("dangers" | "results" | "review");

interface OfflineAnswer {
  readonly patches: readonly Patch[];
  /** The question that comes next; absent: the interview is over. */
  readonly next?: QuestionKey;
}

/** What a guide holds, what was answered, and what fixed words are in its language. */
interface Asked {
  readonly guide: Guide;
  /** Ids of steps that nobody stands behind. */
  readonly marked: readonly string[];
  readonly text: string;
  readonly locale: Locale;
}

/** A text: what the answer has to be like; then it is asked again. */
type Take = (asked: Asked) => OfflineAnswer | string;

/** In which phase a question is asked, and what its answer changes. */
const QUESTIONS: Readonly<Record<QuestionKey, readonly [BuilderPhase, Take]>> = {
  purpose: ["scoping", takePurpose],
  values: ["scoping", takeValues],
  steps: ["discovery", takeSteps],
  more: ["discovery", takeSteps],
  symptom: ["discovery", takeSymptom],
  causes: ["discovery", takeCauses],
  otherwise: ["discovery", takeOtherwise],
  dangers: ["enrichment", numbered("warning", "results")],
  results: ["enrichment", numbered("expected_outcome", "review")],
  review: ["review", takeReview],
};

/** What comes of something that was said. */
export interface TakenTurn {
  readonly events: readonly SessionEvent[];
  /** What was not taken into the guide, and what to do. */
  readonly errors: readonly string[];
}

/** Answers by the fixed question that is open, and asks the next one; where the answer does not fit, the same again. */
export function offlineTurn(session: BuilderSession, text: string, locale: Locale): TakenTurn {
  const { asked, guide, owner, phase } = session;
  const by = "service";
  // A question that is not known is the last one.
  const [, take] = new Map(Object.entries(QUESTIONS)).get(asked ?? "") ?? QUESTIONS.review;
  const taken = take({ guide, marked: markedSteps(session), text, locale });
  const again = (words: readonly string[], errors: readonly string[] = []): TakenTurn => {
    const message = { by, text: [...words, ...errors].join("\n") };
    return { events: [{ type: "answered", message, asked }], errors };
  };
  if (typeof taken === "string") return again([taken]);
  const { next, patches } = taken;
  const author = { type: "person", name: owner } as const;
  const tried = tryPatches(session, patches, author);
  if (tried.type === "refused") return again([locale.say("guide_build_refused")], tried.errors);
  const changed = patches.length === 0 ? [] : [{ type: "patched", author, patches } as const];
  const to = next === undefined ? "generation" : phaseOfQuestion(next);
  const says =
    next === undefined ? locale.say("guide_build_ready") : questionText(next, tried.draft.guide, locale);
  const answered = { type: "answered", message: { by, text: says }, asked: next } as const;
  return { events: [...changed, ...movesTo(to, phase, by), answered], errors: [] };
}

/** In which phase a question is asked. */
export function phaseOfQuestion(question: QuestionKey): BuilderPhase {
  return QUESTIONS[question][0];
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

/** The word that an answer is as a whole, in any language: there is nothing to say to it, or no more, or it is right. */
function wordIn(text: string): "done" | "none" | "yes" | undefined {
  const { said } = utterance(text);
  const meant = [...commands.orders(said, "build"), ...commands.of(said)].map(({ intent }) => intent);
  return meant.includes("no")
    ? "none"
    : (["done", "none", "yes"] as const).find((one) => meant.includes(one));
}

/** Who heard all of it says that it is right. */
export function isRight(text: string): boolean {
  return ["done", "yes"].includes(wordIn(text) ?? "");
}

function isNothing(text: string): boolean {
  return ["done", "none"].includes(wordIn(text) ?? "");
}

function takePurpose({ guide, text }: Asked): ReturnType<Take> {
  const next = guide.flowType === "troubleshooting" ? "symptom" : "values";
  return { patches: [{ op: "describe", fields: { description: text } }], next };
}

function takeValues({ text }: Asked): ReturnType<Take> {
  if (isNothing(text)) return { patches: [], next: "steps" };
  const labels = text.split(/[,;\n]/).map((part) => part.trim().replace(/[.?!]$/, ""));
  const given = [...new Set(labels.filter((label) => label !== ""))].slice(0, VALUES_MAX);
  const intake = given.map((label, at) => {
    const name = idOf(label).replaceAll("-", "_");
    return { name: name === "guide" ? `value_${at + 1}` : name.slice(0, VALUE_CHARS_MAX), label };
  });
  return { patches: [{ op: "describe", fields: { intake } }], next: "steps" };
}

/** A sentence is a step; one that warns is said before the step behind it, the last one before the step that it follows. */
function takeSteps({ guide, locale, text }: Asked): ReturnType<Take> {
  const sentences = sentencesIn(text);
  const isLast = isNothing(sentences.at(-1) ?? "");
  const told = isLast ? sentences.slice(0, -1) : sentences;
  if (told.length === 0 && guide.steps.length === 1) return locale.say("guide_build_ask_steps");
  const steps = stepsFrom(told, new Set(guide.steps.map(({ id }) => id)));
  return { patches: steps.map((step) => ({ op: "add", step })), next: isLast ? "dangers" : "more" };
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
    const step = { id: freeId(title, taken), kind: "instruct", title, text };
    steps.push(warning === "" ? step : { ...step, warning });
    warnings = [];
  }
  const last = steps.at(-1);
  if (warnings.length === 0) return steps;
  const late = warnings.join(" ");
  if (last !== undefined) return [...steps.slice(0, -1), { warning: late, ...last }];
  const title = titleOf(late);
  return [{ id: freeId(title, taken), kind: "instruct", content_type: "warning", title, text: late }];
}

function takeSymptom({ text }: Asked): ReturnType<Take> {
  const asked = text.replace(/[.!]$/, "");
  const question = /[?？]$/.test(asked) ? asked : `${asked}?`;
  return { patches: [{ op: "modify", id: START_ID, fields: { text: question } }], next: "causes" };
}

/** Each line is an answer and what is done then; behind that it is asked whether it helped. */
function takeCauses({ guide, locale, text }: Asked): ReturnType<Take> {
  const lines = text.split(/\n|;/).filter((line) => line.trim() !== "");
  const causes = lines.map((line) => /^([^:]{1,100}):\s*(\S.*)$/s.exec(line.trim()));
  if (causes.length === 0 || causes.some((cause) => cause === null))
    return locale.say("guide_build_cause_expected");
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

function takeOtherwise({ text }: Asked): ReturnType<Take> {
  const words: Patch = { op: "modify", id: UNKNOWN_ID, fields: { text } };
  return { patches: [isNothing(text) ? { op: "confirm", id: UNKNOWN_ID } : words], next: "dangers" };
}

/** Takes lines such as "2: The plate is hot." for one field of these steps. */
function numbered(field: string, next: QuestionKey): Take {
  return ({ guide, locale, text }) => {
    const patches = isNothing(text) ? [] : byNumber(text, guide, field);
    return patches === undefined ? locale.say("guide_build_number_expected") : { patches, next };
  };
}

/** Who heard all of it and says that it is right stands behind it. */
function takeReview(asked: Asked): ReturnType<Take> {
  if (isRight(asked.text)) return { patches: asked.marked.map((id) => ({ op: "confirm", id })) };
  return numbered("text", "review")(asked);
}

function byNumber(text: string, { steps }: Guide, field: string): readonly Patch[] | undefined {
  const all = text.split("\n").flatMap((line) => (NUMBERED.test(line) ? [line] : splitSentences(line)));
  const lines = all.filter((line) => line.trim() !== "");
  const patches = lines.map((line): Patch | undefined => {
    const [number, said] = aboutStep(line.trim());
    const step = steps[number - 1];
    return step && { op: "modify", id: step.id, fields: { [field]: said } };
  });
  return patches.length > 0 && patches.every((patch) => patch !== undefined) ? patches : undefined;
}

const NUMBERED = /^\s*(\d{1,3})\s*[:.)]\s*(\S.*)$/;

/** "2: The lamp is green.", or "step two: the lamp is green." */
function aboutStep(line: string): readonly [number, string] {
  const [, number, written] = NUMBERED.exec(line) ?? [];
  if (written !== undefined) return [Number(number), written];
  const orders = commands.orders(utterance(line).said, "build");
  const slots = orders.find(({ intent }) => intent === "about_step")?.slots;
  return [Number(slots?.number?.value), `${slots?.text?.text}${/[.!]$/.exec(line)?.[0] ?? ""}`];
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
