/** Claims about the state that a thing is in: running, enabled, installed, open, there at all. */
import type { Reason } from "../../domain/answer.js";
import type { Steps } from "../../lib/steps.js";
import { type ClaimClause, isNegatedAt } from "./clause.js";
import { type Fact, type Facts, factsOf, type MemberList, type Thing } from "./facts.js";
import { decide, evidenceOfFact, evidenceOfListing, type FactFinding, type PartResult } from "./finding.js";
import { canonicalNamesOf, type Mention } from "./names.js";
import { canonicalName, tokensOf } from "./text.js";
import {
  isVolatileState,
  kindsAgree,
  type Relation,
  relationOf,
  relationToAbsence,
  type StateTerm,
  stateOf,
} from "./vocabulary.js";

/** A state that a clause speaks of, and where. */
export interface ClaimedState {
  readonly state: StateTerm;
  readonly isNegated: boolean;
  /** Of its token. */
  readonly at: number;
}

/** What comes of each thing and each state that the clause names; empty when it names no state. */
export function* checkStates(clause: ClaimClause): Steps<readonly PartResult[]> {
  const claimed = claimedStates(clause);
  if (claimed.length === 0) return [];
  const quantifier = quantifierOf(clause);
  if (quantifier !== undefined && clause.kind !== undefined)
    return claimed.map((one) => ofAll(clause, one, quantifier));
  const parts: PartResult[] = [];
  for (const one of claimed)
    for (const mention of clause.mentions) {
      yield;
      parts.push(ofThing(clause, one, mention));
    }
  if (isExclusive(clause)) parts.push(...claimed.map((one) => onlyThese(clause, one)));
  return parts;
}

export function claimedStates(clause: ClaimClause): readonly ClaimedState[] {
  const { mentions, tokens } = clause;
  const states = tokens.flatMap(({ word, start }, at): ClaimedState[] => {
    const state = stateOf(word);
    if (state === undefined || mentions.some((mention) => mention.start <= start && start < mention.end))
      return [];
    return isState(clause, at, state) ? [{ state, isNegated: isNegatedAt(clause, at), at }] : [];
  });
  const exists = states.length === 0 && /^there\b/i.test(clause.text) && mentions.length > 0;
  if (!exists) return withoutDoubles(states);
  return [{ state: stateOf("present")!, isNegated: isNegatedAt(clause, tokens.length), at: 0 }];
}

/** "up and running" is one state. */
function withoutDoubles(states: readonly ClaimedState[]): readonly ClaimedState[] {
  return states.filter(
    ({ state, isNegated }, i) =>
      !states.some(
        (other, k) => k > i && other.state.family === state.family && other.isNegated === isNegated,
      ),
  );
}

/** Words that are states in their place only: not "running Ubuntu", "6 GB available", "up for", "open ports". */
function isState(clause: ClaimClause, at: number, { dimension, word }: StateTerm): boolean {
  const next = clause.tokens[at + 1];
  const [before, after] = [clause.tokens[at - 1]?.word ?? "", next?.word ?? ""];
  if (word === "on" || word === "off")
    return next === undefined || /^(?:and|now|again|currently)$/.test(after);
  if (/^(?:open|listening|listens|closed)$/.test(word) && /\bports?\b/i.test(clause.text)) return false;
  if (word === "runs" || word === "running" || word === "executing")
    return next === undefined || !runsSomething(clause, at);
  if (dimension === "presence") return !/\d|\b(?:memory|disk|space|ram|storage)\b/i.test(clause.text);
  if (word === "down" || word === "up")
    return !/^(?:to|by)$/.test(after) && !/^(?:set|look|count)/.test(before);
  if (word === "installed") return !/\b(?:memory|ram)\b/i.test(clause.text);
  return true;
}

