/**
 * Holds the steps of a guide to the passages that they name, by the checks that answers pass before they are spoken. In a
 * draft from a document everything has to be said there; in any other guide what a step adds of its own is its author's.
 */
import type { SentenceCheck } from "../../grounding/check/check.js";
import { checkSentence } from "../../grounding/check/check-sentence.js";
import { checkSteps } from "../../grounding/check/steps.js";
import { verbatimIn } from "../../grounding/check/verbatim.js";
import { type PreparedEvidence, prepareEvidence } from "../../grounding/evidence.js";
import { negatesIn } from "../../grounding/sentence/lexicon.js";
import { grouped } from "../../lib/grouped.js";
import { splitSentences } from "../../lib/sentence-end.js";
import { quantitiesIn } from "../../words/quantity/quantities.js";
import { compareAmounts } from "../../words/quantity/quantity.js";
import { tokenize } from "../../words/tokens.js";
import type { GuideFinding, GuideRule } from "../schema/finding.js";
import { measureOf, textsOf, variablesIn } from "../schema/graph.js";
import type { Guide, GuideStep, StepSource } from "../schema/guide.js";
import {
  type DocumentSection,
  documentOf,
  evidenceIn,
  type GuideDocument,
  outdatedSources,
  passagesAt,
  placeOf,
  sectionsIn,
} from "./passages.js";

/** What steps are held against, and how strictly. */
interface Holding {
  readonly documents: readonly GuideDocument[];
  readonly isDraft: boolean;
  readonly language: Guide["language"];
  /** What the step before says: a condition that it asks for need not be said again. */
  readonly before: string;
}

/** Everything in which a guide is not what these documents say. */
export function sourceFindings(guide: Guide, documents: readonly GuideDocument[]): readonly GuideFinding[] {
  const isDraft = guide.origin?.format === "document";
  const found = guide.steps.flatMap((step, at) => {
    const holding = { documents, isDraft, language: guide.language, before: guide.steps[at - 1]?.text ?? "" };
    const source = step.source ?? (step.kind === "end" && isDraft ? draftSource(guide) : undefined);
    if (source !== undefined) return boundFindings(step, source, holding);
    const remedy = "write the passage that says it as its `source`, or take the step out";
    return isDraft ? [finding("source-known", step, "no passage is named for it", remedy)] : [];
  });
  const outdated = outdatedSources(guide, documents).map(({ document, had, has }) => {
    const problem = `it was written by revision ${had} of ${document}, which has revision ${has} now`;
    const remedy = "compare its steps with the new one, and name that in their `source`";
    return finding("source-current", undefined, problem, remedy);
  });
  return [...outdated, ...found, ...(isDraft ? wholeFindings(guide, documents) : [])];
}

/** The end of a draft is called as its document. */
function draftSource({ origin, steps }: Guide): StepSource | undefined {
  return steps.find(({ source }) => source?.document === origin?.file)?.source;
}

function finding(
  rule: GuideRule,
  step: GuideStep | undefined,
  problem: string,
  remedy: string,
): GuideFinding {
  return { rule, ...(step && { step: step.id }), problem, remedy };
}

function boundFindings(step: GuideStep, source: StepSource, holding: Holding): readonly GuideFinding[] {
  const { documents, isDraft } = holding;
  const document = documentOf(source, documents);
  if (document === undefined) {
    const remedy = "name one of the folder, or give the folder that has it";
    return [finding("source-known", step, `${source.document} is not among the documents`, remedy)];
  }
  const passages = passagesAt(document, source.place);
  if (passages.length === 0) {
    const remedy = "write a heading of it, and `, step 3` for one of its steps";
    return [finding("source-known", step, `${source.document} has no place "${source.place}"`, remedy)];
  }
  const evidence = prepareEvidence(passages);
  const names = [document.title, source.place, ...passages.flatMap(({ headings = [] }) => headings)];
  const said = (isDraft ? textsOf(step) : spokenOf(step)).filter((text) => !names.includes(text));
  return [
    ...said.flatMap((text) => {
      const own = notSaid(holding, step, text, evidence);
      // What warns of a step may stand anywhere in its document.
      return text === step.warning && own.length > 0
        ? notSaid(holding, step, text, evidenceIn(document))
        : own;
    }),
    ...amountsOf(step, isDraft).flatMap((amount) => notMeasured(step, amount, evidence)),
  ];
}

/** What the worker is told by a step that its author wrote; what he is asked is the author's. */
function spokenOf({ expectedOutcome, kind, text, warning }: GuideStep): readonly string[] {
  const said = kind === "question" || kind === "hold_point" ? undefined : text;
  return [warning, said, expectedOutcome].filter((one) => one !== undefined);
}

