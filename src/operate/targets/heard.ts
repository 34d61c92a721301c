/** What was said, held against the names of resources: which of their words stand where in it. Pure. */
import type { Steps } from "../../lib/steps.js";
import type { Grammar } from "../../locale/commands/file.js";
import { FUNCTION_WORDS, LIGHT_WORDS } from "../../words/function-words.js";
import type { Language } from "../../words/polarity.js";
import { soundOf, soundPlaces } from "../../words/sound.js";
import { NAMES_PER_STEP, type NameForm, type NameIndex, type NamePart, type NameWords } from "./forms.js";
import { ARTICLES, FRAME_LISTS, isPronoun, withSplits } from "./sentence.js";
import { letterByEar, numberByEar, type SpokenWord, spokenWords } from "./spoken-words.js";

/** How different words may sound from a name, for each sound. */
const COST_PER_SOUND_MAX = 0.17;
/** The same where a number stands behind that the name has too. */
const COUNTED_COST_PER_SOUND_MAX = 0.21;
/** The same of what is short for something. */
const COST_PER_LETTER_MAX = 0.12;
/** Names of fewer sounds have to sound the same: they sound like too much. */
const SOUNDS_MIN = 3;
/** Of the number or letter behind a name, where only its sound tells it. */
const BY_EAR_COST = 0.1;
/** Letters of a word that stands for a longer one which it begins or ends. */
const PART_LETTERS_MIN = 4;

/** Where words of a name stand. */
export interface HeardPlace {
  readonly from: number;
  readonly to: number;
  readonly cost: number;
}

/** A number or letter, as it may be read from a word on. */
interface HeardId {
  readonly id: string;
  readonly to: number;
  readonly cost: number;
  /** Whether it may as well hold the sentence together: "to". */
  readonly isWeak: boolean;
}

/** How much of a form was heard. */
export interface HeardForm {
  readonly form: NameForm;
  /** The words that it explains, one bit each. */
  readonly words: number;
  /** Words of it that were not said, a number counting less. */
  readonly missing: number;
  /** How different it sounds, all of it together. */
  readonly cost: number;
  /** How many sounds it has. */
  readonly sounds: number;
  readonly from: number;
  /** Whether the word that tells what it is was said. */
  readonly hasHead: boolean;
  /** Whether a second number stands behind, so that either may be meant. */
  readonly isDoubtful: boolean;
}

type HeardPart = Omit<HeardForm, "form" | "sounds">;

/** A number that was not said counts less than a word. */
export const ID_MISSING = 0.3;
const WORD_MISSING = 1;
/** Where something is may be left out. */
const PLACE_MISSING = 0.4;

export class Heard {
  readonly language: Language;
  readonly words: readonly SpokenWord[];
  readonly #sounds: readonly string[];
  readonly #texts: readonly string[];
  /** The words that are names as they stand. */
  readonly #exact: ReadonlySet<string>;
  /** Places are names of many things. */
  readonly #forms = new Map<NameForm, HeardForm | "nothing">();
  readonly #ids = new Map<number, readonly HeardId[]>();
  /** Where parts stand that are counted: a number may be behind them. */
  get countedPlaces(): readonly HeardPlace[] {
    this.#countedPlaces ??= [...this.index.counted].flatMap((chunk) => this.places(chunk));
    return this.#countedPlaces;
  }

  #countedPlaces: readonly HeardPlace[] | undefined;
  readonly #places = new Map<NameWords, readonly HeardPlace[]>();
  /** Words of the sentence around a thing: one bit each. */
  readonly frame: number;

  /** In steps: each name is looked for among the words. */
  static *in(text: string, grammar: Grammar, index: NameIndex): Steps<Heard> {
    const heard = new Heard(text, grammar, index);
    yield* heard.#findAll();
    return heard;
  }

