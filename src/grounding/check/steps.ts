/** Whether the steps that were said are a procedure of the documents: in order, without a hole, warnings included. */

import type { EvidencePart, EvidenceSentence, PreparedEvidence } from "../evidence.js";
import type { SentenceCheck } from "./check.js";

/** A step said behind one that follows it, one left out between two that were said, one of another procedure among them. */
export type StepProblem = "order_differs" | "missing_step" | "other_procedure";

export interface StepsCheck {
  readonly problems: readonly StepProblem[];
  /** Warnings that belong to the steps and were not said: word for word, so that they can be said. */
  readonly warnings: readonly string[];
}

/**
 * The sentences of consecutive steps. A text may hold several procedures, each of which begins again at a lower number; a
 * long one that was cut into two chunks of one section goes on in the other with the next number.
 */
type Procedure = readonly EvidenceSentence[];

interface SaidStep {
  readonly procedure: Procedure;
  readonly step: number;
}

/** What is wrong with the steps among `checks`, in the order of the answer; nothing where no step was said. */
export function checkSteps(checks: readonly SentenceCheck[], evidence: PreparedEvidence): StepsCheck {
  const { parts } = evidence;
  const procedures = joinChunks(parts.flatMap(proceduresOf), parts);
  const said = checks.flatMap((check) => saidSteps(check, procedures, parts));
  const begun = [...new Set(said.map(({ procedure }) => procedure))];
  const own = begun.flatMap((procedure) => problemsOf(said, procedure));
  const texts = new Set(begun.flatMap((procedure) => procedure.map(({ part }) => parts[part]!)));
  return {
    problems: isInterrupted(said, parts) ? [...own, "other_procedure"] : own,
    warnings: [...texts].flatMap((part) => missingWarnings(checks, part)),
  };
}

function proceduresOf({ sentences }: EvidencePart): EvidenceSentence[][] {
  const found: EvidenceSentence[][] = [];
  for (const sentence of sentences) {
    if (sentence.step === undefined) continue;
    const last = found.at(-1);
    if (last === undefined || sentence.step < lastStep(last)) found.push([sentence]);
    else last.push(sentence);
  }
  return found;
}

function joinChunks(procedures: readonly EvidenceSentence[][], parts: readonly EvidencePart[]): Procedure[] {
  const joined: Procedure[] = [];
  /** By their headings and the step that would go on with them. */
  const open = new Map<string, EvidenceSentence[]>();
  for (const one of procedures.toSorted((a, b) => firstStep(a) - firstStep(b))) {
    const headings = headingsOf(one, parts);
    const key = `${headings}\n${firstStep(one)}`;
    const before = open.get(key);
    const goesOn = before !== undefined && before.at(-1)!.part !== one[0]!.part;
    if (goesOn) {
      before.push(...one);
      open.delete(key);
    } else joined.push(one);
    open.set(`${headings}\n${lastStep(one) + 1}`, goesOn ? before : one);
  }
  return joined;
}

function headingsOf(procedure: Procedure, parts: readonly EvidencePart[]): string {
  const { document = "", title = "", headings = [] } = sourceOf(procedure, parts);
  return [document, title, ...headings].join("\n");
}

function sourceOf([first]: Procedure, parts: readonly EvidencePart[]) {
  return parts[first!.part]!.source;
}

function firstStep([first]: Procedure): number {
  return first!.step!;
}

function lastStep(procedure: Procedure): number {
  return procedure.at(-1)!.step!;
}

/** The first support decides; one sentence may tell two steps that follow each other. */
function saidSteps(
  { evidence, verdict }: SentenceCheck,
  procedures: readonly Procedure[],
  parts: readonly EvidencePart[],
): SaidStep[] {
  if (verdict !== "supported" || evidence[0]?.step === undefined) return [];
  const found = evidence.flatMap(({ source, start, end, step }) => {
    const holds = (one: EvidenceSentence) =>
      parts[one.part]!.source.source === source && one.start <= start && end <= one.end;
    const procedure = procedures.find((sentences) => sentences.some(holds));
    return procedure === undefined || step === undefined ? [] : [{ procedure, step }];
  });
  const [first] = found;
  const joined = found.filter(
    ({ procedure, step }) => procedure === first!.procedure && Math.abs(step - first!.step) < found.length,
  );
  const steps = [...new Set(joined.map(({ step }) => step))].sort((a, b) => a - b);
  return steps.map((step) => ({ procedure: first!.procedure, step }));
}

function problemsOf(said: readonly SaidStep[], procedure: Procedure): StepProblem[] {
  const steps = said.filter((one) => one.procedure === procedure).map(({ step }) => step);
  const [first, last] = [Math.min(...steps), Math.max(...steps)];
  const isTurned = steps.some((step, at) => at > 0 && step < steps[at - 1]!);
  const hasHole = procedure.some(({ step }) => step! > first && step! < last && !steps.includes(step!));
  return [...(isTurned ? ["order_differs" as const] : []), ...(hasHole ? ["missing_step" as const] : [])];
}

/**
 * Procedures may be said one after the other. What is wrong: to come back to one, to leave one unfinished for that of
 * another document, and to enter another in its middle, unless the one before it in the same document was finished.
 */
function isInterrupted(said: readonly SaidStep[], parts: readonly EvidencePart[]): boolean {
  const runs: SaidStep[][] = [];
  for (const one of said) {
    const last = runs.at(-1);
    if (last?.[0]?.procedure === one.procedure) last.push(one);
    else runs.push([one]);
  }
  const begun = runs.map(([first]) => first!.procedure);
  const isFirst = begun.map((procedure, at) => begun.indexOf(procedure) === at);
  // One step of each: which of them is the stranger cannot be told, and each is right by itself.
  if (runs.every(({ length }, at) => length === 1 && isFirst[at])) return false;
  return runs.some((run, at) => at > 0 && !(isFirst[at] && mayFollow(runs[at - 1]!.at(-1)!, run[0]!, parts)));
}

function mayFollow(before: SaidStep, next: SaidStep, parts: readonly EvidencePart[]): boolean {
  const isFinished = before.step === lastStep(before.procedure);
  const isBegun = next.step === firstStep(next.procedure);
  const [a, b] = [sourceOf(before.procedure, parts), sourceOf(next.procedure, parts)];
  const isSameDocument =
    a.source === b.source ||
    (a.document === b.document &&
      (a.document !== undefined || (a.title !== undefined && a.title === b.title)));
  return isSameDocument ? isFinished || isBegun : isFinished && isBegun;
}

function missingWarnings(
  checks: readonly SentenceCheck[],
  { sentences, source: { source, text } }: EvidencePart,
): string[] {
  /** Whole warnings: the sentence that begins with the word and what follows it in its paragraph. */
  const warnings: { start: number; end: number }[] = [];
  for (const { isWarning, start, end } of sentences) {
    if (!isWarning) continue;
    const last = warnings.at(-1);
    if (last !== undefined && !text.slice(last.end, start).includes("\n")) last.end = end;
    else warnings.push({ start, end });
  }
  const said = checks
    .filter(({ verdict }) => verdict === "supported")
    .flatMap(({ evidence }) => evidence.filter((one) => one.source === source));
  return warnings
    .filter(({ start, end }) => !said.some((one) => one.start < end && start < one.end))
    .map(({ start, end }) => text.slice(start, end));
}
