/** Whether the steps that were said are a procedure of the documents: in order, without a hole, warnings included. */

import type { EvidencePart, EvidenceSentence, EvidenceText, PreparedEvidence } from "../evidence.js";
import type { SentenceCheck } from "./check.js";

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
  /** A step of another procedure in the middle of one. */
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
  readonly procedure: Procedure;
  readonly step: number;
}

/**
 * Consecutive steps, each with the text that holds it. A text may hold several procedures, each of which begins again
 * at a lower number; a long one that was cut into two chunks of one section goes on in the other with the next number.
 */
interface Procedure {
  readonly sentences: readonly EvidenceSentence[];
  readonly steps: ReadonlyMap<number, EvidencePart>;
}

export const checkSteps: CheckSteps = (checks, evidence) => {
  const apart = evidence.parts.flatMap(proceduresOf);
  const procedures = [...joinChunks(apart.slice(0, JOINED_MAX), evidence), ...apart.slice(JOINED_MAX)];
  const said = checks.flatMap((check, index) => saidStep(check, index, procedures, evidence));
  if (said.length === 0) return [];
  const own = [...byProcedure(said)];
  return [
    ...own.flatMap(([, steps]) => orderProblems(steps)),
    ...own.flatMap(([procedure, steps]) => holes(steps, procedure)),
    ...strangers(said),
    ...missingWarnings(checks, [...new Set(own.flatMap(([{ steps }]) => [...steps.values()]))]),
  ];
};

function byProcedure(said: readonly SaidStep[]): Map<Procedure, SaidStep[]> {
  const found = new Map<Procedure, SaidStep[]>();
  for (const one of said) {
    const steps = found.get(one.procedure);
    if (steps === undefined) found.set(one.procedure, [one]);
    else steps.push(one);
  }
  return found;
}

function proceduresOf(part: EvidencePart): Procedure[] {
  const found: { sentences: EvidenceSentence[]; steps: Map<number, EvidencePart> }[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const sentence of part.sentences) {
    const { step } = sentence;
    if (step === undefined) continue;
    if (step < last) found.push({ sentences: [], steps: new Map() });
    const { sentences, steps } = found.at(-1)!;
    sentences.push(sentence);
    steps.set(step, part);
    last = step;
  }
  return found;
}

/** Procedures that are looked at for others that go on with them: each is held against each. */
const JOINED_MAX = 200;

function joinChunks(procedures: readonly Procedure[], { parts }: PreparedEvidence): Procedure[] {
  const left = [...procedures];
  const joined: Procedure[] = [];
  for (let first = left.shift(); first !== undefined; first = left.shift()) {
    const at = left.findIndex((other) => goesOnIn(first!, other, parts) || goesOnIn(other, first!, parts));
    if (at < 0) {
      joined.push(first);
      continue;
    }
    const [other] = left.splice(at, 1) as [Procedure];
    const [from, to] = firstStep(first) < firstStep(other) ? [first, other] : [other, first];
    // What was joined may go on in a third.
    left.unshift({
      sentences: [...from.sentences, ...to.sentences],
      steps: new Map([...from.steps, ...to.steps]),
    });
  }
  return joined;
}

function goesOnIn(from: Procedure, to: Procedure, parts: readonly EvidencePart[]): boolean {
  const [a, b] = [parts[from.sentences.at(-1)!.part]!, parts[to.sentences[0]!.part]!];
  return a !== b && firstStep(to) === lastStep(from) + 1 && headings(a) === headings(b);
}

function headings({ source }: EvidencePart): string {
  return [source.document ?? "", source.title ?? "", ...(source.headings ?? [])].join("\n");
}

function firstStep({ sentences }: Procedure): number {
  return sentences[0]!.step!;
}

function lastStep({ sentences }: Procedure): number {
  return sentences.at(-1)!.step!;
}

