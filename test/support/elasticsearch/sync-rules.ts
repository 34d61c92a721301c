/**
 * Filtering rules as Elastic's connector service reads them: which drafts are valid, and which objects a set of rules
 * lets in. The first rule that matches decides; what none matches is let in, and so is what only `DEFAULT` matches.
 */
import type { FilteringRule, RuleKind, RuleProblem } from "./connectors.js";
import { DEFAULT_RULE } from "./connectors.js";

export type SyncedValue = string | number;

/** An object of the source, by the names of its fields. */
export type SyncedObject = Readonly<Record<string, SyncedValue>>;

export function isLetIn(rules: readonly FilteringRule[], object: SyncedObject): boolean {
  const deciding = [...rules]
    .sort((one, other) => one.order - other.order)
    .find((rule) => rule.id !== DEFAULT_RULE && matches(rule, object));
  return deciding === undefined || deciding.policy === "include";
}

const TESTS: Readonly<Record<RuleKind, (value: SyncedValue, wanted: string) => boolean>> = {
  contains: (value, wanted) => String(value).includes(wanted),
  ends_with: (value, wanted) => String(value).endsWith(wanted),
  starts_with: (value, wanted) => String(value).startsWith(wanted),
  // Anchored at the start alone, as Python's re.match is.
  regex: (value, wanted) => new RegExp(`^(?:${wanted})`, "u").test(String(value)),
  equals: (value, wanted) => (typeof value === "number" ? value === Number(wanted) : value === wanted),
  ">": (value, wanted) => (typeof value === "number" ? value > Number(wanted) : value > wanted),
  "<": (value, wanted) => (typeof value === "number" ? value < Number(wanted) : value < wanted),
};

function matches({ field, rule, value }: FilteringRule, object: SyncedObject): boolean {
  const own = object[field];
  return own !== undefined && TESTS[rule](own, value);
}

const MATCH_ALL = [".*", "(.*)"];

/** What is wrong with a draft, rule by rule; empty for a valid one. */
export function problemsOf(rules: readonly FilteringRule[]): RuleProblem[] {
  return [...duplicates(rules), ...rules.flatMap(problemsOfOne)];
}

function problemsOfOne(rule: FilteringRule): RuleProblem[] {
  const messages: string[] = [];
  for (const key of ["id", "field", "value"] as const) {
    if (rule[key] === "") messages.push(`data.${key} must be longer than or equal to 1 characters`);
  }
  if (rule.id !== DEFAULT_RULE && rule.rule === "regex") {
    if (MATCH_ALL.includes(rule.value))
      messages.push(`${nameOf(rule)} uses a match all regexps ['.*', '(.*)'], which are not allowed.`);
    else if (!isPattern(rule.value)) messages.push(`${nameOf(rule)} has an invalid regular expression.`);
  }
  return messages.length === 0 ? [] : [{ ids: [rule.id], messages }];
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/** Two rules about the same thing contradict each other or say it twice; the first such pair is told. */
function duplicates(rules: readonly FilteringRule[]): RuleProblem[] {
  const seen = new Map<string, FilteringRule>();
  for (const rule of rules) {
    const key = JSON.stringify([rule.field, rule.rule, rule.value]);
    const other = seen.get(key);
    if (other !== undefined)
      return [
        { ids: [rule.id], messages: [`${nameOf(rule)} is semantically equal to ${nameOf(other)}.`] },
        { ids: [other.id], messages: [`${nameOf(other)} is semantically equal to ${nameOf(rule)}.`] },
      ];
    seen.set(key, rule);
  }
  return [];
}

function nameOf({ id, order }: FilteringRule): string {
  return `Basic rule ${order + 1} (id: '${id}')`;
}