  private constructor(
    readonly text: string,
    private readonly grammar: Grammar,
    readonly index: NameIndex,
  ) {
    this.language = grammar.language as Language;
    const { language } = this;
    const split = withSplits(spokenWords(text, language === "en" ? ["en"] : [language, "en"]), index);
    this.words = split.map((word, i) =>
      isPronoun(split, i, grammar)
        ? { ...word, kind: "word", text: text.slice(word.start, word.end).toLowerCase() }
        : word,
    );
    this.#sounds = this.words.map(({ kind, text: word }) => (kind === "number" ? "" : soundOf(word)));
    this.#texts = this.words.map(({ text: word }) => word);
    this.frame = this.#frame();
    this.#exact = new Set(this.#texts.filter((word) => index.texts.has(word)));
  }

  /** The value of the entry of a list that begins at a word; true for one without a value. */
  listed(
    list: string,
    at: number,
  ): { readonly to: number; readonly value: string | number | true } | undefined {
    const found = this.grammar.lists.get(list)?.at(this.#texts, at).at(-1);
    return found && { to: found.end, value: found.value ?? true };
  }

  #frame(): number {
    let bits = 0;
    for (const [i, { kind, text }] of this.words.entries()) {
      // "The two boilers": how many, and not which.
      if (kind === "number" && this.words[i + 1]?.isPlural === true) bits |= 1 << i;
      if (kind !== "number" && (FUNCTION_WORDS.has(text) || LIGHT_WORDS.has(text)) && this.language === "en")
        bits |= 1 << i;
      for (const list of FRAME_LISTS) {
        const to = this.listed(list, i)?.to ?? i;
        for (let at = i; at < to; at++) bits |= 1 << at;
      }
      if (this.#isOneWord(i)) bits |= 3 << i;
    }
    // "The till" is no "until".
    for (const [i, { text }] of this.words.entries())
      if (i > 0 && this.index.wholes.has(text) && this.isArticle(i - 1)) bits &= ~(1 << i);
    return bits;
  }

  /** "On line" for "online", where no number stands behind. */
  #isOneWord(at: number): boolean {
    const [one, other, behind] = [0, 1, 2].map((i) => this.words[at + i]);
    if (other === undefined || behind?.kind === "number") return false;
    return (this.grammar.lists.get("state")?.at([one!.text + other.text], 0).length ?? 0) > 0;
  }

  isFrame(at: number): boolean {
    return ((this.frame >> at) & 1) === 1;
  }

  /** Where a chunk stands, the best place first. */
  places(chunk: NameWords): readonly HeardPlace[] {
    return this.#places.get(chunk) ?? [];
  }