/** The first support decides; a step that more than one supports is said where the first of them stands. */
function saidStep(
  { evidence, verdict }: SentenceCheck,
  index: number,
  procedures: readonly Procedure[],
  { parts }: PreparedEvidence,
): SaidStep[] {
  if (verdict !== "supported") return [];
  const found = evidence.flatMap((support) => {
    if (support.step === undefined) return [];
    const procedure = procedures.find(({ sentences }) =>
      sentences.some(
        ({ part, start, end }) =>
          parts[part]!.source.source === support.source && start <= support.start && support.end <= end,
      ),
    );
    return procedure === undefined ? [] : [{ index, procedure, step: support.step }];
  });
  const first = found[0];
  if (first === undefined || evidence[0]?.step === undefined) return [];
  // One sentence may tell two steps that follow each other.
  const joined = found.filter(
    ({ procedure, step }) => procedure === first.procedure && Math.abs(step - first.step) < found.length,
  );
  return [...new Map(joined.map((one) => [one.step, one])).values()].sort((a, b) => a.step - b.step);
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

function holes(own: readonly SaidStep[], { steps }: Procedure): StepProblem[] {
  const numbers = own.map(({ step }) => step);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const missing = [...steps.keys()].filter((step) => step > first && step < last && !numbers.includes(step));
  if (missing.length === 0) return [];
  const { source } = steps.get(missing[0]!)!.source;
  const text = `leaves out step ${missing.join(", ")} between step ${first} and step ${last}`;
  return [{ type: "missing_step", source, steps: missing, text }];
}

/** Steps of one procedure, said without another's between them. */
interface Run {
  readonly procedure: Procedure;
  readonly steps: readonly SaidStep[];
}

/**
 * Procedures may be said one after the other. What is wrong: to come back to one, to leave one unfinished for that of
 * another document, and to enter another in its middle, unless the one before it in the same document was finished.
 */
function strangers(said: readonly SaidStep[]): StepProblem[] {
  const runs = runsOf(said);
  const main = runs.reduce((best, run) => (run.steps.length > best.steps.length ? run : best)).procedure;
  // One step of each: which of them is the stranger cannot be told, and each is right by itself.
  const single = runs.every(
    ({ procedure, steps }, at) => steps.length === 1 && isFirstRun(runs, at, procedure),
  );
  if (single) return [];
  const found = new Set<Run>();
  for (let at = 1; at < runs.length; at++) {
    const [left, entered] = [runs[at - 1]!, runs[at]!];
    if (isFirstRun(runs, at, entered.procedure) && mayFollow(left, entered)) continue;
    // The stranger is the one that less is said of.
    found.add(entered.procedure === main ? left : entered);
  }
  return [...found].flatMap(({ procedure, steps }) =>
    steps.map(
      ({ index, step }): StepProblem => ({
        type: "other_procedure",
        index,
        text: `step ${step} of ${nameOf(procedure)} among the steps of ${nameOf(main)}`,
      }),
    ),
  );
}

function runsOf(said: readonly SaidStep[]): Run[] {
  const runs: { procedure: Procedure; steps: SaidStep[] }[] = [];
  for (const one of said) {
    const last = runs.at(-1);
    if (last?.procedure === one.procedure) last.steps.push(one);
    else runs.push({ procedure: one.procedure, steps: [one] });
  }
  return runs;
}

function isFirstRun(runs: readonly Run[], at: number, procedure: Procedure): boolean {
  return runs.findIndex((run) => run.procedure === procedure) === at;
}

function mayFollow(left: Run, entered: Run): boolean {
  const isFinished = left.steps.at(-1)!.step === lastStep(left.procedure);
  const isBegun = entered.steps[0]!.step === firstStep(entered.procedure);
  return isSameDocument(left.procedure, entered.procedure) ? isFinished || isBegun : isFinished && isBegun;
}

function isSameDocument(a: Procedure, b: Procedure): boolean {
  const [one, other] = [sourceOf(a), sourceOf(b)];
  if (one.source === other.source) return true;
  if (one.document !== undefined || other.document !== undefined) return one.document === other.document;
  return one.title !== undefined && one.title === other.title;
}

function sourceOf({ steps }: Procedure): EvidenceText {
  return steps.values().next().value!.source;
}

function nameOf(procedure: Procedure): string {
  const { headings, title, source } = sourceOf(procedure);
  return `"${headings?.at(-1) ?? title ?? source}"`;
}

/** Warnings of the texts that the steps stand in. */
function missingWarnings(checks: readonly SentenceCheck[], parts: readonly EvidencePart[]): StepProblem[] {
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
