/** Whether the steps that were said are a procedure of the documents: in order, without a hole, warnings included. */
import type { SentenceCheck } from "./check.js";
import type { EvidencePart, EvidenceSentence, PreparedEvidence } from "./evidence.js";

export type StepProblem =
  /** A step said after one that follows it in the document. `index` is that of the check. */
  | { readonly type: "order_differs"; readonly index: number; readonly text: string }
  /** Steps of the document between the first and the last said that were not said. */
  | {
      readonly type: "missing_step";
      readonly source: string;
      readonly steps: readonly number[];
      readonly text: string;
    }
  /** A step of another procedure than most of the steps. */
  | { readonly type: "other_procedure"; readonly index: number; readonly text: string }
  /** A warning that belongs to the steps and was not said: verbatim, so that it can be said. */
  | {
      readonly type: "missing_warning";
      readonly source: string;
      readonly warning: string;
      readonly start: number;
      readonly end: number;
      readonly text: string;
    };

/** What is wrong with the steps among `checks`, in the order of the answer; nothing where no step was said. */
export type CheckSteps = (checks: readonly SentenceCheck[], evidence: PreparedEvidence) => StepProblem[];

/** A step that was said: which check said it, and where the document has it. */
interface SaidStep {
  readonly index: number;
  readonly list: StepList;
  readonly step: number;
}

/** Consecutive steps of a text. A text may hold several lists; each begins again at a lower number. */
interface StepList {
  readonly part: EvidencePart;
  readonly sentences: readonly EvidenceSentence[];
  readonly steps: readonly number[];
}

export const checkSteps: CheckSteps = (checks, evidence) => {
  const lists = evidence.parts.flatMap(stepLists);
  const said = checks.flatMap((check, index) => saidStep(check, index, lists));
  if (said.length === 0) return [];
  const main = mostSaid(said);
  const own = said.filter(({ list }) => list === main);
  // One step of another list beside one of this: which is the stranger cannot be told, but both stand in their order.
  const strangers = own.length > 1 ? said.filter(({ list }) => list !== main && !isJoined(list, main)) : [];
  return [
    ...orderProblems(own),
    ...holes(own, main),
    ...strangers.map(
      ({ index, step, list }): StepProblem => ({
        type: "other_procedure",
        index,
        text: `step ${step} of ${nameOf(list)} among the steps of ${nameOf(main)}`,
      }),
    ),
    ...missingWarnings(checks, [...new Set(said.map(({ list }) => list))]),
  ];
};

function stepLists(part: EvidencePart): StepList[] {
  const lists: { part: EvidencePart; sentences: EvidenceSentence[]; steps: number[] }[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const sentence of part.sentences) {
    const { step } = sentence;
    if (step === undefined) continue;
    if (step < last) lists.push({ part, sentences: [], steps: [] });
    const list = lists.at(-1)!;
    list.sentences.push(sentence);
    if (!list.steps.includes(step)) list.steps.push(step);
    last = step;
  }
  return lists;
}

/** The first support decides; a step that more than one supports is said where the first of them stands. */
function saidStep(
  { evidence, verdict }: SentenceCheck,
  index: number,
  lists: readonly StepList[],
): SaidStep[] {
  if (verdict !== "supported") return [];
  const found = evidence.flatMap((support) => {
    if (support.step === undefined) return [];
    const list = lists.find(
      ({ part, sentences }) =>
        part.source.source === support.source &&
        sentences.some(({ start, end }) => start <= support.start && support.end <= end),
    );
    return list === undefined ? [] : [{ index, list, step: support.step }];
  });
  const first = found[0];
  if (first === undefined || evidence[0]?.step === undefined) return [];
  // One sentence may tell two steps that follow each other.
  const joined = found.filter(
    ({ list, step }) => list === first.list && Math.abs(step - first.step) < found.length,
  );
  return [...new Map(joined.map((one) => [one.step, one])).values()].sort((a, b) => a.step - b.step);
}

function mostSaid(said: readonly SaidStep[]): StepList {
  const counts = new Map<StepList, number>();
  for (const { list } of said) counts.set(list, (counts.get(list) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** A long procedure that was cut into two chunks of one section goes on in the other with the next number. */
function isJoined(a: StepList, b: StepList): boolean {
  const sameSection = headings(a) === headings(b) && a.part !== b.part;
  const [from, to] = [a.steps.at(-1)!, b.steps[0]!];
  return sameSection && (to === from + 1 || a.steps[0] === b.steps.at(-1)! + 1);
}

function headings({ part: { source } }: StepList): string {
  return [source.title ?? "", ...(source.headings ?? [])].join("\n");
}

function nameOf({ part: { source } }: StepList): string {
  return `"${source.headings?.at(-1) ?? source.title ?? source.source}"`;
}

function orderProblems(own: readonly SaidStep[]): StepProblem[] {
  let highest = 0;
  const problems: StepProblem[] = [];
  for (const { index, step } of own) {
    if (step < highest)
      problems.push({ type: "order_differs", index, text: `step ${step} is said after step ${highest}` });
    highest = Math.max(highest, step);
  }
  return problems;
}

function holes(own: readonly SaidStep[], { part, steps }: StepList): StepProblem[] {
  const numbers = own.map(({ step }) => step);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const missing = steps.filter((step) => step > first && step < last && !numbers.includes(step));
  if (missing.length === 0) return [];
  const text = `leaves out step ${missing.join(", ")} between step ${first} and step ${last}`;
  return [{ type: "missing_step", source: part.source.source, steps: missing, text }];
}

/** Warnings of the same text, and of the other texts of its section or of the sections above it. */
function missingWarnings(checks: readonly SentenceCheck[], lists: readonly StepList[]): StepProblem[] {
  const parts = new Set(lists.map(({ part }) => part));
  const problems: StepProblem[] = [];
  for (const part of parts)
    for (const { start, end } of warningsOf(part)) {
      const isSaid = checks.some(
        ({ evidence, verdict }) =>
          verdict === "supported" &&
          evidence.some((one) => one.source === part.source.source && one.start < end && start < one.end),
      );
      if (isSaid) continue;
      const { source, text } = part.source;
      const warning = text.slice(start, end);
      problems.push({
        type: "missing_warning",
        source,
        warning,
        start,
        end,
        text: `leaves out "${warning}"`,
      });
    }
  return problems;
}

/** Whole warnings: the sentence that begins with the word and what follows it in its paragraph. */
function warningsOf({ sentences, source: { text } }: EvidencePart): { start: number; end: number }[] {
  const warnings: { start: number; end: number }[] = [];
  for (const { isWarning, start, end } of sentences) {
    if (!isWarning) continue;
    const last = warnings.at(-1);
    if (last !== undefined && !text.slice(last.end, start).includes("\n")) last.end = end;
    else warnings.push({ start, end });
  }
  return warnings;
}
