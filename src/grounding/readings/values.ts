/** Claims of the form "the hostname is corellia": a field that is named, and what it is said to hold. */

import type { Reason } from "../../domain/answer.js";
import { grouped } from "../../lib/grouped.js";
import { pattern } from "../../lib/pattern.js";
import { type ClaimClause, isNegatedAt } from "./clause.js";
import type { Fact } from "./facts.js";
import { decide, evidenceOfFact, type FactFinding, type PartResult } from "./finding.js";
import { canonicalNamesOf, isUsual } from "./names.js";
import type { ClaimWord } from "./text.js";
import { tokensOf } from "./text.js";
import { isVolatileMeasure, keyWords, kindOf, resourceOf, stateOf } from "./vocabulary.js";

/** A field that the clause names, checked; `used` are the words that it rests on. */
export interface CheckedValue {
  readonly used: readonly ClaimWord[];
  readonly result: PartResult;
}

/** `taken` says which tokens other checks have dealt with. Undefined when the clause names no field, or no value. */
export function checkValue(
  clause: ClaimClause,
  taken: (token: ClaimWord) => boolean,
): CheckedValue | undefined {
  const fields = fieldsNamed(clause);
  const words = new Set(fields.flatMap(({ named }) => named));
  const used = valueTokens(clause, words, taken);
  if (used.length === 0) return undefined;
  if (fields.length === 0) {
    const attribute = ATTRIBUTES.find((word) => clauseWords(clause).has(word));
    if (attribute === undefined) return undefined;
    return {
      used,
      result: {
        type: "unknown",
        evidence: [],
        reasons: [{ code: "words_not_found", text: `no reading of the ${attribute}` }],
      },
    };
  }
  const isNegated = isNegatedAt(clause, clause.tokens.indexOf(used[0]!));
  const claimed = used.map(({ word }) => word);
  const groups = groupsOf(fields);
  const telling = claimed.map((word) => ({ word, by: groupsTelling(word, groups) }));
  const findings = groups.flatMap((group): FactFinding[] => {
    const apart = telling
      .filter(({ by }) => [...by].every((name) => name === group[0]!.named[0]))
      .map(({ word }) => word);
    const isRight =
      groupHolds(
        apart,
        group.map(({ fact }) => fact),
      ) !== isNegated;
    const shown = group.find(({ fact }) => tellsOf(claimed, fact)) ?? group[0]!;
    const evidence = evidenceOfFact(shown.fact);
    const text = `says ${claimed.join(" ")}, ${evidence.source} has ${evidence.value}`;
    const code = claimed.some((word) => /\d/.test(word)) ? "number_differs" : "name_unknown";
    return [
      { relation: isRight ? "same" : "opposed", origin: shown.fact.origin, evidence, reason: { code, text } },
    ];
  });
  const nothing: Reason = { code: "words_not_found", text: "no reading tells this" };
  return { used, result: decide(findings, isVolatileField(fields), nothing) };
}

/** Fields that a machine is asked for, whether or not a reading has them. */
const ATTRIBUTES = [
  "hostname",
  "os",
  "kernel",
  "gateway",
  "dns",
  "timezone",
  "domain",
  "architecture",
  "version",
  "ip",
];

interface NamedField {
  readonly fact: Fact;
  /** The words of the clause that name it. */
  readonly named: readonly string[];
}

/** Words that a key may have beyond those that name it. */
const INCIDENTAL = pattern()`
  ^(?:name|pretty|id|codename|release|model|value|current|info|string|full|version|percent
  |pct|celsius|c|s|seconds|gb|mb|level|system|default)$
`;

function fieldsNamed(clause: ClaimClause): readonly NamedField[] {
  const words = clauseWords(clause);
  return clause.facts.facts.flatMap((fact): NamedField[] => {
    if (typeof fact.value === "boolean" || !belongs(fact, clause)) return [];
    const own = fact.words.map(singular);
    const telling = own.filter((word) => !INCIDENTAL.test(word));
    const needed =
      telling.length > 0
        ? telling
        : own.filter((word) => word === "version" || word === "model" || word === "level");
    // A state has a check of its own.
    if (needed.length === 0 || /^(?:status|state|health)$/.test(needed.join("_"))) return [];
    if (needed.length === own.length && needed.every((word) => stateOf(word) !== undefined)) return [];
    return needed.every((word) => words.has(word)) ? [{ fact, named: own }] : [];
  });
}

const OS_NAMES = pattern()`
  ^(?:ubuntu|debian|fedora|centos|rhel|redhat|rocky|almalinux|alpine|arch|archlinux
  |manjaro|mint|opensuse|suse|gentoo|nixos|windows|macos|freebsd|openbsd|raspbian|kali
  |linux|pop!?_os)$
`;
const ARCHITECTURES = /^(?:x86_64|x86-64|amd64|arm64|aarch64|armv7l?|i[36]86|riscv64)$/;

