/** Claims about addresses and ports. */
import type { Reason } from "../../domain/answer.js";
import type { Steps } from "../../lib/steps.js";
import { type ClaimClause, isNegatedAt } from "./clause.js";
import { type Fact, factsOf } from "./facts.js";
import { decide, evidenceOfFact, type FactFinding, type PartResult } from "./finding.js";
import { canonicalNamesOf } from "./names.js";
import { keyWords, kindOf, stateOf } from "./vocabulary.js";

/** A part of a clause that was checked, and where it stands. */
export interface CheckedSpan {
  readonly start: number;
  readonly end: number;
  readonly result: PartResult;
}

const IPV4 = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)/g;
const IPV6 =
  /(?<![\w:])(?:[\da-f]{1,4}:){2,7}(?::?[\da-f]{1,4}){0,6}(?:::)?|(?<![\w:])(?:[\da-f]{1,4}:)*:(?::?[\da-f]{1,4}){1,7}/gi;

/** Every address and every port that the clause names. */
export function* checkNetwork(clause: ClaimClause): Steps<readonly CheckedSpan[]> {
  const spans: CheckedSpan[] = [];
  for (const { address, end, start } of addressesIn(clause.text)) {
    yield;
    spans.push({ start, end, result: ofAddress(clause, address) });
  }
  for (const { end, port, start } of portsIn(clause)) {
    yield;
    spans.push({ start, end, result: ofPort(clause, port) });
  }
  return spans;
}

interface Address {
  readonly address: string;
  readonly start: number;
  readonly end: number;
}

function addressesIn(text: string): readonly Address[] {
  return [IPV4, IPV6].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({
      address: match[0].toLowerCase(),
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
}

/** What an address is used for. The machine's own has no word for it. */
const ROLES = ["gateway", "dns", "remote", "peer", "broadcast", "netmask", "public", "external"];

function roleOf(words: readonly string[]): string {
  return (
    ROLES.find(
      (role) => words.includes(role) || (role === "dns" && words.some((word) => /^nameservers?$/.test(word))),
    ) ?? "own"
  );
}

function ofAddress(clause: ClaimClause, address: string): PartResult {
  const role = roleOf(clause.tokens.map(({ word }) => word));
  const isNegated = isNegatedAt(clause, clause.tokens.length);
  const findings = clause.facts.facts.flatMap((fact): FactFinding[] => {
    const found = typeof fact.value === "string" ? addressesIn(fact.value).map((one) => one.address) : [];
    const words = fact.path.flatMap(keyWords);
    if (found.length === 0 || roleOf(words) !== role || !belongs(fact, clause)) return [];
    const evidence = evidenceOfFact(fact);
    const text = `says ${address}, ${evidence.source} has ${evidence.value}`;
    const isSame = found.includes(address) !== isNegated;
    return [
      {
        relation: isSame ? "same" : "opposed",
        origin: fact.origin,
        evidence,
        reason: { code: "identifier_unknown", text },
      },
    ];
  });
  const nothing: Reason = { code: "identifier_unknown", text: `no reading has ${address}` };
  return decide(anyOf(findings), false, nothing);
}

/** A machine has several addresses and ports: one that fits is enough. */
function anyOf(findings: readonly FactFinding[]): readonly FactFinding[] {
  const same = findings.filter(({ relation }) => relation === "same");
  return same.length > 0 ? same : findings;
}

function belongs({ things }: Fact, { mentions }: ClaimClause): boolean {
  const named = mentions.filter(({ name }) => !/^[\d.:]+$/.test(name));
  if (named.length === 0) return true;
  return things.some((thing) => named.some(({ name }) => canonicalNamesOf(thing).includes(name)));
}

interface ClaimedPort {
  readonly port: number;
  readonly start: number;
  readonly end: number;
}

function portsIn({ text }: ClaimClause): readonly ClaimedPort[] {
  const list =
    /\bports?\s+((?:number\s+)?\d{1,5}(?:\/(?:tcp|udp))?(?:(?:,\s*|\s+and\s+|,\s*and\s+)\d{1,5}(?:\/(?:tcp|udp))?)*)/gi;
  return [...text.matchAll(list)].flatMap((match) =>
    [...match[1]!.matchAll(/\d{1,5}/g)].map((number) => {
      const start = match.index + match[0].length - match[1]!.length + number.index;
      return { port: Number(number[0]), start, end: start + number[0].length };
    }),
  );
}

function ofPort(clause: ClaimClause, port: number): PartResult {
  const isNegated = isNegatedAt(clause, clause.tokens.length) !== saysClosed(clause);
  const facts = clause.facts.facts.filter((fact) => isPortFact(fact) && belongs(fact, clause));
  const findings = facts.flatMap((fact): FactFinding[] => {
    const isHere = portsOf(fact).includes(port) && !isClosed(fact, clause);
    const evidence = evidenceOfFact(fact);
    const text = `${evidence.source} has ${evidence.value}`;
    return [
      {
        relation: isHere !== isNegated ? "same" : "opposed",
        origin: fact.origin,
        evidence,
        reason: { code: "identifier_unknown", text },
      },
    ];
  });
  const nothing: Reason = { code: "identifier_unknown", text: `no reading tells of port ${port}` };
  // One port that is there decides; that it is not there takes all of them.
  const here = findings.filter(({ relation }) => relation === (isNegated ? "opposed" : "same"));
  const whole =
    here.length > 0 || clause.facts.listings.every(({ isComplete, kind }) => kind !== "port" || isComplete);
  return decide(here.length > 0 ? here : whole ? findings : [], true, nothing);
}

function saysClosed({ text }: ClaimClause): boolean {
  return /\b(?:closed|free|unused|not in use)\b/i.test(text);
}

function isPortFact({ path, words, value }: Fact): boolean {
  if (typeof value === "boolean") return false;
  const isNamed = [...words, ...keyWords(path.at(-2) ?? "")].some(
    (word) => kindOf(word) === "port" || /^(?:listening|listen|bind|local)$/.test(word),
  );
  return (
    isNamed &&
    (typeof value === "number" || /\d/.test(value)) &&
    !words.some((word) => /^(?:count|total|pid|id)$/.test(word))
  );
}

/** 8080, "80/tcp", "0.0.0.0:8080->80/tcp", "*:443", "80, 443". */
function portsOf({ value }: Fact): readonly number[] {
  if (typeof value === "number") return [value];
  return [
    ...String(value)
      .replace(IPV4, "")
      .matchAll(/(?<![\d.])\d{1,5}(?![\d.])/g),
  ].map((match) => Number(match[0]));
}

function isClosed({ parent }: Fact, { facts }: ClaimClause): boolean {
  return factsOf(parent, facts).some(
    (fact) =>
      typeof fact.value === "string" &&
      /^(?:state|status)$/.test(fact.words.join("_")) &&
      stateOf(fact.value)?.family === "closed",
  );
}
