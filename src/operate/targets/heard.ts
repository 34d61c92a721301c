/** What was said, held against the names of resources: which of their words stand where in it. Pure. */
import { grouped } from "../../lib/grouped.js";
import { once } from "../../lib/once.js";
import type { Steps } from "../../lib/steps.js";
import type { Language } from "../../words/polarity.js";
import { soundOf, soundPlaces } from "../../words/sound.js";
import { NAMES_PER_STEP, type NameForm, type NameWord } from "./forms.js";
import { bits, first, has, last, type SaidWords, singular } from "./sentence.js";

/** How different words may sound from a name, for each sound; and from what is short for something. */
const COST_PER_SOUND_MAX = 0.21;
const COST_PER_LETTER_MAX = 0.12;
/** Words of so few sounds are near too many others: one sound of them may be another one that is made alike. */
const FEW_SOUNDS = 3;
const COST_OF_FEW_MAX = 0.5;
/** The same of what has to be a part of what is meant. */
const SURE_COST_PER_SOUND_MAX = 0.13;
/** How much more one name has to sound like some words than another, for the other to be left out. */
const SOUND_MARGIN = 0.5;
/** Sounds that only look the same as a word are worth a little less than the word. */
const SOUND_ONLY = 0.05;
/** What one sound too many costs. */
const ONE_SOUND = 0.62;
/** Letters of the end of a compound. */
const COMPOUND_LETTERS_MIN = 3;
/** Sounds of a name that may be made up of words around things alone: "temp her at your". */
const FRAME_SOUNDS_MIN = 7;

/** What was not said: a word of a name, something of where it is, the beginning of a compound, and a number. */
export const WORD_MISSING = 1;
const PART_MISSING = 0.4;
const ID_MISSING = 0.3;

/** How much of a name was heard. */
export interface HeardForm {
  /** The words that it explains, one bit each. */
  readonly words: number;
  /** Words of it that were not said, a number counting less. */
  readonly missing: number;
  /** How different it sounds, all of it together. */
  readonly cost: number;
  /** The same without its numbers. */
  readonly wordCost: number;
  /** Whether the word that tells what it is was said. */
  readonly hasHead: boolean;
  /** Whether all of it sounds much like what was said. */
  readonly isSure: boolean;
  /** Whether another number may be meant. */
  readonly isDoubtful: boolean;
}

/** How much of a word of a name was heard, and where: before the word `to`. */
interface Place extends Omit<HeardForm, "hasHead"> {
  readonly word: NameWord;
  readonly to: number;
}

/** Languages in which the first word of a name says what the thing is. */
const HEAD_FIRST: ReadonlySet<Language> = new Set<Language>(["es", "fr", "pl", "uk"]);

export class Heard {
  readonly #places: ReadonlyMap<NameWord, readonly Place[]>;
  /** Where words stand that are counted: a number may be behind them. */
  readonly countedPlaces: readonly Place[];

  /** In steps: each name is looked for among the words. */
  static *in(sentence: SaidWords): Steps<Heard> {
    const found: Place[] = [];
    const sounds = sentence.words.map(({ kind, text }) => (kind === "number" ? "" : soundOf(text)));
    for (const [i, word] of [...sentence.index.words.values()].entries()) {
      if (i % NAMES_PER_STEP === 0) yield;
      found.push(...placesOf(word, sentence, sounds));
    }
    return new Heard(sentence, found);
  }

  /** Without places where the same words sound much more like another name. */
  private constructor(
    private readonly sentence: SaidWords,
    found: readonly Place[],
  ) {
    const least = new Map<number, number>();
    for (const { cost, words } of found) least.set(words, Math.min(cost, least.get(words) ?? cost));
    const near = found.filter(({ cost, words }) => cost <= least.get(words)! + SOUND_MARGIN);
    this.#places = grouped(near, ({ word }) => word);
    this.countedPlaces = near.filter(({ word }) => sentence.index.counted.has(word));
  }

