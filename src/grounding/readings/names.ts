/** Which things a clause is about: names that the readings know, and names that they do not. */
import type { Steps } from "../../lib/steps.js";
import { isAnyNumberWord } from "../../words/quantity/quantities.js";
import { FACTS_PER_STEP, type Facts, type Thing } from "./facts.js";
import { type ClaimWord, canonicalName, looksLikeIdentifier, tokensOf } from "./text.js";
import { aspectOf, kindOf, resourceOf, stateOf } from "./vocabulary.js";

/** A thing that a clause names. */
export interface Mention {
  /** As names are compared; see `canonicalName`. */
  readonly name: string;
  /** What it is said to be, such as `container`. */
  readonly kind: string | undefined;
  readonly isKnown: boolean;
  readonly start: number;
  readonly end: number;
}

/** Words of a known name at the most, when it is said with spaces. */
const NAME_WORDS_MAX = 4;

/** Every name that the readings have, in canonical form. */
export function* knownNames({ facts, listings }: Facts): Steps<ReadonlySet<string>> {
  const things = new Set(
    [...facts.map((fact) => fact.things), ...listings.map(({ members }) => members)].flat(),
  );
  const names = new Set<string>();
  let looked = 0;
  for (const thing of things) {
    if (looked++ % FACTS_PER_STEP === 0) yield;
    for (const name of canonicalNamesOf(thing)) if (/[\p{L}/]/u.test(name)) names.add(name);
  }
  return names;
}

export function canonicalNamesOf(thing: Thing): readonly string[] {
  const known = canonical.get(thing);
  if (known !== undefined) return known;
  const names = thing.names.map((name) => canonicalName(name, thing.kind));
  canonical.set(thing, names);
  return names;
}

/** Each thing is asked for its names by each clause. */
const canonical = new WeakMap<Thing, readonly string[]>();

/** The names in `text`, in order; `verbAt` is where its predicate begins. */
export function mentionsIn(text: string, verbAt: number, known: ReadonlySet<string>): readonly Mention[] {
  const tokens = tokensOf(text);
  const mentions: Mention[] = [];
  for (let i = 0; i < tokens.length; ) {
    const length = knownLength(tokens, i, known);
    if (length > 0) {
      mentions.push(mentionOf(tokens, i, length, true));
      i += length;
      continue;
    }
    const isQualifier = tokens[i]!.word === "docker" && kindOf(tokens[i + 1]?.word ?? "") === "container";
    if (!isQualifier && isUnknownName(tokens[i]!, i, verbAt)) mentions.push(mentionOf(tokens, i, 1, false));
    i += 1;
  }
  const shared = sharedKind(mentions, text);
  return mentions.map((mention) => ({ ...mention, kind: mention.kind ?? shared }));
}

/** How many words from `at` on are one known name, the longest first; 0 when none is. */
function knownLength(tokens: readonly ClaimWord[], at: number, known: ReadonlySet<string>): number {
  for (let length = Math.min(NAME_WORDS_MAX, tokens.length - at); length > 0; length--) {
    const words = tokens.slice(at, at + length).map(({ word }) => word);
    if (!known.has(canonicalName(words.join(" ")))) continue;
    // A name that is a usual word is one only where it is written as a name.
    if (length === 1 && isUsual(words[0]!) && kindNextTo(tokens, at, 1) === undefined) continue;
    return length;
  }
  return 0;
}

function mentionOf(tokens: readonly ClaimWord[], at: number, length: number, isKnown: boolean): Mention {
  const words = tokens.slice(at, at + length);
  return {
    name: canonicalName(words.map(({ word }) => word).join(" ")),
    kind: words[0]!.word.endsWith(".service") ? "service" : kindNextTo(tokens, at, length),
    isKnown,
    start: words[0]!.start,
    end: words.at(-1)!.end,
  };
}

/** "the nginx container", "container nginx". */
function kindNextTo(tokens: readonly ClaimWord[], at: number, length: number): string | undefined {
  const [before, after] = [tokens[at - 1]?.word, tokens[at + length]?.word];
  return (
    kindOf(after ?? "") ??
    kindOf(before === "named" || before === "called" ? (tokens[at - 2]?.word ?? "") : (before ?? ""))
  );
}

/** "the containers nginx and redis": the kind is said once for all. */
function sharedKind(mentions: readonly Mention[], text: string): string | undefined {
  if (mentions.length < 2) return undefined;
  const kinds = [
    ...new Set(
      tokensOf(text)
        .map(({ word }) => kindOf(word))
        .filter((kind) => kind !== undefined),
    ),
  ];
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** What stands where a subject stands, and is no usual word. */
function isUnknownName({ text, word }: ClaimWord, index: number, verbAt: number): boolean {
  if (/^\p{N}/u.test(text) || isUsual(word)) return false;
  return looksLikeIdentifier(text) || index < verbAt;
}

/** Words that name nothing. */
export function isUsual(word: string): boolean {
  return (
    COMMON.has(word) ||
    word.split("-").every(isAnyNumberWord) ||
    GLUE.has(word) ||
    kindOf(word) !== undefined ||
    stateOf(word) !== undefined ||
    resourceOf(word) !== undefined ||
    aspectOf(word) !== undefined
  );
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** The machine itself, and what there is of everything. */
const COMMON = words(
  `machine system server computer host box device hostname name os kernel version everything all none both each every any
  status state`,
);

const GLUE = words(
  `a an the this that these those there here it its it's they them their he she his her i i'm i've me my we us our
  you you're you've your yours is are was were be been being am isn't aren't wasn't weren't has have had hasn't haven't
  do does did don't doesn't didn't will won't would can can't cannot could should shall may might must not no nor neither
  either never nothing nobody only also just still already currently now right today moment currently present presently
  again yet too very well fine normally smoothly properly correctly fully completely successfully as expected usual
  in on at of for from to with without by into over under about around since until than then so and or but if while
  because due per via inside within across between after before during up out more less least most fewer some
  several many few much other others another same different own total count number amount figure value reading
  percent percentage gb mb kb tb gib mib kib tib byte bytes hours hour minutes minute seconds second days day weeks week
  what which who whom whose when where why how yes no good bad okay ok
  long ago last recent recently latest first next new old currently uses using use used run runs running ran listens
  listen shows show says say said report reports reported remains remain stays stay called named said known found seen
  appears seems look looks like set reads gives equals instance instances application app program software tool output
  result snapshot according information data details configured config ip address addresses ips ipv4 ipv6 gateway dns
  nameserver nameservers operating distribution distro architecture arch model make release codename pretty local
  localhost unfortunately fortunately luckily sadly overall
  additionally moreover furthermore meanwhile finally indeed actually obviously clearly however therefore thus generally
  following list listed includes include including consists consist namely down moment time default root
  login logged shell home directory folder file timezone domain load average usage`,
);
