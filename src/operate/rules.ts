/** What documents allow of a value that was read: it is said beside the value, and never in its place. */
import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { Passage } from "../domain/passage.js";
import type { DocumentRule, Reading } from "../domain/reading.js";
import type { Resource } from "../domain/resource.js";
import { type Rendering, valueInWords } from "./speech/statements.js";

/** A rule with where it stands. */
export interface FoundRule {
  readonly rule: DocumentRule;
  readonly passage: Passage;
  /** What the document is called. */
  readonly title: string;
  /** Whether the value that was read is within it. */
  readonly isAllowed: boolean;
}

/** The rule for a value of the thing that was looked up; undefined where no document that the user may read has one. */
export type RuleOf = (reading: Reading) => FoundRule | undefined;

type RuleRequest = Pick<AskRequest, "access" | "locale">;

export interface RuleBook {
  /** Looks up what documents say of a signal of a thing, within a short time of its own. Never rejects. */
  about(thing: Resource, signal: string, request: RuleRequest, abort: AbortSignal): Promise<RuleOf>;
}

/** What is said of these rules, each once, with the passages to check it by. */
export function* rulesSaid(
  rules: readonly FoundRule[],
  isKiosk: boolean,
  rendering: Rendering,
): Generator<DraftEvent> {
  const { locale } = rendering;
  if (rules.length > 0) yield { type: "passages", passages: rules.map(({ passage }) => passage) };
  const inWords = ({ rule: { bound, high, low, unit }, title: document }: FoundRule) => {
    const title = isKiosk ? locale.say("check_rule_kiosk") : document;
    const [from, value] = [low, high].map((one) => valueInWords({ signal: "", value: one, unit }, rendering));
    if (bound === "between") return locale.say("check_rule_between", { title, low: from!, high: value! });
    return locale.say(`check_rule_${bound}`, { title, value: value! });
  };
  for (const [text, rule] of new Map(rules.map((one) => [inWords(one), one.rule])))
    yield { type: "statement", text, rule };
}