/** The words of a clause, and the fields that its values belong to without being named. */
function clauseWords({ mentions, tokens }: ClaimClause): ReadonlySet<string> {
  const words = new Set(tokens.map(({ word }) => singular(word)));
  if ([...words].some((word) => OS_NAMES.test(word))) words.add("os");
  if ([...words].some((word) => ARCHITECTURES.test(word))) words.add("arch").add("architecture");
  if (words.has("architecture")) words.add("arch");
  if (words.has("arch")) words.add("architecture");
  if (words.has("processor")) words.add("cpu");
  const isVersioned = tokens.some(
    ({ start, text }) =>
      /^v?\d+(?:\.\d+)+/.test(text) &&
      mentions.some(({ end }) => end + 1 === start || end + " version ".length === start),
  );
  if (isVersioned) words.add("version");
  return words;
}

function singular(word: string): string {
  return /^(?:dns|os|status|address|https?|class|process)$/.test(word)
    ? word
    : word.replace(/(?<=[a-z]{2})s$/, "");
}

function belongs({ things, path, value }: Fact, { mentions }: ClaimClause): boolean {
  const thing = things[0];
  const known = mentions.filter(({ isKnown }) => isKnown);
  if (thing === undefined) {
    // `installed_packages: { nginx: "1.24" }` has its thing; a plain field is the machine's.
    return known.every(({ name }) => name === String(value).toLowerCase() || path.includes(name));
  }
  return known.some(({ name }) => canonicalNamesOf(thing).includes(name));
}

/** What the clause says that a field holds: the words that are neither usual nor the field's own. */
function valueTokens(
  clause: ClaimClause,
  named: ReadonlySet<string>,
  taken: (token: ClaimWord) => boolean,
): readonly ClaimWord[] {
  return clause.tokens.filter((token, i) => {
    const isMention = clause.mentions.some(
      ({ end, isKnown, start }) => isKnown && start <= token.start && token.start < end,
    );
    if (taken(token) || isMention || named.has(singular(token.word))) return false;
    if (/\p{N}/u.test(token.text)) return true;
    if (i === 0 && !/^\p{Ll}/u.test(token.text) && isUsual(token.word)) return false;
    return !isUsual(token.word) && !ATTRIBUTES.includes(token.word);
  });
}

/** Fields that tell of one thing together: `os_name` and `os_version`. */
function groupsOf(fields: readonly NamedField[]): readonly (readonly NamedField[])[] {
  const groups = grouped(
    fields,
    ({ fact: { origin, parent, words } }) => `${origin.name} ${parent} ${words[0]}`,
  );
  return [...groups.values()];
}

/** What the groups are named by that have this word in a value. */
function groupsTelling(
  word: string,
  groups: readonly (readonly NamedField[])[],
): ReadonlySet<string | undefined> {
  const telling = groups.filter((group) => group.some(({ fact }) => tellsOf([word], fact)));
  return new Set(telling.map((group) => group[0]!.named[0]));
}

function groupHolds(claimed: readonly string[], facts: readonly Fact[]): boolean {
  return claimed.every((word) => facts.some((fact) => tellsOf([word], fact)));
}

/** Whether one of these words stands in the field's value. */
function tellsOf(claimed: readonly string[], fact: Fact): boolean {
  const { words } = fact;
  const held = wordsHeld(fact);
  const isName = words.some((word) => /^(?:hostname|host|domain|node)$/.test(word));
  return claimed.some((word) =>
    held.some((other) => isSameWord(word, other) || (isName && other.split(".")[0] === word)),
  );
}

/** Each value is asked for its words by each word of each clause. */
const held = new WeakMap<Fact, readonly string[]>();

function wordsHeld(fact: Fact): readonly string[] {
  const known = held.get(fact);
  if (known !== undefined) return known;
  const words = tokensOf(String(fact.value)).map(({ word }) => word);
  held.set(fact, words);
  return words;
}

function isSameWord(claimed: string, held: string): boolean {
  if (claimed === held) return true;
  const [a, b] = [claimed.replace(/^v(?=\d)/, ""), held.replace(/^v(?=\d)/, "")];
  if (/^-?\d+(?:\.\d+)?$/.test(a) && /^-?\d+(?:\.\d+)?$/.test(b))
    return Number(a) === Number(b) || b.startsWith(`${a}.`);
  // "6.8" for 6.8.0-45, "12" for 12.1.
  return /^\d/.test(a) && (b.startsWith(`${a}.`) || b.startsWith(`${a}-`));
}

function isVolatileField(fields: readonly NamedField[]): boolean {
  return fields.some(({ fact }) => {
    const resource = fact.words.map(resourceOf).find((one) => one !== undefined);
    const kind = fact.words.map(kindOf).find((one) => one !== undefined);
    if (fact.things[0]?.kind === "process" || keyWords(fact.path.at(-1) ?? "").includes("pid")) return true;
    return (
      kind === undefined &&
      typeof fact.value === "number" &&
      resource !== undefined &&
      isVolatileMeasure(resource, undefined, false)
    );
  });
}