/** "The machine is running Ubuntu": what runs is said behind the verb, and it is no thing that the readings know. */
function runsSomething({ mentions, tokens }: ClaimClause, at: number): boolean {
  const next = tokens[at + 1]!;
  if (mentions.some(({ start }) => start === next.start)) return false;
  return /^\p{Lu}/u.test(next.text) || /\p{N}/u.test(next.text);
}

type Quantifier = "all" | "none";

function quantifierOf({ text, mentions }: ClaimClause): Quantifier | undefined {
  if (mentions.length > 0) return undefined;
  if (/\b(?:none of|no)\b(?! longer)/i.test(text) && !/\b(?:there (?:is|are) no)\b/i.test(text))
    return "none";
  return /\b(?:all|every|each)\b/i.test(text) ? "all" : undefined;
}

function isExclusive({ text, mentions }: ClaimClause): boolean {
  return (
    mentions.length > 0 &&
    /\bonly\b|\bnothing (?:else )?(?:but|except)\b/i.test(text) &&
    !/\bnot only\b/i.test(text)
  );
}

function ofThing(clause: ClaimClause, claimed: ClaimedState, mention: Mention): PartResult {
  const about = { ...mention, kind: mention.kind ?? (mention.isKnown ? undefined : clause.kind) };
  const findings = [
    ...preferred(
      clause.facts.facts
        .filter((fact) => isAbout(fact.things, about))
        .flatMap((fact) => ofFact(fact, claimed)),
      claimed.state.word,
    ),
    ...clause.facts.facts.flatMap((fact) => ofNamedKey(fact, claimed, about)),
    ...clause.facts.listings.flatMap((listing) => ofListing(listing, claimed, about)),
  ];
  const volatile = isVolatileState(claimed.state);
  return decide(findings, volatile, noneReason(clause, mention));
}

function noneReason(clause: ClaimClause, { isKnown, kind, name }: Mention): Reason {
  if (isKnown)
    return {
      code: "words_not_found",
      text: `no reading tells this of ${kind ?? ""} ${name}`.replace("  ", " "),
    };
  const others = clause.facts.facts.some(({ things }) => things.length > 0);
  return { code: others ? "other_subject" : "words_not_found", text: `no reading is about ${name}` };
}

function isAbout(things: readonly Thing[], { kind, name }: Pick<Mention, "kind" | "name">): boolean {
  const thing = things[0];
  return thing !== undefined && canonicalNamesOf(thing).includes(name) && kindsAgree(kind, thing.kind);
}

interface StateFinding extends FactFinding {
  /** The word of the reading that it rests on. */
  readonly word: string;
}

/** Of one object's fields those count that use the claim's own word: `running` where `active` stands beside it. */
function preferred(
  findings: readonly (StateFinding & { parent: number })[],
  word: string,
): readonly FactFinding[] {
  const exact = new Set(findings.filter((one) => one.word === word).map(({ parent }) => parent));
  return findings.filter((one) => !exact.has(one.parent) || one.word === word);
}

function ofFact(fact: Fact, { isNegated, state }: ClaimedState): (StateFinding & { parent: number })[] {
  return assertionsOf(fact).map(({ known, holds }) => ({
    ...findingOf(fact, holds ? relationOf(state, known) : relationToAbsence(state, known), isNegated),
    word: known.word,
    parent: fact.parent,
  }));
}

/** The states that a field says its object is in, or is not in. */
function assertionsOf({
  path,
  value,
  words,
}: Fact): readonly { readonly known: StateTerm; readonly holds: boolean }[] {
  const own = words.filter((word) => !/^(?:is|are|currently|now|state|status)$/.test(word));
  const byKey = own.length === 1 ? stateOf(own[0]!) : undefined;
  const isTrue = truthOf(value);
  if (byKey !== undefined && isTrue !== undefined) return [{ known: byKey, holds: isTrue }];
  if (typeof value !== "string") return [];
  const isStatus = /^(?:status|state|activestate|substate|health|condition|position|availability)$/.test(
    words.at(-1) ?? path.at(-1) ?? "",
  );
  const said = tokensOf(value).map(({ word }) => word);
  const states = said.map(stateOf).filter((one) => one !== undefined);
  if (!isStatus && states.length !== said.length) return [];
  if (/\b(?:not|never|no)\b/i.test(value)) return states.map((known) => ({ known, holds: false }));
  return ofCompound(states).map((known) => ({ known, holds: true }));
}

