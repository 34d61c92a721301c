/**
 * How alike two words sound, told from their spelling: letters become speech sounds by the rules of English spelling,
 * and sounds are compared by how they are made, since a noisy hall takes away voice and place first. Pure.
 */
import { NUMBER_WORDS } from "./number-words.js";
import type { Language } from "./polarity.js";

/** Longer words are not compared. */
export const SOUND_CHARS_MAX = 48;

/** Words that are not said as their letters tell. */
const WHOLE: Readonly<Record<string, string>> = pairs("one=wan two=tu eight=At of=ov oh=O gee=Ji");
/** Names of the letters. */
const LETTERS: Readonly<Record<string, string>> = pairs(
  "a=A b=bi c=si d=di e=i f=ef g=Ji h=AC i=I j=JA k=kA l=el m=em n=en o=O p=pi q=kyu r=ar s=es t=ti u=yu v=vi w=dabalyu x=eks y=wI z=zi",
);
/** Letters to sounds, the longest first. Capitals: A in "day", I in "time", O in "go", U in "out", S "sh", C "ch", J "j", T "th". */
const SPELLINGS: readonly (readonly [letters: string, sounds: string])[] = Object.entries(
  pairs(
    "tion=San sion=San eigh=A ough=of augh=of igh=I tch=C sch=sk dge=J eau=O " +
      "ph=f th=T sh=S ch=C gh= ck=k qu=kw wh=w wr=r kn=n ng=N ce=se ci=si cy=sI ge=Je gi=Ji x=ks c=k q=k j=J " +
      "ee=i ea=i ie=i ei=i oo=u ou=U ow=U oa=O ai=A ay=A au=o aw=o ew=u ue=u oi=oI oy=oI",
  ),
).sort(([one], [other]) => other.length - one.length);
const LONG: Readonly<Record<string, string>> = { a: "A", e: "i", i: "I", o: "O", u: "u" };

function pairs(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(text.split(" ").map((pair) => pair.split("=") as [string, string]));
}

/** The sounds of a word or of several, one character each; of digits and single letters as they are said. */
export function soundOf(text: string, language: Language = "en"): string {
  return text
    .slice(0, SOUND_CHARS_MAX)
    .toLowerCase()
    .split(/[\s-]+/)
    .flatMap((word) => word.match(/\p{L}[\p{L}\p{M}]*|\d+/gu) ?? [])
    .map((word) => (/^\d/.test(word) ? soundsOfNumber(word, language) : soundsOfWord(word)))
    .join("");
}

function soundsOfWord(word: string): string {
  if (word.length === 1 && LETTERS[word] !== undefined) return LETTERS[word];
  if (WHOLE[word] !== undefined) return WHOLE[word];
  const plain = word.normalize("NFD").replace(/\p{M}/gu, "");
  // "Time": a silent e makes the vowel before it long.
  const spelt = plain
    .replace(/^ps/, "s")
    .replace(/([aeiou])([bdfgkmnptvz])e(?=s?$)/g, (_all, vowel, next) => `${LONG[vowel]}${next}`)
    .replace(/(?<=[^aeiou]{1,2}[aeiou]?[^aeiou])y$/, "i")
    .replace(/(?<=[^aeiou][^aeiou])e$/, "");
  let sounds = "";
  for (let at = 0; at < spelt.length; ) {
    const rule = SPELLINGS.find(([letters]) => spelt.startsWith(letters, at));
    sounds += rule?.[1] ?? spelt[at]!;
    at += rule?.[0].length ?? 1;
  }
  return sounds.replace(/(.)\1+/g, "$1");
}

/** Above it digits are said one by one. */
const SAID_AS_ONE_MAX = 99;

function soundsOfNumber(digits: string, language: Language): string {
  const value = Number(digits);
  const spoken = value <= SAID_AS_ONE_MAX ? [value] : [...digits].map(Number);
  return spoken
    .flatMap((one) => numberWords(one, language))
    .map(soundsOfWord)
    .join("");
}

function numberWords(value: number, language: Language): readonly string[] {
  const { small, tens } = NUMBER_WORDS[language];
  const word = (words: ReadonlyMap<string, number>, of: number) =>
    [...words].find(([, one]) => one === of)?.[0];
  const whole = word(small, value) ?? word(tens, value);
  if (whole !== undefined) return [whole];
  const rest = value % 10;
  return [word(tens, value - rest), word(small, rest)].filter((one) => one !== undefined);
}

const VOWELS = new Set("aeiouAIOUy");
/** Sounds that are made alike; the first two groups of each pair differ by the voice alone. */
const VOICED = new Set(
  ["pb", "td", "kg", "fv", "sz", "CJ", "nN", "SC", "TD"].flatMap((pair) => [pair, swapped(pair)]),
);
const MANNERS = ["ptkbdg", "fvszSTCJh", "mnN", "lrw"];
const OTHER_VOWEL = 0.4;
const OTHER_VOICE = 0.3;
const OTHER_PLACE = 0.5;
const OTHER_SOUND = 0.75;
const MISSING_VOWEL = 0.4;
const MISSING_CONSONANT = 0.6;