  /** All places of all chunks, but where the same words sound much more like another one. */
  *#findAll(): Steps<void> {
    const least = new Map<string, number>();
    const all: { readonly chunk: NameWords; readonly places: HeardPlace[] }[] = [];
    for (const [i, chunk] of this.index.chunks.entries()) {
      if (i % NAMES_PER_STEP === 0) yield;
      const places = this.#find(chunk);
      for (const place of places)
        least.set(keyOf(place), Math.min(place.cost, least.get(keyOf(place)) ?? place.cost));
      if (places.length > 0) all.push({ chunk, places });
    }
    for (const { chunk, places } of all) {
      const near = places.filter((place) => place.cost <= least.get(keyOf(place))! + SOUND_MARGIN);
      if (near.length > 0)
        this.#places.set(
          chunk,
          near.sort((one, other) => one.cost - other.cost || one.from - other.from),
        );
    }
  }

  #find(chunk: NameWords): HeardPlace[] {
    const { isLetters, sounds, text } = chunk;
    const found = new Map<string, HeardPlace>();
    for (const sound of sounds) {
      const perSound = isLetters
        ? COST_PER_LETTER_MAX
        : this.index.counted.has(chunk)
          ? COUNTED_COST_PER_SOUND_MAX
          : COST_PER_SOUND_MAX;
      const costMax = sound.length < SOUNDS_MIN ? 0 : perSound * sound.length;
      for (const place of soundPlaces(sound, this.#sounds, costMax)) {
        const isSame = this.#said(place.from, place.to) === text;
        if (!isSame && !this.#maySound(sound, place, this.index.counted.has(chunk))) continue;
        const key = keyOf(place);
        const cost = isSame ? 0 : place.cost + SOUND_ONLY;
        if (cost < (found.get(key)?.cost ?? Number.POSITIVE_INFINITY)) found.set(key, { ...place, cost });
      }
    }
    return [...found.values()];
  }

  /** Whether words that are no name may have been misheard for one. */
  #maySound(sound: string, { cost, from, to }: HeardPlace, isCounted: boolean): boolean {
    const isNumbered = isCounted && this.words[to]?.kind === "number";
    if (!isNumbered && cost > COST_PER_SOUND_MAX * sound.length) return false;
    // What holds a sentence together is no name by its sound alone.
    if (!isNumbered && (~this.frame & bits(from, to)) === 0 && sound.length < FRAME_SOUNDS_MIN) return false;
    if ((this.isArticle(from) && this.#texts[from]!.length > 1) || this.listed("every", from) !== undefined)
      return false;
    // A word that is known as it stands was not misheard: the others have to make up for what sounds different.
    let sure = 0;
    for (let at = from; at < to; at++)
      if (to - from > 1 && this.#exact.has(this.#texts[at]!)) sure += this.#sounds[at]!.length;
    return sure === 0 || cost <= Math.max(ONE_SOUND, COST_PER_SOUND_MAX * (sound.length - sure));
  }

  #said(from: number, to: number): string {
    return this.words
      .slice(from, to)
      .map(({ text }) => text)
      .join(" ");
  }

  /** What numbers or letters may stand from a word on; none where no number is expected. */
  ids(at: number): readonly HeardId[] {
    const known = this.#ids.get(at) ?? this.#readIds(at);
    this.#ids.set(at, known);
    return known;
  }

  #readIds(at: number): readonly HeardId[] {
    const word = this.words[at];
    if (word === undefined) return [];
    if (/^(?:number|no|nr|nummer|numero|num|numer|номер)$/.test(word.text)) return this.ids(at + 1);
    const own = this.#idAt(at);
    if (own === undefined) return [];
    const spelt = [own];
    for (let to = own.to; spelt.length < DIGITS_MAX; ) {
      const next = /^(?:o|oh)$/.test(this.words[to]?.text ?? "")
        ? { id: "0", to: to + 1, cost: 0, isWeak: false }
        : this.#idAt(to);
      if (next === undefined || !/^\d$/.test(next.id) || !/^\d+$/.test(own.id)) break;
      const before = spelt.at(-1)!;
      spelt.push({ ...before, id: before.id + next.id, to: next.to, cost: before.cost + next.cost });
      to = next.to;
    }
    return spelt;
  }

  #idAt(at: number): HeardId | undefined {
    const word = this.words[at];
    if (word === undefined) return undefined;
    const { kind, text } = word;
    if (kind === "number" || (text.length === 1 && !this.isArticle(at)) || this.#isLastLetter(at))
      return { id: text, to: at + 1, cost: 0, isWeak: false };
    const isFrame = this.isFrame(at);
    if (isFrame && this.#governs(at)) return undefined;
    const number = numberByEar(text, this.language);
    if (number !== undefined && (!isFrame || text.length < SHORT_WORD))
      return { id: number, to: at + 1, cost: BY_EAR_COST, isWeak: isFrame };
    const letter = isFrame ? undefined : letterByEar(text, this.language);
    return letter === undefined ? undefined : { id: letter, to: at + 1, cost: BY_EAR_COST, isWeak: false };
  }

  /** "press a": an article that nothing follows which it could belong to. */
  #isLastLetter(at: number): boolean {
    return this.words[at]!.text.length === 1 && (this.words[at + 1] === undefined || this.isFrame(at + 1));
  }

  isArticle(at: number): boolean {
    return ARTICLES.test(this.words[at]?.text ?? "");
  }

  /** Whether a word belongs to what follows: "the pump for the mixer", and not "pump four". */
  #governs(at: number): boolean {
    const next = this.words[at + 1];
    return next !== undefined && (this.isArticle(at + 1) || this.index.texts.has(next.text));
  }

  /** How much of a form was heard; undefined where nothing of it was, or where another number stands in it. */
  form(form: NameForm): HeardForm | undefined {
    const known = this.#forms.get(form);
    if (known !== undefined) return known === "nothing" ? undefined : known;
    const heard = this.#readForm(form);
    this.#forms.set(form, heard ?? "nothing");
    return heard;
  }

  #readForm(form: NameForm): HeardForm | undefined {
    let [words, missing, cost, from, sounds] = [0, 0, 0, this.words.length, 0];
    let [hasHead, isDoubtful, isHeard] = [false, false, false];
    for (const [i, part] of form.parts.entries()) {
      const heard = this.#part(part, form.isIdentifier);
      if (heard === "other") return undefined;
      if (heard === undefined) {
        missing += i === form.head ? part.chunk.words * WORD_MISSING : PLACE_MISSING;
        continue;
      }
      isHeard = true;
      words |= heard.words;
      missing += heard.missing;
      cost += heard.cost;
      sounds += part.chunk.sounds[0]!.length;
      from = Math.min(from, heard.from);
      hasHead ||= heard.hasHead && (i === form.head || form.isIdentifier);
      isDoubtful ||= heard.isDoubtful;
    }
    return isHeard ? { form, words, missing, cost, sounds, from, hasHead, isDoubtful } : undefined;
  }

  #part(part: NamePart, isIdentifier: boolean): HeardPart | "other" | undefined {
    let best: HeardPart | undefined;
    let isOther = false;
    for (const place of this.places(part.chunk)) {
      const id = this.#idOf(part, place);
      if (id === "other") isOther = true;
      else {
        const heard = { ...id, cost: id.cost + place.cost, from: place.from, hasHead: true };
        if (best === undefined || rank(heard) < rank(best)) best = heard;
      }
    }
    if (best !== undefined) return best;
    if (isOther) return "other";
    return this.#pieces(part, isIdentifier);
  }

  /** The number of a part behind a place of its words, or before it. */
  #idOf(
    { id }: NamePart,
    { from, to }: HeardPlace,
  ): Pick<HeardForm, "words" | "missing" | "cost" | "isDoubtful"> | "other" {
    const words = bits(from, to);
    if (id === undefined) return { words, missing: 0, cost: 0, isDoubtful: false };
    const ids = this.ids(to);
    const same = ids.find((one) => one.id === id);
    if (same !== undefined) {
      const second = this.#second(ids, same);
      return {
        words: words | bits(to, second?.to ?? same.to),
        missing: 0,
        cost: same.cost,
        isDoubtful: second !== undefined || this.#mayGovern(same),
      };
    }
    const second = ids[0] && this.#second(ids, ids[0]);
    if (second?.id === id)
      return { words: words | bits(to, second.to), missing: 0, cost: second.cost, isDoubtful: true };
    if (ids.some((one) => !one.isWeak)) return "other";
    const before = this.words[from - 1];
    if (
      before !== undefined &&
      !this.#isPlural(from, to) &&
      before.text === id &&
      (before.kind !== "number" || this.isArticle(from - 2))
    )
      return { words: words | bits(from - 1, to), missing: 0, cost: 0, isDoubtful: false };
    return { words, missing: ID_MISSING, cost: 0, isDoubtful: false };
  }

  /** "The pump for cleaning": what is heard for a number may as well belong to the word behind it. */
  #mayGovern({ isWeak, to }: HeardId): boolean {
    const next = this.words[to];
    return isWeak && next !== undefined && next.kind !== "number" && !this.isFrame(to);
  }

  #isPlural(from: number, to: number): boolean {
    return this.words.slice(from, to).some(({ isPlural }) => isPlural);
  }

  /** Another number behind a number, of which they are not one together: "pump two three". */
  #second(ids: readonly HeardId[], { to }: HeardId): HeardId | undefined {
    const next = this.words[to];
    return next?.kind === "number" && ids[0]!.to === to
      ? { id: next.text, to: to + 1, cost: 0, isWeak: false }
      : undefined;
  }

  /** Some of the words of a part that has several, or a piece of its only word. */
  #pieces({ chunk, id, pieces }: NamePart, isIdentifier: boolean): HeardPart | "other" | undefined {
    let [words, cost, count, from, end] = [0, 0, 0, this.words.length, -1];
    let hasHead = isIdentifier;
    for (const [i, piece] of pieces.entries()) {
      const place = this.places(piece).find(({ from: at }) => at >= end);
      if (place === undefined) continue;
      words |= bits(place.from, place.to);
      cost += place.cost;
      count += 1;
      from = Math.min(from, place.from);
      end = place.to;
      hasHead ||= i === (HEAD_FIRST.has(this.language) ? 0 : pieces.length - 1);
    }
    if (count === 0) return this.#pieceOfWord(chunk, id);
    const rest = {
      words,
      cost,
      from,
      hasHead,
      isDoubtful: false,
      missing: WORD_MISSING * (pieces.length - count),
    };
    if (id === undefined) return rest;
    const heard = this.#idOf({ chunk, pieces, id }, { from, to: end, cost });
    return heard === "other"
      ? heard
      : {
          ...rest,
          ...heard,
          words: words | heard.words,
          cost: cost + heard.cost,
          missing: rest.missing + heard.missing,
        };
  }

  /** "Drucker" of "Etikettendrucker", "homepage" of "homepagedocker". */
  #pieceOfWord(chunk: NameWords, id: string | undefined): HeardPart | "other" | undefined {
    if (chunk.words > 1) return undefined;
    const at = this.words.findIndex(
      ({ kind, text }, i) =>
        kind !== "number" &&
        text.length >= PART_LETTERS_MIN &&
        text.length < chunk.text.length &&
        !this.isFrame(i) &&
        (chunk.text.startsWith(text) || chunk.text.endsWith(text)),
    );
    if (at < 0) return undefined;
    const heard = this.#idOf({ chunk, pieces: [], id }, { from: at, to: at + 1, cost: 0 });
    if (heard === "other") return heard;
    const hasHead = chunk.text.endsWith(this.words[at]!.text);
    return { ...heard, from: at, hasHead, missing: heard.missing + WORD_MISSING };
  }

  /** Whether a number stands behind the words of a place that none of these explains. */
  hasOtherNumber({ to }: { readonly to: number }, explained: number): boolean {
    const ids = this.ids(to);
    return ids.some((one) => !one.isWeak) && !ids.some((one) => ((explained >> (one.to - 1)) & 1) === 1);
  }
}

/** How much more one name has to sound like some words than another, for the other to be left out. */
const SOUND_MARGIN = 0.5;
/** Sounds that only look the same as a word are worth a little less than the word. */
const SOUND_ONLY = 0.05;
/** Letters of the words that hold a sentence together and are heard for a number: "to", "for". */
const SHORT_WORD = 4;
/** Sounds of a name that may be made up of words around things alone: "temp her at your". */
const FRAME_SOUNDS_MIN = 7;
/** What one sound too many costs. */
const ONE_SOUND = 0.62;
/** Digits that are said one by one. */
const DIGITS_MAX = 6;
const HEAD_FIRST: ReadonlySet<Language> = new Set<Language>(["es", "fr", "pl", "uk"]);

export function bits(from: number, to: number): number {
  return ((1 << (to - from)) - 1) << from;
}

function keyOf({ from, to }: HeardPlace): string {
  return `${from} ${to}`;
}

function rank({ cost, missing }: { readonly cost: number; readonly missing: number }): number {
  return missing * 2 + cost;
}
