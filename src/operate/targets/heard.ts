/** What was said, held against the names of resources: which of their words stand where in it. Pure. */
import type { Steps } from "../../lib/steps.js";
import type { Language } from "../../words/polarity.js";
import { type SoundPlace, soundOf, soundPlaces } from "../../words/sound.js";
import { NAMES_PER_STEP, type NameForm, type NameIndex, type NameWord } from "./forms.js";
import { bits, first, has, type SaidWords } from "./sentence.js";
import type { SpokenWord } from "./spoken-words.js";

/** How different words may sound from a name, for each sound; and from what is short for something. */
const COST_PER_SOUND_MAX = 0.21;
const COST_PER_LETTER_MAX = 0.12;
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
const WORD_MISSING = 1;
const PART_MISSING = 0.4;
export const ID_MISSING = 0.3;

/** Where a word of a name was heard. */
interface Place extends SoundPlace {
  readonly isSure: boolean;
  readonly missing: number;
}

/** How much of a name was heard. */
export interface HeardForm {
  /** The words that it explains, one bit each. */
  readonly words: number;
  /** Words of it that were not said, a number counting less. */
  readonly missing: number;
  /** How different it sounds, all of it together. */
  readonly cost: number;
  /** Whether the word that tells what it is was said. */
  readonly hasHead: boolean;
  /** Whether all of it sounds much like what was said. */
  readonly isSure: boolean;
  /** Whether another number may be meant. */
  readonly isDoubtful: boolean;
  /** Whether it is the kind, and no name of its own. */
  readonly isKind: boolean;
}

/** How much of a word of a name was heard. */
type HeardPart = Omit<HeardForm, "hasHead" | "isKind">;

/** Languages in which the first word of a name says what the thing is. */
const HEAD_FIRST: ReadonlySet<Language> = new Set<Language>(["es", "fr", "pl", "uk"]);

export class Heard {
  readonly #places = new Map<NameWord, readonly Place[]>();
  readonly #forms = new Map<NameForm, HeardForm | undefined>();
  /** Where words stand that are counted: a number may be behind them. */
  readonly countedPlaces: readonly Place[];

  /** In steps: each name is looked for among the words. */
  static *in(sentence: SaidWords, index: NameIndex): Steps<Heard> {
    const places = new Map<NameWord, readonly Place[]>();
    const sounds = sentence.words.map(({ kind, text }) => (kind === "number" ? "" : soundOf(text)));
    for (const [i, word] of [...index.words.values()].entries()) {
      if (i % NAMES_PER_STEP === 0) yield;
      const found = placesOf(word, sentence, sounds, index);
      if (found.length > 0) places.set(word, found);
    }
    return new Heard(sentence, index, places);
  }

  /** Without places where the same words sound much more like another name. */
  private constructor(
    readonly sentence: SaidWords,
    index: NameIndex,
    found: ReadonlyMap<NameWord, readonly Place[]>,
  ) {
    const least = new Map<number, number>();
    for (const { cost, from, to } of [...found.values()].flat())
      least.set(bits(from, to), Math.min(cost, least.get(bits(from, to)) ?? cost));
    for (const [word, places] of found) {
      const near = places.filter(({ cost, from, to }) => cost <= least.get(bits(from, to))! + SOUND_MARGIN);
      this.#places.set(
        word,
        near.sort((one, other) => one.cost - other.cost || one.from - other.from),
      );
    }
    this.countedPlaces = [...index.counted].flatMap((word) => this.#places.get(word) ?? []);
  }