function notSaid(
  { before, isDraft, language }: Holding,
  step: GuideStep,
  text: string,
  evidence: PreparedEvidence,
): readonly GuideFinding[] {
  const said = [before];
  return sentencesOf(filled(text)).flatMap((sentence) => {
    const check = checkSentence(sentence, evidence, { question: "", said });
    said.push(sentence);
    const other =
      isDraft && verbatimIn(sentence, evidence) === undefined && differs(sentence, check, language);
    if (check.verdict === "supported" && !other) return [];
    const why = check.reasons.map(({ text: reason }) => reason).join("; ") || "says it otherwise";
    const remedy = "say what the passage says, or name the one that says this";
    return [finding("source-says", step, `its passage does not say "${sentence}" (it ${why})`, remedy)];
  });
}

/**
 * Whether a sentence of a draft, in other words than its passage, has no words of it to rest on, or other figures or
 * denials than those: a draft is not an answer, which may ask back and lead in.
 */
function differs(sentence: string, { evidence }: SentenceCheck, language: Guide["language"]): boolean {
  const source = evidence.map(({ value }) => value).join(" ");
  const denials = (text: string) => tokenize(text).filter(({ lower }) => negatesIn(lower, language)).length;
  const figures: readonly string[] = source.match(/\d+/g) ?? [];
  let at = 0;
  const inOrder = (sentence.match(/\d+/g) ?? []).every((figure) => {
    at = figures.indexOf(figure, at) + 1;
    return at > 0;
  });
  return evidence.length === 0 || !inOrder || denials(sentence) !== denials(source);
}

/** Whatever a variable stands for, nobody can know here. */
function filled(text: string): string {
  return variablesIn(text).reduce((said, name) => said.replaceAll(`[VAR:${name}]`, "it"), text);
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap(splitSentences)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Amounts that stand in fields of their own; how long something takes is an author's to estimate. */
function amountsOf(step: GuideStep, isDraft: boolean): readonly string[] {
  const { checkDigit, estimatedMinutes, minSeconds } = step;
  const { max, min, unit = "", value } = measureOf(step) ?? {};
  const amount = (one: number | string | undefined, of: string) =>
    one === undefined ? [] : [`${one} ${of}`.trim()];
  const times = [...amount(minSeconds, "seconds"), ...amount(estimatedMinutes, "minutes")];
  const own = isDraft ? [...times, ...amount(checkDigit?.digits, "")] : [];
  return [...own, ...[...new Set([min, max, value])].flatMap((one) => amount(one, unit))];
}

function notMeasured(step: GuideStep, amount: string, { parts }: PreparedEvidence): readonly GuideFinding[] {
  const [wanted] = quantitiesIn(amount);
  const known = parts.flatMap(({ sentences }) => sentences.flatMap(({ quantities }) => quantities));
  if (wanted !== undefined && known.some((one) => compareAmounts(wanted, one) === "same")) return [];
  const remedy = "write the amount of the passage";
  return [finding("source-says", step, `its passage does not name ${amount}`, remedy)];
}

/** Steps that are left out or turned round, and warnings that are left out, as answers may not do either. */
function wholeFindings(guide: Guide, documents: readonly GuideDocument[]): readonly GuideFinding[] {
  const named = new Set(guide.steps.flatMap(({ source }) => (source && documentOf(source, documents)) ?? []));
  const found = (problem: string, remedy: string) => finding("source-whole", undefined, problem, remedy);
  return [...named].flatMap((document) => {
    const own = guide.steps.filter(({ source }) => source && documentOf(source, documents) === document);
    const evidence = evidenceIn(document);
    const checks = own
      .flatMap(({ text = "", warning = "" }) => [warning, text].flatMap(sentencesOf))
      .map((sentence): SentenceCheck => checkSentence(sentence, evidence, { question: "", said: [] }));
    const placesOf = (steps: Guide["steps"]) =>
      steps.flatMap(({ source }) => source!.place).filter((place, at, all) => place !== all[at - 1]);
    const places = placesOf(own);
    const acts = placesOf(own.filter(({ contentType }) => contentType !== "warning"));
    const led = grouped(
      sectionsIn(document).filter((section) => stepPlaces(section).some((place) => places.includes(place))),
      ({ name }) => name,
    );
    return [
      ...[...led].flatMap(([name, sections]) => {
        const wanted = sections.flatMap(stepPlaces);
        const missing = wanted.filter((place) => !places.includes(place));
        if (missing.length > 0)
          return [found(`it leaves out ${missing.join("; ")}`, "take over every step of the section")];
        // What only forbids comes before the acts, wherever it stands.
        const inOrder = acts.filter((place) => wanted.includes(place));
        if (inOrder.join("\n") === wanted.filter((place) => acts.includes(place)).join("\n")) return [];
        return [
          found(`the steps of "${name}" come in another order`, "take them over as the document has them"),
        ];
      }),
      ...checkSteps(checks, evidence).warnings.map((warning) =>
        found(`it leaves out "${warning}"`, "put it before the act, as a step or as `warning`"),
      ),
    ];
  });
}

function stepPlaces(section: DocumentSection): readonly string[] {
  return section.units.flatMap((unit) => (unit.role === "step" ? placeOf(section, unit.number) : []));
}
