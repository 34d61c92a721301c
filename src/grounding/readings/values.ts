/** Claims of the form "the hostname is corellia": a field that is named, and what it is said to hold. */
import { grouped } from "../../lib/grouped.js";
import { pattern } from "../../lib/pattern.js";
import { type ClaimClause, isMentioned, isNegatedAt, isWithin } from "./clause.js";
import type { Fact } from "./facts.js";
import { decide, type FactFinding, type PartResult, told, unknown } from "./finding.js";
import { isUsual } from "./names.js";
import type { ClaimWord } from "./text.js";
import { isVolatileMeasure, kindOf, resourceOf, stateOf } from "./vocabulary.js";

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
  const words = clauseWords(clause);
  const fields = clause.site.facts.filter((fact) => isNamed(fact, words) && belongs(fact, clause));
  const named = new Set(fields.flatMap((fact) => fact.words.map(singular)));
  const used = valueTokens(clause, (token) => taken(token) || named.has(singular(token.word)));
  if (used.length === 0) return undefined;
  if (fields.length === 0) {
    const attribute = ATTRIBUTES.find((word) => words.has(word));
    const result = unknown("words_not_found", `no reading of the ${attribute}`);
    return attribute === undefined ? undefined : { used, result };
  }
  const isNegated = isNegatedAt(clause, clause.tokens.indexOf(used[0]!));
  const claimed = used.map(({ word }) => word);
  const findings = groupsOf(fields, claimed).map(({ group, words: own }): FactFinding => {
    const holds = own.every((word) => group.some((fact) => hasWord(fact, word)));
    const shown = group.find((fact) => claimed.some((word) => hasWord(fact, word))) ?? group[0]!;
    const code = claimed.some((word) => /\d/.test(word)) ? "number_differs" : "name_unknown";
    return told(shown, holds !== isNegated, code, claimed.join(" "));
  });
  const nothing = unknown("words_not_found", "no reading tells this");
  return { used, result: decide(findings, fields.some(isVolatileField), nothing) };
}

/** Fields that a machine is asked for, whether or not a reading has them. */
const ATTRIBUTES = "hostname os kernel gateway dns timezone domain architecture version ip".split(" ");

/** Words that a key may have beyond those that name it. */
const INCIDENTAL = pattern()`
  ^(?:name|pretty|id|codename|release|model|value|current|info|string|full|version|percent
  |pct|celsius|c|s|seconds|gb|mb|level|system|default)$
`;

/** Whether these words name the field. A state has a check of its own. */
function isNamed({ value, words }: Fact, said: ReadonlySet<string>): boolean {
  const own = words.map(singular);
  const telling = own.filter((word) => !INCIDENTAL.test(word));
  const needed = telling.length > 0 ? telling : own.filter((word) => /^(?:version|model|level)$/.test(word));
  if (typeof value === "boolean" || needed.length === 0) return false;
  if (/^(?:status|state|health)$/.test(needed.join("_"))) return false;
  return needed.every((word) => said.has(word)) && !own.every((word) => stateOf(word) !== undefined);
}

const OS_NAMES = pattern()`
  ^(?:ubuntu|debian|fedora|centos|rhel|redhat|rocky|almalinux|alpine|arch|archlinux
  |manjaro|mint|opensuse|suse|gentoo|nixos|windows|macos|freebsd|openbsd|raspbian|kali
  |linux|pop!?_os)$
`;

/** The words of a clause, and the fields that its values belong to without being named. */
function clauseWords({ mentions, text, tokens }: ClaimClause): ReadonlySet<string> {
  const words = tokens.map(({ word }) => singular(word));
  const isVersioned = mentions.some(
    ({ end }) => end > 0 && /^ (?:version )?v?\d+(?:\.\d+)+/i.test(text.slice(end)),
  );
  return new Set([
    ...words,
    ...(words.some((word) => OS_NAMES.test(word)) ? ["os"] : []),
    ...(words.some((word) => /^arch(?:itecture)?$/.test(word)) ? ["arch", "architecture"] : []),
    ...(words.includes("processor") ? ["cpu"] : []),
    ...(isVersioned ? ["version"] : []),
  ]);
}

function singular(word: string): string {
  const isSingular = /^(?:dns|os|status|address|https?|class|process)$/.test(word);
  return isSingular ? word : word.replace(/(?<=[a-z]{2})s$/, "");
}

/** A field without a thing is the machine's own: `installed_packages: { nginx: "1.24" }` has one. */
function belongs({ path, things, value }: Fact, { mentions }: ClaimClause): boolean {
  const known = mentions.filter(({ isKnown }) => isKnown);
  if (things.length > 0) return isMentioned(things, known);
  return known.every(({ name }) => name === String(value).toLowerCase() || path.includes(name));
}

/** What the clause says that a field holds: the words that are neither usual nor the field's own. */
function valueTokens({ mentions, tokens }: ClaimClause, taken: (token: ClaimWord) => boolean): ClaimWord[] {
  const known = mentions.filter(({ isKnown }) => isKnown);
  return tokens.filter((token) => {
    if (taken(token) || isWithin(token, known)) return false;
    return /\p{N}/u.test(token.text) || !(isUsual(token.word) || ATTRIBUTES.includes(token.word));
  });
}

/**
 * Fields that tell of one thing together, such as `os_name` and `os_version`, each with the claimed words that it has to
 * hold: not those that other fields alone have.
 */
function groupsOf(fields: readonly Fact[], claimed: readonly string[]) {
  const objects = [...grouped(fields, ({ beside }) => beside).values()];
  const groups = objects.flatMap((object) => [...grouped(object, ({ words }) => words[0]).values()]);
  const holders = claimed.map((word) => {
    const holding = groups.filter((group) => group.some((fact) => hasWord(fact, word)));
    return { word, names: new Set(holding.map((group) => group[0]!.words[0])) };
  });
  return groups.map((group) => {
    const own = holders.filter(({ names }) => [...names].every((name) => name === group[0]!.words[0]));
    return { group, words: own.map(({ word }) => word) };
  });
}

/** Whether a word stands in the field's value: a host by its first name, a version by its first numbers. */
function hasWord({ said, words }: Fact, claimed: string): boolean {
  const isName = words.some((word) => /^(?:hostname|host|domain|node)$/.test(word));
  return said.some((held) => isSameWord(claimed, held) || (isName && held.split(".")[0] === claimed));
}

function isSameWord(claimed: string, held: string): boolean {
  const [a, b] = [claimed, held].map((word) => word.replace(/^v(?=\d)/, "")) as [string, string];
  if (a === b) return true;
  // "6.8" for 6.8.0-45, "12" for 12.1.
  if (/^\d/.test(a) && (b.startsWith(`${a}.`) || b.startsWith(`${a}-`))) return true;
  return [a, b].every((word) => /^-?\d+(?:\.\d+)?$/.test(word)) && Number(a) === Number(b);
}

function isVolatileField({ things, value, words }: Fact): boolean {
  if (things[0]?.kind === "process" || words.includes("pid")) return true;
  const resource = words.map(resourceOf).find((one) => one !== undefined);
  if (resource === undefined || typeof value !== "number") return false;
  return words.every((word) => kindOf(word) === undefined) && isVolatileMeasure(resource, undefined, false);
}
