/** Which things a clause is about: names that the readings know, and names that they do not. */
import { wordSet } from "../../lib/word-set.js";
import { FUNCTION_WORDS } from "../../words/function-words.js";
import { isAnyNumberWord } from "../../words/quantity/quantities.js";
import { type ClaimWord, canonicalName, looksLikeIdentifier } from "./text.js";
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

/** The names in a clause, in order; `verbAt` is where its predicate begins, `known` are the names of the readings. */
export function mentionsIn(
  tokens: readonly ClaimWord[],
  verbAt: number,
  known: ReadonlySet<string>,
): readonly Mention[] {
  const mentions: Mention[] = [];
  for (let i = 0; i < tokens.length; ) {
    const length = knownLength(tokens, i, known);
    if (length > 0) mentions.push(mentionOf(tokens, i, length, true));
    else if (isUnknownName(tokens, i, verbAt)) mentions.push(mentionOf(tokens, i, 1, false));
    i += Math.max(1, length);
  }
  // "the containers nginx and redis": the kind is said once for all.
  const kinds = new Set(tokens.flatMap(({ word }) => kindOf(word) ?? []));
  const [shared] = mentions.length > 1 && kinds.size === 1 ? kinds : [];
  return mentions.map((mention) => ({ ...mention, kind: mention.kind ?? shared }));
}

/** How many words from `at` on are one known name, the longest first; 0 when none is. */
function knownLength(tokens: readonly ClaimWord[], at: number, known: ReadonlySet<string>): number {
  for (let length = Math.min(NAME_WORDS_MAX, tokens.length - at); length > 0; length--) {
    if (!known.has(nameAt(tokens, at, length))) continue;
    // A name that is a usual word is one only where it is written as a name.
    if (length > 1 || !isUsual(tokens[at]!.word) || kindNextTo(tokens, at, 1) !== undefined) return length;
  }
  return 0;
}

function nameAt(tokens: readonly ClaimWord[], at: number, length: number): string {
  const words = tokens.slice(at, at + length).map(({ word }) => word);
  return canonicalName(words.join(" "));
}

function mentionOf(tokens: readonly ClaimWord[], at: number, length: number, isKnown: boolean): Mention {
  const [{ start, word }, { end }] = [tokens[at]!, tokens[at + length - 1]!];
  const kind = word.endsWith(".service") ? "service" : kindNextTo(tokens, at, length);
  return { name: nameAt(tokens, at, length), kind, isKnown, start, end };
}

/** "the nginx container", "container nginx", "a container named nginx". */
function kindNextTo(tokens: readonly ClaimWord[], at: number, length: number): string | undefined {
  const wordAt = (i: number) => tokens[i]?.word ?? "";
  const before = /^(?:named|called)$/.test(wordAt(at - 1)) ? at - 2 : at - 1;
  return kindOf(wordAt(at + length)) ?? kindOf(wordAt(before));
}

/** What stands where a subject stands, and is no usual word: not "docker" of "the docker container". */
function isUnknownName(tokens: readonly ClaimWord[], at: number, verbAt: number): boolean {
  const { text, word } = tokens[at]!;
  if (/^\p{N}/u.test(text) || isUsual(word)) return false;
  if (word === "docker" && kindOf(tokens[at + 1]?.word ?? "") === "container") return false;
  return looksLikeIdentifier(text) || at < verbAt;
}

/** Words that name nothing. */
export function isUsual(word: string): boolean {
  return (
    USUAL.has(word) ||
    FUNCTION_WORDS.has(word) ||
    word.split("-").every(isAnyNumberWord) ||
    [kindOf, stateOf, resourceOf, aspectOf].some((meaningOf) => meaningOf(word) !== undefined)
  );
}

/** The machine itself, ways of saying, units, and words for what is measured or set. */
const USUAL = wordSet(
  `machine system server computer host box device hostname name os kernel version everything every status state
  never nothing nobody still already currently now right today moment current present presently yet very well fine
  normally smoothly properly correctly fully completely successfully expected usual since fewer total count number
  amount figure value reading percent percentage gb mb kb tb gib mib kib tib byte bytes hours hour minutes minute
  seconds second day days week weeks yes good bad okay ok long ago last recent recently latest first next new old uses
  using use used run runs running ran listens listen shows show says say said report reports reported remains remain
  stays stay called named known found seen appears seems look looks like set reads gives equals instance instances
  application app program software tool output result snapshot according information data details configured config
  ip address addresses ips ipv4 ipv6 gateway dns nameserver nameservers operating distribution distro architecture
  arch model make release codename pretty local localhost unfortunately fortunately luckily sadly overall additionally
  moreover furthermore meanwhile finally indeed actually obviously clearly however therefore thus generally following
  list listed includes include including consists consist namely time default root login logged shell home
  directory folder file timezone domain load average usage others several none much inside due different`,
);