/** systemd's "active (exited)": it counts as active, and nothing runs. */
function ofCompound(states: readonly StateTerm[]): readonly StateTerm[] {
  const [first, second] = states;
  return first?.word === "up" && second?.dimension === "activity" ? [first] : states;
}

function truthOf(value: Fact["value"]): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value === "number") return undefined;
  if (/^(?:true|yes|y)$/i.test(value)) return true;
  return /^(?:false|no|n)$/i.test(value) ? false : undefined;
}

/** `docker_installed: false`, where the key names the thing. */
function ofNamedKey(
  fact: Fact,
  { isNegated, state }: ClaimedState,
  { name }: Mention,
): readonly FactFinding[] {
  const at = fact.words.findIndex((word) => stateOf(word) !== undefined);
  const known = at < 0 ? undefined : stateOf(fact.words[at]!);
  const holds = truthOf(fact.value);
  if (known === undefined || holds === undefined || fact.words.length < 2) return [];
  const named = fact.words
    .filter((word, i) => i !== at && !/^(?:is|are|service|daemon)$/.test(word))
    .join("-");
  if (named !== name) return [];
  return [findingOf(fact, holds ? relationOf(state, known) : relationToAbsence(state, known), isNegated)];
}

function ofListing(
  listing: MemberList,
  { isNegated, state }: ClaimedState,
  mention: Mention,
): readonly FactFinding[] {
  const { isComplete, kind, members } = listing;
  if (kind === undefined && listing.state === undefined) return [];
  if (!kindsAgree(mention.kind, kind)) return [];
  const isMember = members.some((member) => canonicalNamesOf(member).includes(mention.name));
  const relation = isMember
    ? ofMember(listing, state)
    : isComplete
      ? ofStranger(listing, state, mention)
      : "open";
  const says = isMember ? mention.name : undefined;
  const evidence = isMember ? evidenceOfListing(listing, says) : evidenceOfListing(listing);
  const text = isMember
    ? `${evidence.source} lists ${mention.name}${listing.state === undefined ? "" : ` as ${listing.state.word}`}`
    : `${evidence.source} lists ${members.length} and ${mention.name} is not among them`;
  return relation === "open"
    ? []
    : [
        {
          relation: turned(relation, isNegated),
          origin: listing.origin,
          evidence,
          reason: { code: "opposite_state", text },
        },
      ];
}

function ofMember({ kind, state: known }: MemberList, claimed: StateTerm): Relation {
  if (claimed.dimension === "presence") return claimed.family === "present" ? "same" : "opposed";
  // A service that the system knows is installed.
  if (claimed.dimension === "installed" && (known?.dimension === "presence" || kind === "package"))
    return claimed.family === "installed" ? "same" : "opposed";
  return known === undefined ? "open" : relationOf(claimed, known);
}

/** What a complete list says of what is not in it. */
function ofStranger({ kind, state: known }: MemberList, claimed: StateTerm, mention: Mention): Relation {
  const isThisKind =
    kind !== undefined && (mention.kind === kind || (kind === "process" && mention.kind !== "container"));
  if (!isThisKind && !(kind === "package" && claimed.dimension === "installed")) return "open";
  if (claimed.dimension === "presence" && (known === undefined || known.dimension === "presence"))
    return claimed.family === "present" ? "opposed" : "same";
  if (claimed.dimension === "installed" && (kind === "package" || known?.dimension === "presence"))
    return claimed.family === "installed" ? "opposed" : "same";
  if (known !== undefined) return relationToAbsence(claimed, known);
  return claimed.dimension === "activity" ? (claimed.family === "stopped" ? "open" : "opposed") : "open";
}

