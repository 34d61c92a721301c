/** The figures of a clause: amounts, and how many of a kind there are. */
import type { Steps } from "../../lib/steps.js";
import { holds } from "../../words/quantity/holds.js";
import { quantitiesIn } from "../../words/quantity/quantities.js";
import { amountOf, type Quantity } from "../../words/quantity/quantity.js";
import { type ClaimClause, isWithin } from "./clause.js";
import type { Fact, MemberList } from "./facts.js";
import { type CheckedSpan, decide, type FactFinding, type PartResult, told, unknown } from "./finding.js";
import { checkMeasure } from "./measures.js";
import { type ClaimedState, claimedStates, membersInState } from "./states.js";
import { keyWords, kindOf, stateOf } from "./vocabulary.js";

/** The clause's figures of which it says what they measure or count. */
export function* checkFigures(clause: ClaimClause): Steps<readonly CheckedSpan[]> {
  const found: CheckedSpan[] = [];
  for (const figure of figuresOf(clause)) {
    yield;
    const result = ofCount(clause, figure) ?? (yield* checkMeasure(clause, figure));
    if (result !== undefined) found.push({ start: figure.start, end: figure.end, result });
  }
  return found;
}

/** Its figures, and "no containers" as a figure of none. Parts of names are none, nor are times of day and dates. */
function figuresOf({ mentions, text }: ClaimClause): readonly Quantity[] {
  const none = /\bno(?= (?:\p{L}+ ){0,2}(?:\p{L}+s)\b)/iu.exec(text);
  const zero = none === null ? [] : [{ ...amountOf(0), text: "no", start: none.index, end: none.index + 2 }];
  const figures = quantitiesIn(text).filter(({ dimension }) => dimension !== "clock" && dimension !== "date");
  const own = figures.filter((figure) => !isPartOfName(text, figure) && !isWithin(figure, mentions));
  return [...own, ...zero];
}

/** `nginx-1.24`, `/dev/sda1`, `10.0.0.5:80`. */
function isPartOfName(text: string, { end, start }: Quantity): boolean {
  const [before, behind] = [text[start - 1] ?? " ", text.slice(end, end + 2)];
  return /[\p{L}\p{N}_.:/@-]/u.test(before) || /^(?:[\p{L}\p{N}_]|[.:/-]\d)/u.test(behind);
}

/** How many words behind a figure may tell what it counts. */
const COUNTED_WORDS_MAX = 4;
/** Kinds of which there are as many for long. */
const STEADY = ["package", "user", "group", "interface"];

/** "3 containers are running"; undefined when the figure counts no kind of thing. */
function ofCount(clause: ClaimClause, figure: Quantity): PartResult | undefined {
  const behind = (clause.text.slice(figure.end).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, COUNTED_WORDS_MAX);
  const kind = behind.map(kindOf).find((one) => one !== undefined);
  if (figure.dimension !== "count" || kind === undefined || kind === "port") return undefined;
  const [claimed] = claimedStates(clause);
  // "3 running containers"
  const state = claimed?.state ?? behind.map(stateOf).find((one) => one !== undefined);
  const isNegated = claimed?.isNegated === true && figure.printed !== 0;
  const counted = state && { state, isNegated };
  const findings = [
    ...clause.site.lists
      .filter((list) => list.kind === kind)
      .flatMap((list) => ofList(list, figure, counted)),
    ...clause.site.facts
      .filter((fact) => !isNegated && isCountOf(fact, kind, state?.family))
      .map((fact) => told(fact, isEqual(figure, Number(fact.value)), "number_differs", figure.text)),
  ];
  const isSteady = STEADY.includes(kind) || (kind === "service" && state === undefined);
  return decide(findings, !isSteady, unknown("number_unknown", `no reading says how many of ${kind}`));
}

function isEqual(figure: Quantity, count: number): boolean {
  return holds(figure, amountOf(count)) === true;
}

function ofList(list: MemberList, figure: Quantity, counted?: ClaimedState): readonly FactFinding[] {
  const { isComplete, kind, members, state } = list;
  const isAll = kind === "process" || kind === "package" || (state?.dimension ?? "presence") === "presence";
  if (counted === undefined && !isAll) return [];
  const { open, same } = counted ? membersInState(list, counted) : { open: 0, same: members.length };
  const isRight = isEqual(figure, same);
  // A part of the list can only show that there are more.
  if (open > 0 || (!isComplete && (isRight || same < figure.printed))) return [];
  return [told(list, isRight, "number_differs", figure.text, `${same} of ${members.length}`)];
}

/** `running_containers: 2`, or `running: 2` of a tool of containers. */
function isCountOf({ around, origin, things, value, words }: Fact, kind: string, state?: string): boolean {
  if (typeof value !== "number" || things.length > 0) return false;
  const [counted] = [...words, ...around, ...keyWords(origin.name)].flatMap((word) => kindOf(word) ?? []);
  const known = words.map(stateOf).find((one) => one !== undefined);
  const rest = words.filter((word) => kindOf(word) !== kind && stateOf(word) === undefined);
  const isCount = rest.every((word) => /^(?:count|total|number|num|of|n|all|docker)$/.test(word));
  return counted === kind && isCount && known?.family === state;
}