function swapped([one, other]: string): string {
  return `${other}${one}`;
}

/** Sounds are written in ASCII; letters of other scripts stand for themselves, and are not kept. */
const ASCII_SIZE = 128;
const KNOWN_COSTS = new Float64Array(ASCII_SIZE * ASCII_SIZE).fill(-1);

function costOf(one: string, other: string): number {
  if (one === other) return 0;
  const row = one.charCodeAt(0);
  const column = other.charCodeAt(0);
  if (row >= ASCII_SIZE || column >= ASCII_SIZE) return costOfOther(one, other);
  const known = KNOWN_COSTS[row * ASCII_SIZE + column]!;
  if (known >= 0) return known;
  const cost = costOfOther(one, other);
  KNOWN_COSTS[row * ASCII_SIZE + column] = cost;
  return cost;
}

function costOfOther(one: string, other: string): number {
  if (VOWELS.has(one) && VOWELS.has(other)) return OTHER_VOWEL;
  if (VOWELS.has(one) || VOWELS.has(other)) return 1;
  if (VOICED.has(one + other)) return OTHER_VOICE;
  return MANNERS.some((group) => group.includes(one) && group.includes(other)) ? OTHER_PLACE : OTHER_SOUND;
}

const COSTS_WITHOUT = Float64Array.from({ length: ASCII_SIZE }, (_, code) =>
  VOWELS.has(String.fromCharCode(code)) ? MISSING_VOWEL : MISSING_CONSONANT,
);

function costWithout(sound: string): number {
  return COSTS_WITHOUT[sound.charCodeAt(0)] ?? MISSING_CONSONANT;
}

/** Where some sounds stand among words, from the first of them up to the one before `to`, and how different they are. */
export interface SoundPlace {
  readonly from: number;
  readonly to: number;
  readonly cost: number;
}

/**
 * The places among words, given by their sounds, that sound like `sought` within `costMax`: for each last word the best
 * one (the algorithm of Sellers, with beginnings and ends at words). "Fill her" has "filler". No place goes across a word
 * without sounds.
 */
export function soundPlaces(
  sought: string,
  words: readonly string[],
  costMax: number,
): readonly SoundPlace[] {
  const places: SoundPlace[] = [];
  const size = sought.length + 1;
  if (costs.length < size) [costs, starts] = [new Float64Array(2 * size), new Int32Array(2 * size)];
  costs.fill(Number.POSITIVE_INFINITY, 0, size);
  for (const [at, word] of words.entries()) {
    if (word === "") {
      costs.fill(Number.POSITIVE_INFINITY, 0, size);
      continue;
    }
    begin(sought, at);
    for (const sound of word) advance(sought, sound);
    const cost = costs[size - 1]!;
    if (cost <= costMax) places.push({ from: starts[size - 1]!, to: at + 1, cost });
  }
  return places;
}

/** One column of the table, used again by every call: what it costs to have come so far in what is sought. */
let costs = new Float64Array(2 * SOUND_CHARS_MAX);
/** And with which word that began. */
let starts = new Int32Array(2 * SOUND_CHARS_MAX);

/** A place may begin at this word, with the first sounds left out too. */
function begin(sought: string, at: number): void {
  let cost = 0;
  for (let i = 0; i <= sought.length; i++) {
    if (i > 0) cost += costWithout(sought[i - 1]!);
    if (cost >= costs[i]!) continue;
    costs[i] = cost;
    starts[i] = at;
  }
}

/** The column behind one more sound that was said. */
function advance(sought: string, sound: string): void {
  const without = costWithout(sound);
  let [diagonal, diagonalStart] = [costs[0]!, starts[0]!];
  costs[0] = diagonal + without;
  for (let i = 1; i <= sought.length; i++) {
    const wanted = sought[i - 1]!;
    const above = costs[i]!;
    const aboveStart = starts[i]!;
    const replaced = diagonal + costOf(wanted, sound);
    const added = above + without;
    const left = costs[i - 1]! + costWithout(wanted);
    const isReplaced = replaced <= added && replaced <= left;
    costs[i] = isReplaced ? replaced : Math.min(added, left);
    starts[i] = isReplaced ? diagonalStart : added <= left ? aboveStart : starts[i - 1]!;
    diagonal = above;
    diagonalStart = aboveStart;
  }
}

/** How different two words sound, of which `soundOf` gave the sounds: 0 for the same, and up to 1 for each sound. */
export function soundCost(one: string, other: string): number {
  let row = [0];
  for (const sound of other) row.push(row.at(-1)! + costWithout(sound));
  for (const sound of one) {
    const next = [row[0]! + costWithout(sound)];
    for (const [i, against] of [...other].entries())
      next.push(
        Math.min(
          next[i]! + costWithout(against),
          row[i + 1]! + costWithout(sound),
          row[i]! + costOf(sound, against),
        ),
      );
    row = next;
  }
  return row.at(-1)!;
}