  /** How much of a form was heard; none where nothing of it was, or where another number stands in it. */
  readonly form = once((form: NameForm): readonly HeardForm[] => this.#readForm(form));

  #readForm({ head, isIdentifier, items }: NameForm): readonly HeardForm[] {
    const headAt = HEAD_FIRST.has(this.sentence.language) ? head.from : head.to - 1;
    const parts: Place[] = [];
    let [behind, missing, placeMissing] = [0, 0, 0];
    let hasHead = false;
    for (const [i, { id, word }] of items.entries()) {
      const isHead = i >= head.from && i < head.to;
      // "The printer is out of labels" is no label printer.
      const isFree = ({ words }: Place) =>
        (words & together(parts)) === 0 && (!isHead || first(words) >= behind);
      const found = this.#places.get(word) ?? [];
      const places = found.filter((place) => isFree(place) && this.#belongs(place, items));
      const [best] = places.flatMap((place) => this.#numbered(id, place) ?? []).sort(byRank);
      missing += best?.missing ?? (isHead ? WORD_MISSING : 0);
      if (best === undefined && !isHead) placeMissing = PART_MISSING;
      if (best === undefined) continue;
      parts.push(best);
      if (isHead) behind = first(best.words) + 1;
      hasHead ||= i === headAt;
    }
    if (parts.length === 0) return [];
    // "Did el" may be "diesel", and no other word says so.
    const { frame } = this.sentence;
    const isPoor = ({ isSure, to, words }: Place) => !isSure && last(words) < to && (words & frame) !== 0;
    const isGuess = parts.every(isPoor);
    const heard = {
      words: together(parts),
      missing: missing + placeMissing,
      cost: parts.reduce((sum, { cost }) => sum + cost, 0),
      wordCost: parts.reduce((sum, { wordCost }) => sum + wordCost, 0),
      // Of "homepage-docker" either will do; one word of five tells nothing.
      hasHead: hasHead || (isIdentifier && 2 * parts.length >= items.length),
      isSure: parts.every(({ isSure }) => isSure),
      isDoubtful: isGuess || parts.some(({ isDoubtful }) => isDoubtful),
    };
    return [heard];
  }

  /** A word that holds sentences together is part of a longer name only beside another part: "can you look at line four". */
  #belongs({ words }: Place, items: NameForm["items"]): boolean {
    if (items.length < 2 || (words & ~this.sentence.light) !== 0) return true;
    const beside = (words << 1) | (words >>> 1);
    const isBeside = (one: Place) => (one.words & words) === 0 && (one.words & beside) !== 0;
    return items.some(({ word }) => this.#places.get(word)?.some(isBeside));
  }

  /** A place with the number behind it; undefined where that is another one. */
  #numbered(id: string | undefined, place: Place): Place | undefined {
    const { cost, missing, to, word, words } = place;
    if (id === undefined) return place;
    const ids = this.sentence.ids(to);
    const same = ids.find((one) => one.id === id);
    // A letter without its number is no name.
    if (same === undefined && (word.text.length === 1 || ids.some(({ isWeak }) => !isWeak))) return undefined;
    if (same === undefined) return { ...place, missing: missing + ID_MISSING };
    const { isDoubtful } = same;
    return { ...place, words: words | bits(to, same.to), cost: cost + same.cost, isDoubtful };
  }

  /** Whether a number stands behind words that are counted, and none of these words is it. */
  hasOtherNumber(explained: number): boolean {
    return this.countedPlaces.some(({ to }) => {
      const ids = this.sentence.ids(to);
      return ids.some(({ isWeak }) => !isWeak) && !ids.some((one) => has(explained, one.to - 1));
    });
  }
}

/** Where a word of a name stands, by its letters or its sound. */
function placesOf(word: NameWord, sentence: SaidWords, sounds: readonly string[]): readonly Place[] {
  const { counted, words } = sentence.index;
  const perSound = word.isLetters ? COST_PER_LETTER_MAX : COST_PER_SOUND_MAX;
  const whole = { word, missing: 0, isDoubtful: false };
  const found = new Map<number, Place>();
  const costMax = ({ length }: string) =>
    Math.min(perSound * length, length <= FEW_SOUNDS ? COST_OF_FEW_MAX : Number.POSITIVE_INFINITY);
  for (const sound of word.sounds)
    for (const { cost, from, to } of soundPlaces(sound, sounds, costMax(sound))) {
      const texts = sentence.texts.slice(from, to);
      // "Back ups" are "backups" as they stand.
      const isSame = singular(texts.join(""), words) === word.text;
      // A word that is known as it stands was not misheard: the others have to make up for what sounds different.
      const sure = texts.map((text, i) => (to - from > 1 && words.has(text) ? sounds[from + i]!.length : 0));
      const left = sound.length - sure.reduce((one, other) => one + other);
      const isNear = left === sound.length || cost <= Math.max(ONE_SOUND, perSound * left);
      const isNumbered = counted.has(word) && sentence.words[to]?.kind === "number";
      const isFrame = (~sentence.frame & bits(from, to)) === 0;
      const mayBeName = isNumbered || !isFrame || sound.length >= FRAME_SOUNDS_MIN;
      const isSure = isSame || cost <= SURE_COST_PER_SOUND_MAX * sound.length;
      if (!isSame && (!isNear || !mayBeName)) continue;
      const wordCost = isSame ? 0 : cost + SOUND_ONLY;
      const place = { ...whole, words: bits(from, to), to, cost: wordCost, wordCost, isSure };
      if (place.cost < (found.get(place.words)?.cost ?? Number.POSITIVE_INFINITY))
        found.set(place.words, place);
    }
  const part = { ...whole, cost: 0, wordCost: 0, isSure: true, missing: PART_MISSING };
  const ends = endsOf(word, sentence).map((at) => ({ ...part, words: bits(at, at + 1), to: at + 1 }));
  return [...found.values(), ...ends];
}

/** Where "Drucker" was said for "Etikettendrucker": in German the end of a compound says what it is. */
function endsOf(name: NameWord, sentence: SaidWords): readonly number[] {
  if (sentence.language !== "de") return [];
  return sentence.words.flatMap(({ kind, text, plural: said = text }, at) => {
    const isThing = kind === "word" && !sentence.isFrame(at) && !sentence.isArticle(at);
    const isEnd = said.length >= COMPOUND_LETTERS_MIN && said !== name.text && name.text.endsWith(said);
    return isThing && isEnd ? at : [];
  });
}

/** The words that any of these explains. */
export function together(heard: readonly { readonly words: number }[]): number {
  return heard.reduce((sum, { words }) => sum | words, 0);
}

function byRank(one: Place, other: Place): number {
  return 2 * (one.missing - other.missing) + one.cost - other.cost;
}