  /** How much of a form was heard; undefined where nothing of it was, or where another number stands in it. */
  form(form: NameForm): HeardForm | undefined {
    if (!this.#forms.has(form)) this.#forms.set(form, this.#readForm(form));
    return this.#forms.get(form);
  }

  #readForm({ head, isIdentifier, isKind, items }: NameForm): HeardForm | undefined {
    const headAt = HEAD_FIRST.has(this.sentence.language) ? head.from : head.to - 1;
    const parts: HeardPart[] = [];
    let [behind, missing, placeMissing] = [0, 0, 0];
    let hasHead = false;
    for (const [i, { id, word }] of items.entries()) {
      const isHead = i >= head.from && i < head.to;
      // "The printer is out of labels" is no label printer.
      const places = (this.#places.get(word) ?? []).filter(({ from }) => !isHead || from >= behind);
      const [best] = places.flatMap((place) => this.#numbered(id, place) ?? []).sort(byRank);
      if (best === undefined && places.length > 0) return undefined;
      missing += best?.missing ?? (isHead ? WORD_MISSING : 0);
      if (best === undefined && !isHead) placeMissing = PART_MISSING;
      if (best === undefined) continue;
      parts.push(best);
      if (isHead) behind = first(best.words) + 1;
      hasHead ||= i === headAt || isIdentifier;
    }
    if (parts.length === 0) return undefined;
    return {
      words: together(parts),
      missing: missing + placeMissing,
      cost: parts.reduce((sum, { cost }) => sum + cost, 0),
      hasHead,
      isSure: parts.every(({ isSure }) => isSure),
      isDoubtful: parts.some(({ isDoubtful }) => isDoubtful),
      isKind,
    };
  }

  /** A place with the number behind it; undefined where that is another one. */
  #numbered(id: string | undefined, { cost, from, isSure, missing, to }: Place): HeardPart | undefined {
    const alone = { words: bits(from, to), missing, cost, isSure, isDoubtful: false };
    if (id === undefined) return alone;
    const ids = this.sentence.ids(to);
    const same = ids.find((one) => one.id === id);
    if (same !== undefined)
      return { ...alone, words: bits(from, same.to), cost: cost + same.cost, isDoubtful: same.isDoubtful };
    return ids.some(({ isWeak }) => !isWeak) ? undefined : { ...alone, missing: missing + ID_MISSING };
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
function placesOf(
  word: NameWord,
  sentence: SaidWords,
  sounds: readonly string[],
  { counted, words }: NameIndex,
): readonly Place[] {
  const perSound = word.isLetters ? COST_PER_LETTER_MAX : COST_PER_SOUND_MAX;
  const found = new Map<number, Place>();
  for (const sound of word.sounds)
    for (const { cost, from, to } of soundPlaces(sound, sounds, perSound * sound.length)) {
      const texts = sentence.texts.slice(from, to);
      const isSame = texts.join(" ") === word.text;
      // A word that is known as it stands was not misheard: the others have to make up for what sounds different.
      const sure = texts.map((text, i) => (to - from > 1 && words.has(text) ? sounds[from + i]!.length : 0));
      const left = sound.length - sure.reduce((one, other) => one + other);
      const isNear = left === sound.length || cost <= Math.max(ONE_SOUND, perSound * left);
      const isNumbered = counted.has(word) && sentence.words[to]?.kind === "number";
      const isFrame = (~sentence.frame & bits(from, to)) === 0;
      const mayBeName = isNumbered || !isFrame || sound.length >= FRAME_SOUNDS_MIN;
      const isArticle = sentence.isArticle(from) && texts[0]!.length > 1;
      if (!isSame && (!isNear || !mayBeName || isArticle)) continue;
      const isSure = isSame || cost <= SURE_COST_PER_SOUND_MAX * sound.length;
      const place = { from, to, cost: isSame ? 0 : cost + SOUND_ONLY, isSure, missing: 0 };
      if (place.cost < (found.get(bits(from, to))?.cost ?? Number.POSITIVE_INFINITY))
        found.set(bits(from, to), place);
    }
  for (const from of endsOf(word, sentence))
    found.set(bits(from, from + 1), { from, to: from + 1, cost: 0, isSure: true, missing: PART_MISSING });
  return [...found.values()];
}

/** Where "Drucker" was said for "Etikettendrucker": in German the end of a compound says what it is. */
function endsOf(name: NameWord, sentence: SaidWords): readonly number[] {
  if (sentence.language !== "de") return [];
  const isEnd = ({ kind, text }: SpokenWord, at: number) =>
    kind === "word" &&
    text.length >= COMPOUND_LETTERS_MIN &&
    !sentence.isFrame(at) &&
    !sentence.isArticle(at);
  return sentence.words.flatMap((word, at) =>
    isEnd(word, at) && name.text.endsWith(word.text) && name.text !== word.text ? at : [],
  );
}

/** The words that any of these explains. */
export function together(heard: readonly { readonly words: number }[]): number {
  return heard.reduce((sum, { words }) => sum | words, 0);
}

function byRank(one: HeardPart, other: HeardPart): number {
  return 2 * (one.missing - other.missing) + one.cost - other.cost;
}