function findingOf(fact: Fact, relation: Relation, isNegated: boolean): FactFinding {
  const evidence = evidenceOfFact(fact);
  return {
    relation: turned(relation, isNegated),
    origin: fact.origin,
    evidence,
    reason: { code: "opposite_state", text: `${evidence.source} has ${evidence.value}` },
  };
}

function turned(relation: Relation, isNegated: boolean): Relation {
  if (!isNegated || relation === "open") return relation;
  return relation === "same" ? "opposed" : "same";
}

/** "All containers are running", "no service is running". */
function ofAll(clause: ClaimClause, claimed: ClaimedState, quantifier: Quantifier): PartResult {
  const wanted = quantifier === "none" ? { ...claimed, isNegated: false } : claimed;
  const findings = clause.facts.listings
    .filter(({ kind, state }) => kind === clause.kind && state?.dimension !== "presence")
    .flatMap((listing): FactFinding[] => {
      const counts = membersInState(listing, wanted, clause.facts);
      const against = quantifier === "all" ? counts.out : counts.in;
      const isWhole =
        listing.isComplete && counts.unknown === 0 && (quantifier === "none" || listing.state === undefined);
      const relation = against > 0 ? "opposed" : isWhole ? "same" : "open";
      const evidence = evidenceOfListing(listing);
      const text = `${against} of ${listing.members.length} in ${evidence.source} are not as said`;
      return [{ relation, origin: listing.origin, evidence, reason: { code: "opposite_state", text } }];
    });
  const nothing: Reason = { code: "words_not_found", text: `no complete list of every ${clause.kind}` };
  return decide(findings, isVolatileState(claimed.state), nothing);
}

/** "Only nginx is running": nobody else on the list is. */
function onlyThese(clause: ClaimClause, claimed: ClaimedState): PartResult {
  const named = clause.mentions.map(({ name }) => name);
  const findings = clause.facts.listings
    .filter(({ kind }) => clause.kind === undefined || kind === clause.kind)
    .flatMap((listing): FactFinding[] => {
      const others = membersInState(listing, claimed, clause.facts, named);
      const relation =
        others.in > 0 ? "opposed" : listing.isComplete && others.unknown === 0 ? "same" : "open";
      const evidence = evidenceOfListing(listing);
      const text = `${others.in} others in ${evidence.source} are ${claimed.state.word} as well`;
      return [{ relation, origin: listing.origin, evidence, reason: { code: "opposite_state", text } }];
    });
  const nothing: Reason = { code: "words_not_found", text: "no complete list of what else there is" };
  return decide(findings, isVolatileState(claimed.state), nothing);
}

export interface StateCounts {
  readonly in: number;
  readonly out: number;
  readonly unknown: number;
}

/** How many members of a list are in a state; `except` are not counted. */
export function membersInState(
  listing: MemberList,
  claimed: Pick<ClaimedState, "isNegated" | "state">,
  facts: Facts,
  except: readonly string[] = [],
): StateCounts {
  const counts = { in: 0, out: 0, unknown: 0 };
  for (const [i, member] of listing.members.entries()) {
    if (canonicalNamesOf(member).some((name) => except.includes(canonicalName(name)))) continue;
    const relations = listing.state === undefined ? [] : [relationOf(claimed.state, listing.state)];
    const own = factsOf(listing.parents[i], facts)
      .filter(({ origin }) => origin === listing.origin)
      .flatMap((fact) =>
        ofFact(fact, { state: claimed.state, isNegated: false, at: 0 }).map((one) => one.relation),
      );
    const known = [...own, ...relations].find((relation) => relation !== "open");
    const relation = turned(known ?? "open", claimed.isNegated);
    counts[relation === "same" ? "in" : relation === "opposed" ? "out" : "unknown"] += 1;
  }
  return counts;
}
