/** Claims about the state that a thing is in: running, enabled, installed, open, there at all. */
import type { Steps } from "../../lib/steps.js";
import { type ClaimClause, isMentioned, isNegatedAt, isWithin } from "./clause.js";
import { type Fact, type MemberList, truthOf } from "./facts.js";
import { decide, type FactFinding, type PartResult, told, unknown } from "./finding.js";
import type { Mention } from "./names.js";
import {
  isVolatileState,
  kindsAgree,
  type Relation,
  relationOf,
  type StateTerm,
  stateOf,
} from "./vocabulary.js";

/** A state that a clause speaks of. */
export interface ClaimedState {
  readonly state: StateTerm;
  readonly isNegated: boolean;
}

/** A state that a reading says something is in, or is not in. */
interface KnownState {
  readonly state: StateTerm;
  readonly isSo: boolean;
}

/** What comes of each thing and each state that the clause names; empty when it names no state. */
export function* checkStates(clause: ClaimClause): Steps<readonly PartResult[]> {
  const claimed = claimedStates(clause);
  const quantifier = clause.kind === undefined ? undefined : quantifierOf(clause);
  if (quantifier === "all") return claimed.map((one) => ofMembers(clause, one, true));
  if (quantifier === "none")
    return claimed.map(({ state }) => ofMembers(clause, { state, isNegated: false }, false));
  const parts: PartResult[] = [];
  for (const one of claimed)
    for (const mention of clause.mentions) {
      yield;
      parts.push(ofThing(clause, one, mention));
    }
  if (isExclusive(clause)) parts.push(...claimed.map((one) => ofMembers(clause, one, false)));
  return parts;
}

/** The states that a clause names; "up and running" is one state. */
export function claimedStates(clause: ClaimClause): readonly ClaimedState[] {
  const { mentions, text, tokens } = clause;
  const states = new Map<string, ClaimedState>();
  for (const [at, token] of tokens.entries()) {
    const state = stateOf(token.word);
    if (state === undefined || isWithin(token, mentions) || !isState(clause, at, state)) continue;
    const isNegated = isNegatedAt(clause, at);
    states.set(`${state.family} ${isNegated}`, { state, isNegated });
  }
  const exists = states.size === 0 && /^there\b/i.test(text) && mentions.length > 0;
  if (!exists) return [...states.values()];
  return [{ state: stateOf("present")!, isNegated: isNegatedAt(clause, tokens.length) }];
}

/** Words that are states in their place only: not "running Ubuntu", "6 GB available", "down to", "open ports". */
function isState(
  { mentions, text, tokens }: ClaimClause,
  at: number,
  { dimension, word }: StateTerm,
): boolean {
  const next = tokens[at + 1];
  switch (word) {
    case "on":
    case "off":
      return next === undefined || /^(?:and|now|again|currently)$/.test(next.word);
    case "open":
    case "closed":
    case "listening":
    case "listens":
      return !/\bports?\b/i.test(text);
    case "runs":
    case "running":
    case "executing":
      // "The machine is running Ubuntu": what runs stands behind it, and is no thing that the readings know.
      return next === undefined || isWithin(next, mentions) || !/^\p{Lu}|\p{N}/u.test(next.text);
    case "down":
    case "up":
      return !/^(?:to|by)$/.test(next?.word ?? "") && !/^(?:set|look|count)/.test(tokens[at - 1]?.word ?? "");
    default:
      return dimension !== "presence" || !/\d|\b(?:memory|disk|space|ram|storage)\b/i.test(text);
  }
}

function quantifierOf({ text, mentions }: ClaimClause): "all" | "none" | undefined {
  if (mentions.length > 0) return undefined;
  if (/\b(?:none of|no)\b(?! longer)/i.test(text) && !/\bthere (?:is|are) no\b/i.test(text)) return "none";
  return /\b(?:all|every|each)\b/i.test(text) ? "all" : undefined;
}

function isExclusive({ text, mentions }: ClaimClause): boolean {
  const isOnly = /\bonly\b|\bnothing (?:else )?(?:but|except)\b/i.test(text);
  return isOnly && mentions.length > 0 && !/\bnot only\b/i.test(text);
}

function ofThing({ kind, site }: ClaimClause, claimed: ClaimedState, mention: Mention): PartResult {
  const about = { ...mention, kind: mention.kind ?? (mention.isKnown ? undefined : kind) };
  const { word } = claimed.state;
  const known = site.facts
    .filter(({ things }) => isMentioned(things, [about]) && kindsAgree(about.kind, things[0]!.kind))
    .flatMap((fact) => statesOf(fact).map((state) => ({ fact, state, isExact: state.state.word === word })));
  // Of one object's fields those count that use the claim's own word: `running` where `active` stands beside it.
  const exact = new Set(known.filter(({ isExact }) => isExact).map(({ fact }) => fact.beside));
  const findings = [
    ...known
      .filter(({ fact, isExact }) => isExact || !exact.has(fact.beside))
      .map(({ fact, state }) => told(fact, relates(claimed, [state]), "opposite_state", word)),
    ...site.lists.flatMap((list) => ofList(list, claimed, about)),
  ];
  const others = !mention.isKnown && site.facts.some(({ things }) => things.length > 0);
  const code = others ? "other_subject" : "words_not_found";
  const nothing = unknown(code, `no reading tells this of ${mention.name}`);
  return decide(findings, isVolatileState(claimed.state), nothing);
}

