/** Claims about addresses and ports, of which a machine has several: one that is there decides. */
import type { Steps } from "../../lib/steps.js";
import { type ClaimClause, isMentioned, isNegatedAt } from "./clause.js";
import type { Fact } from "./facts.js";
import { type CheckedSpan, decide, type PartResult, told, unknown } from "./finding.js";
import { keyWords, kindOf, stateOf } from "./vocabulary.js";

/** An address or a port in a text. */
interface NetworkName {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Every address and every port that the clause names. */
export function* checkNetwork(clause: ClaimClause): Steps<readonly CheckedSpan[]> {
  const spans: CheckedSpan[] = [];
  const addresses = addressesIn(clause.text);
  for (const name of [...addresses, ...portsIn(clause.text)]) {
    yield;
    const outcomeOf = addresses.includes(name) ? ofAddress : ofPort;
    spans.push({ ...name, result: outcomeOf(clause, name.text) });
  }
  return spans;
}

const IPV4 = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)/g;
const IPV6 =
  /(?<![\w:])(?:[\da-f]{1,4}:){2,7}(?::?[\da-f]{1,4}){0,6}(?:::)?|(?<![\w:])(?:[\da-f]{1,4}:)*:(?::?[\da-f]{1,4}){1,7}/gi;

function addressesIn(text: string): readonly NetworkName[] {
  return [...text.matchAll(IPV4), ...text.matchAll(IPV6)].map(({ 0: found, index }) => nameAt(found, index));
}

const PORTS =
  /\bports?\s+((?:number\s+)?\d{1,5}(?:\/(?:tcp|udp))?(?:(?:,\s*|\s+and\s+|,\s*and\s+)\d{1,5}(?:\/(?:tcp|udp))?)*)/gi;

function portsIn(text: string): readonly NetworkName[] {
  return [...text.matchAll(PORTS)].flatMap(({ 0: found, 1: list = "", index }) =>
    [...list.matchAll(/\d{1,5}/g)].map((port) =>
      nameAt(port[0], index + found.length - list.length + port.index),
    ),
  );
}

function nameAt(found: string, start: number): NetworkName {
  return { text: found.toLowerCase(), start, end: start + found.length };
}

/** What an address is used for. The machine's own has no word for it. */
const ROLES = /^(?:gateway|dns|remote|peer|broadcast|netmask|public|external)$/;

function roleOf(words: readonly string[]): string {
  const role = words.find((word) => ROLES.test(word));
  return role ?? (words.some((word) => /^nameservers?$/.test(word)) ? "dns" : "own");
}

function ofAddress(clause: ClaimClause, address: string): PartResult {
  const role = roleOf(clause.tokens.map(({ word }) => word));
  const known = clause.site.facts
    .filter((fact) => belongs(fact, clause) && roleOf([...fact.around, ...fact.words]) === role)
    .map((fact) => ({ fact, names: addressesIn(String(fact.value)).map(({ text }) => text) }))
    .filter(({ names }) => names.length > 0);
  const here = known.filter(({ names }) => names.includes(address));
  return decideBy(here, known, isNegatedAt(clause, clause.tokens.length), address, false);
}

function ofPort(clause: ClaimClause, port: string): PartResult {
  const { mentions, site, text, tokens } = clause;
  const isNegated = isNegatedAt(clause, tokens.length) !== /\b(?:closed|free|unused)\b/i.test(text);
  const closed = new Set(site.facts.filter(isClosed).map(({ beside }) => beside));
  const ports = site.facts.filter((fact) => isPortFact(fact) && belongs(fact, clause));
  const known = ports.map((fact) => ({ fact }));
  const here = known.filter(({ fact }) => portsOf(fact).includes(Number(port)) && !closed.has(fact.beside));
  const isWhole = site.lists.every(({ isComplete, kind }) => kind !== "port" || isComplete);
  // A container's ports are not all that the machine has.
  const isOwn = ({ things }: Fact) => things[0]?.kind !== "container" || isMentioned(things, mentions);
  const all = isWhole ? known.filter(({ fact }) => isOwn(fact)) : [];
  return decideBy(here, all, isNegated, port, true);
}

/** A field that has the name decides; that it is not there takes all of them. */
function decideBy(
  here: readonly { readonly fact: Fact }[],
  all: readonly { readonly fact: Fact }[],
  isNegated: boolean,
  name: string,
  volatile: boolean,
): PartResult {
  const isSo = here.length > 0 !== isNegated;
  const findings = (here.length > 0 ? here : all).map(({ fact }) =>
    told(fact, isSo, "identifier_unknown", name),
  );
  return decide(findings, volatile, unknown("identifier_unknown", `no reading has ${name}`));
}

function belongs({ things }: Fact, { mentions }: ClaimClause): boolean {
  const named = mentions.filter(({ name }) => !/^[\d.:]+$/.test(name));
  return named.length === 0 || things.some((thing) => isMentioned([thing], named));
}

function isPortFact({ path, value, words }: Fact): boolean {
  if (typeof value === "boolean" || !/\d/.test(String(value))) return false;
  const isNamed = [...words, ...keyWords(path.at(-2) ?? "")].some(
    (word) => kindOf(word) === "port" || /^(?:listening|listen|bind|local)$/.test(word),
  );
  return isNamed && !words.some((word) => /^(?:count|total|pid|id)$/.test(word));
}

/** 8080, "80/tcp", "0.0.0.0:8080->80/tcp", "*:443", "80, 443". */
function portsOf({ value }: Fact): readonly number[] {
  const ports = String(value)
    .replace(IPV4, "")
    .matchAll(/(?<![\d.])\d{1,5}(?![\d.])/g);
  return [...ports].map(([port]) => Number(port));
}

function isClosed({ value, words }: Fact): boolean {
  return /^(?:state|status)$/.test(words.join("_")) && stateOf(String(value))?.family === "closed";
}
