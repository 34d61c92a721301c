/**
 * The connector's filtering rules for one batch: exactly its keys, and nothing else. A rule's id names its batch, and a
 * job keeps the rules that it was started with, so that a job tells whose it is. Pure.
 *
 * The format, and what makes a draft invalid, are those of Elastic's connector framework (`basic_rule.py`,
 * `validation.py`): the first rule that matches decides; two rules may not have field, rule and value in common; a rule
 * other than `DEFAULT` may not be the regular expression `.*`; the rule `DEFAULT` has to be there, as it is here.
 */
import type { Batch, BatchDocument } from "./batch.js";
import type { FilterRule } from "./connector.js";

const FIELD = "filename";
/** Anything, line feeds included. */
const ANYTHING = "[\\s\\S]*";

const DEFAULT_RULE: FilterRule = { id: "DEFAULT", policy: "include", field: "_", rule: "regex", value: ".*" };

/** In the order in which they are to be applied. */
export function rulesOf({ id, documents }: Batch): readonly FilterRule[] {
  const keys = [...new Set(documents.map(({ key }) => key))];
  return [
    ...keys.map(
      (value, index): FilterRule => ({
        id: ruleId(id, index),
        policy: "include",
        field: FIELD,
        rule: "equals",
        value,
      }),
    ),
    { id: `${prefixOf(id)}rest`, policy: "exclude", field: FIELD, rule: "regex", value: ANYTHING },
    DEFAULT_RULE,
  ];
}

/** Whether these are all the rules of the batch. */
export function isOurs(batch: Batch, ruleIds: readonly string[]): boolean {
  const ids = new Set(ruleIds);
  return rulesOf(batch).every(({ id }) => ids.has(id));
}

/** The documents of the batch that a rule is for. */
export function documentsOfRule(batch: Batch, id: string): readonly BatchDocument[] {
  const rule = rulesOf(batch).find((one) => one.id === id);
  return rule === undefined ? [] : batch.documents.filter(({ key }) => key === rule.value);
}

function ruleId(batchId: string, index: number): string {
  return `${prefixOf(batchId)}${index}`;
}

function prefixOf(batchId: string): string {
  return `readback-${batchId}-`;
}