/** What the first of the known states that tells anything means for the claim. */
function relates({ isNegated, state }: ClaimedState, known: readonly KnownState[]): Relation {
  const relation = known.map((one) => relationOf(state, one.state, one.isSo)).find((one) => one !== "open");
  if (relation === undefined || !isNegated) return relation ?? "open";
  return relation === "same" ? "opposed" : "same";
}

/** The states that a field says its object is in, or is not in. */
function statesOf({ said, value, words }: Fact): readonly KnownState[] {
  const own = words.filter((word) => !/^(?:is|are|currently|now|state|status)$/.test(word));
  const byKey = own.length === 1 ? stateOf(own[0]!) : undefined;
  const isSo = truthOf(value);
  if (byKey !== undefined && isSo !== undefined) return [{ state: byKey, isSo }];
  if (typeof value !== "string") return [];
  const states = said.map(stateOf).filter((state) => state !== undefined);
  if (!STATUS.test(words.at(-1) ?? "") && states.length < said.length) return [];
  const isDenied = /\b(?:not|never|no)\b/i.test(value);
  return states.map((state) => ({ state, isSo: !isDenied }));
}

const STATUS = /^(?:status|state|activestate|substate|health|condition|position|availability)$/;

/** What a list says of its member, or, where it is complete, of what is not in it. */
function ofList(list: MemberList, claimed: ClaimedState, mention: Mention): readonly FactFinding[] {
  const { isComplete, kind, members, state } = list;
  if ((kind === undefined && state === undefined) || !kindsAgree(mention.kind, kind)) return [];
  const isMember = members.some(({ thing }) => thing.names.includes(mention.name));
  if (!isMember && !(isComplete && isOfKind(list, claimed.state, mention))) return [];
  const there = state?.dimension === "presence" ? state : stateOf("present")!;
  const known: readonly KnownState[] = [
    // What is not among those that run may be there; a service that is available is installed.
    ...(isMember || state === undefined || state === there ? [there] : []),
    ...(state === there && there.family === "present" ? [stateOf("installed")!] : []),
    ...(state === undefined ? [] : [state]),
  ].map((one) => ({ state: one, isSo: isMember }));
  const relation = relates(claimed, known);
  return [told(list, relation, "opposite_state", claimed.state.word, isMember ? mention.name : undefined)];
}

/** Whether what is not in the list could be in it. */
function isOfKind({ kind, state }: MemberList, { dimension }: StateTerm, mention: Mention): boolean {
  if (state?.family === "missing") return false;
  if (kind === "package" && dimension === "installed") return true;
  return kind === "process" ? mention.kind !== "container" : kind !== undefined && mention.kind === kind;
}

/** "All containers are running", "no service is running", "only nginx is running": nothing but what is named. */
function ofMembers({ kind, mentions, site }: ClaimClause, claimed: ClaimedState, isAll: boolean): PartResult {
  const findings = site.lists
    .filter((list) => kind === undefined || list.kind === kind)
    .filter(({ state }) => mentions.length > 0 || state?.dimension !== "presence")
    .map((list) => {
      const members = list.members.filter(({ thing }) => !isMentioned([thing], mentions));
      const counts = membersInState({ ...list, members }, claimed);
      // A list of those that run has none of those that do not.
      const isWhole = list.isComplete && counts.open === 0 && !(isAll && list.state !== undefined);
      const against = isAll ? counts.opposed : counts.same;
      const relation = against > 0 ? "opposed" : isWhole ? "same" : "open";
      return told(list, relation, "opposite_state", `${isAll ? "all" : "no others"} ${claimed.state.word}`);
    });
  const nothing = unknown("words_not_found", `no complete list of every ${kind}`);
  return decide(findings, isVolatileState(claimed.state), nothing);
}

/** How many members of a list are as claimed, are otherwise, or cannot be told. */
export function membersInState(list: MemberList, claimed: ClaimedState): Readonly<Record<Relation, number>> {
  const counts = { same: 0, opposed: 0, open: 0 };
  const byList = list.state === undefined ? [] : [{ state: list.state, isSo: true }];
  for (const { facts } of list.members)
    counts[relates(claimed, [...facts.flatMap(statesOf), ...byList])] += 1;
  return counts;
}
