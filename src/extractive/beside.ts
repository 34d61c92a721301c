/** What of its passage is said with the best sentence: what it leans on, what warns, what decides, and what limits. Pure. */
import { quantitiesIn } from "../words/quantity/quantities.js";
import { isOrder, leansOnBefore, type UnitFit } from "./candidates.js";
import { forbids } from "./expected-kind.js";
import { type PassageUnit, unitTerms } from "./passage-units.js";
import { contextTerms, type QuestionScale } from "./question-scale.js";
import { isWarningAbout } from "./spoken-units.js";
import { termsOf } from "./terms.js";

/** The best of the units of a passage. */
type Best = Pick<UnitFit, "index" | "passage" | "unit" | "units">;

/**
 * The places of the units that are said, in their order. What directs, and what holds under a condition of the question,
 * comes in any number, but where one sentence is all.
 */
export function saidWith(best: Best, scale: QuestionScale, sentencesMax: number): readonly number[] {
  const { index, unit, units } = best;
  const chosen = new Set([index]);
  const add = (at: number) => {
    const one = units[at];
    if (one !== undefined && one.role !== "heading" && chosen.size < sentencesMax) chosen.add(at);
  };
  if (leansOnBefore(unit)) add(index - 1);
  const next = units[index + 1];
  // Of the limits that a stated value is held against, the next sentence may have another: "Alarm at 57 °C".
  const states = scale.question.states && unit.role !== "row" && next?.role !== "row";
  if (next !== undefined && (leansOnBefore(next) || (states && limitsAlike(next, unit)))) add(index + 1);
  const subject = new Set([...chosen].flatMap((at) => [...unitTerms(units[at]!)]));
  for (const [at, one] of units.entries()) if (changesLimit(one, unit, scale)) add(at);
  for (const [at, one] of units.entries()) if (isWarningAbout(subject, one)) add(at);
  if (sentencesMax > 1)
    for (const at of [...directing(best, scale), ...conditionsOf(best, scale)]) chosen.add(at);
  return [...chosen].sort((a, b) => a - b);
}

/** What its paragraph says to do beside the best unit, where that directs as well or a case is told of. */
function directing({ index, passage, unit, units }: Best, scale: QuestionScale): readonly number[] {
  const { asks, seeksConsequence, seeksSteps } = scale.question;
  const isCase = !asks || seeksConsequence || seeksSteps;
  const directs = isOrder(unit) || DIRECTS.test(unit.text);
  if (!PROSE.has(unit.role) || !(isCase || directs)) return [];
  const isBeside = (at: number) =>
    units[at]?.paragraph === unit.paragraph && !scale.isContrary(passage, [units[at]!]);
  let from = index;
  const leadsIn = (one: PassageUnit) => EXCLUDES.test(one.text) || (isCase && isOrder(one));
  while (directs && isBeside(from - 1) && leadsIn(units[from - 1]!)) from -= 1;
  let to = index;
  for (let at = index + 1; at <= to + EXPLAINING_MAX + 1 && isBeside(at); at++)
    if (isOrder(units[at]!) || DECIDES.test(units[at]!.text)) to = at;
  return [...units.keys()].slice(from, to + 1);
}

/** What its passage says of a condition that only the question names: "In rain, take 10 km/h off." */
function conditionsOf({ passage, unit, units }: Best, scale: QuestionScale): readonly number[] {
  const said = new Set([...unitTerms(unit), ...contextTerms(passage)]);
  const named = [...scale.question.topics].filter((term) => !said.has(term));
  return [...units.keys()].filter((index) => {
    const condition = CONDITION.exec(units[index]!.text)?.[1];
    return condition !== undefined && termsOf(condition).some((term) => named.includes(term));
  });
}

const CONDITION = /^(?:in|on|at|during|with|without|if|when)\b((?: [\p{L}-]+){1,4})/iu;

const PROSE: ReadonlySet<string> = new Set(["sentence", "item", "warning"]);

/** Sentences between two that say what to do, at the most. */
const EXPLAINING_MAX = 1;

const DIRECTS = /\b(?:must|may|shall|should|unless|until|never|do not|nobody)\b/i;
const DECIDES = /\b(?:never|not|no|nobody|cannot|only|must|may|unless|until|if|when|decides?)\b|n['’]t\b/i;
const EXCLUDES = /^(?:only|nobody|never|do not)\b/i;

/**
 * What else has a limit of what was measured, or for something else in the question, or forbids that: "In rain take 10 km/h
 * off", "Nobody enters alone".
 */
function changesLimit(unit: PassageUnit, best: PassageUnit, { question }: QuestionScale): boolean {
  if (!question.states || unit.role === "row" || unit === best) return false;
  const [terms, known] = [unit, best].map((one) => new Set(unitTerms(one)));
  const topics = [...question.topics];
  if (topics.some((term) => terms!.has(term) && !known!.has(term)))
    return forbids.test(unit.text) || limitsAlike(unit, best);
  return topics.every((term) => terms!.has(term) || !known!.has(term)) && limitsAlike(unit, best);
}

/** Whether two units have amounts of one dimension. */
function limitsAlike(one: PassageUnit, other: PassageUnit): boolean {
  const dimensions = quantitiesIn(other.text).map(({ dimension }) => dimension);
  return quantitiesIn(one.text).some(({ dimension }) => dimensions.includes(dimension));
}
