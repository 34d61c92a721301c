/** What was said, held against the names of resources: which of their words stand where in it. Pure. */
import type { Grammar } from "../../locale/commands/file.js";
import { FUNCTION_WORDS, LIGHT_WORDS } from "../../words/function-words.js";
import type { Language } from "../../words/polarity.js";
import { soundOf, soundPlaces } from "../../words/sound.js";
import type { Chunk, NameForm, NameIndex, NamePart } from "./forms.js";
import { letterByEar, numberByEar, type SpokenWord, spokenWords } from "./spoken-words.js";

/** How different words may sound from a name, for each sound. */
const COST_PER_SOUND_MAX = 0.17;
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
}

/** How much of a form was heard. */
export interface HeardForm {
  readonly form: NameForm;
  /** The words that it explains, one bit each. */
  readonly words: number;
  /** Words of it that were not said, a number counting less. */
  readonly missing: number;
  /** How different it sounds. */
  readonly cost: number;
  readonly from: number;
  /** Whether the word that tells what it is was said. */
  readonly hasHead: boolean;
  /** Whether a second number stands behind, so that either may be meant. */
  readonly isDoubtful: boolean;
}

/** A number that was not said counts less than a word. */
export const ID_MISSING = 0.3;
const WORD_MISSING = 1;
/** Where something is may be left out. */
const PLACE_MISSING = 0.4;

/** The language that has the most of the words around things; the first of those that have as many. */
export function languageSpoken(text: string, grammars: readonly Grammar[], usual: Language): Grammar {
  const words = spokenWords(text, []).map((word) => word.text);
  const own = grammars.find(({ language }) => language === usual);
  let [best, most] = [own ?? grammars[0]!, own === undefined ? -1 : frameOf(words, own)];
  for (const grammar of grammars) {
    const some = frameOf(words, grammar);
    if (some > most) [best, most] = [grammar, some];
  }
  return best;
}

function frameOf(words: readonly string[], { lists }: Grammar): number {
  return words.filter((_word, i) =>
    FRAME_LISTS.some((list) => (lists.get(list)?.at(words, i).length ?? 0) > 0),
  ).length;
}

export class Heard {
  readonly language: Language;
  readonly words: readonly SpokenWord[];
  readonly #sounds: readonly string[];
  readonly #texts: readonly string[];
  readonly #ids = new Map<number, readonly HeardId[]>();
  /** Where parts stand that are counted: a number may be behind them. */
  readonly countedPlaces: readonly HeardPlace[];
  readonly #places = new Map<Chunk, readonly HeardPlace[]>();
  /** Words of the sentence around a thing: one bit each. */
  readonly frame: number;

  constructor(
    readonly text: string,
    private readonly grammar: Grammar,
    private readonly index: NameIndex,
  ) {
    this.language = grammar.language as Language;
    const { language } = this;
    const split = withSplits(spokenWords(text, language === "en" ? ["en"] : [language, "en"]), index);
    this.words = split.map((word, i) => (isPronoun(split, i, grammar) ? { ...word, kind: "word" } : word));
    this.#sounds = this.words.map(({ kind, text: word }) => (kind === "number" ? "" : soundOf(word)));
    this.#texts = this.words.map(({ text: word }) => word);
    this.frame = this.#frame();
    this.#findAll();
    this.countedPlaces = [...index.counted].flatMap((chunk) => this.places(chunk));
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
      if (kind !== "number" && (FUNCTION_WORDS.has(text) || LIGHT_WORDS.has(text)) && this.language === "en")
        bits |= 1 << i;
      for (const list of FRAME_LISTS) {
        const to = this.listed(list, i)?.to ?? i;
        for (let at = i; at < to; at++) bits |= 1 << at;
      }
    }
    return bits;
  }

  isFrame(at: number): boolean {
    return ((this.frame >> at) & 1) === 1;
  }

  /** Where a chunk stands, the best place first. */
  places(chunk: Chunk): readonly HeardPlace[] {
    return this.#places.get(chunk) ?? [];
  }

  /** All places of all chunks, but where the same words sound much more like another one. */
  #findAll(): void {
    const least = new Map<string, number>();
    const all = this.index.chunks.map((chunk) => {
      const places = this.#find(chunk);
      for (const place of places)
        least.set(keyOf(place), Math.min(place.cost, least.get(keyOf(place)) ?? place.cost));
      return { chunk, places };
    });
    for (const { chunk, places } of all) {
      const near = places.filter((place) => place.cost <= least.get(keyOf(place))! + SOUND_MARGIN);
      if (near.length > 0)
        this.#places.set(
          chunk,
          near.sort((one, other) => one.cost - other.cost || one.from - other.from),
        );
    }
  }

  #find({ sounds, text }: Chunk): HeardPlace[] {
    const found = new Map<string, HeardPlace>();
    for (const sound of sounds) {
      const costMax = sound.length < SOUNDS_MIN ? 0 : COST_PER_SOUND_MAX * sound.length;
      for (const place of soundPlaces(sound, this.#sounds, costMax)) {
        const said = this.#said(place.from, place.to);
        const isSame = said === text;
        // What holds a sentence together is no name by its sound alone.
        if (!isSame && ((~this.frame >> place.from) & ((1 << (place.to - place.from)) - 1)) === 0) continue;
        const key = keyOf(place);
        const cost = isSame ? 0 : place.cost + SOUND_ONLY;
        if (cost < (found.get(key)?.cost ?? Number.POSITIVE_INFINITY)) found.set(key, { ...place, cost });
      }
    }
    return [...found.values()];
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
        ? { id: "0", to: to + 1, cost: 0 }
        : this.#idAt(to);
      if (next === undefined || !/^\d$/.test(next.id) || !/^\d+$/.test(own.id)) break;
      const before = spelt.at(-1)!;
      spelt.push({ id: before.id + next.id, to: next.to, cost: before.cost + next.cost });
      to = next.to;
    }
    return spelt;
  }

  #idAt(at: number): HeardId | undefined {
    const word = this.words[at];
    if (word === undefined) return undefined;
    const { kind, text } = word;
    if (kind === "number" || (text.length === 1 && !this.isArticle(at)) || this.#isLastLetter(at))
      return { id: text, to: at + 1, cost: 0 };
    const isFrame = this.isFrame(at);
    if (isFrame && this.#governs(at)) return undefined;
    const number = numberByEar(text, this.language);
    if (number !== undefined && (!isFrame || text.length < SHORT_WORD))
      return { id: number, to: at + 1, cost: BY_EAR_COST };
    const letter = isFrame ? undefined : letterByEar(text);
    return letter === undefined ? undefined : { id: letter, to: at + 1, cost: BY_EAR_COST };
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
    return (
      next !== undefined &&
      (this.isArticle(at + 1) || next.kind === "number" || !this.isFrame(at + 1)) &&
      !this.#isIdWord(at)
    );
  }

  /** In "line for five" both are numbers. */
  #isIdWord(at: number): boolean {
    return this.words[at + 1]?.kind === "number";
  }

  /** How much of a form was heard; undefined where nothing of it was, or where another number stands in it. */
  form(form: NameForm): HeardForm | undefined {
    let [words, missing, cost, from, sounds] = [0, 0, 0, this.words.length, 0];
    let [hasHead, isDoubtful, isHeard] = [false, false, false];
    for (const [i, part] of form.parts.entries()) {
      const heard = this.#part(part, form.isIdentifier);
      if (heard === "other") return undefined;
      if (heard === undefined) {
        missing += i > 0 && part.id !== undefined ? PLACE_MISSING : part.chunk.words * WORD_MISSING;
        continue;
      }
      isHeard = true;
      words |= heard.words;
      missing += heard.missing;
      cost += heard.cost;
      sounds += part.chunk.sounds[0]!.length;
      from = Math.min(from, heard.from);
      hasHead ||= heard.hasHead;
      isDoubtful ||= heard.isDoubtful;
    }
    return isHeard ? { form, words, missing, cost, from, hasHead, isDoubtful } : undefined;
  }

  #part(part: NamePart, isIdentifier: boolean): Omit<HeardForm, "form"> | "other" | undefined {
    let best: Omit<HeardForm, "form"> | undefined;
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
        isDoubtful: second !== undefined,
      };
    }
    const second = ids[0] && this.#second(ids, ids[0]);
    if (second?.id === id)
      return { words: words | bits(to, second.to), missing: 0, cost: second.cost, isDoubtful: true };
    if (ids.length > 0) return "other";
    const before = this.words[from - 1];
    if (before !== undefined && before.text === id && (before.kind !== "number" || this.isArticle(from - 2)))
      return { words: words | bits(from - 1, to), missing: 0, cost: 0, isDoubtful: false };
    return { words, missing: ID_MISSING, cost: 0, isDoubtful: false };
  }

  /** Another number behind a number, of which they are not one together: "pump two three". */
  #second(ids: readonly HeardId[], { to }: HeardId): HeardId | undefined {
    const next = this.words[to];
    return next?.kind === "number" && ids[0]!.to === to ? { id: next.text, to: to + 1, cost: 0 } : undefined;
  }

  /** Some of the words of a part that has several, or a piece of its only word. */
  #pieces(
    { chunk, id, pieces }: NamePart,
    isIdentifier: boolean,
  ): Omit<HeardForm, "form"> | "other" | undefined {
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
  #pieceOfWord(chunk: Chunk, id: string | undefined): Omit<HeardForm, "form"> | "other" | undefined {
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
    return ids.length > 0 && !ids.some((one) => ((explained >> (one.to - 1)) & 1) === 1);
  }
}

/** How much more one name has to sound like some words than another, for the other to be left out. */
const SOUND_MARGIN = 0.3;
/** Sounds that only look the same as a word are worth a little less than the word. */
const SOUND_ONLY = 0.05;
/** Letters of the words that hold a sentence together and are heard for a number: "to", "for". */
const SHORT_WORD = 4;
/** Digits that are said one by one. */
const DIGITS_MAX = 6;
const ARTICLES = /^(?:the|a|an|der|die|das|den|dem|des|el|la|los|las|le|les|l|un|una|une|this|that|my|our)$/;
const HEAD_FIRST: ReadonlySet<Language> = new Set<Language>(["es", "fr", "pl", "uk"]);

/** Lists of the commands whose words make a sentence and name no thing. */
const FRAME_LISTS: readonly string[] = [
  "state",
  "quantity",
  "fault",
  "measure_word",
  "asking",
  "being",
  "joint",
  "reply_filler",
  "place",
  "every",
  "other",
  "pronoun",
  "near",
];

export function bits(from: number, to: number): number {
  return ((1 << (to - from)) - 1) << from;
}

function keyOf({ from, to }: HeardPlace): string {
  return `${from} ${to}`;
}

function rank({ cost, missing }: { readonly cost: number; readonly missing: number }): number {
  return missing * 2 + cost;
}

/** "The other one", "the second one": the number stands for a thing that was spoken of. */
function isPronoun(words: readonly SpokenWord[], at: number, grammar: Grammar): boolean {
  const { kind, text } = words[at]!;
  if (kind !== "number" || text !== "1" || at === 0) return false;
  const texts = words.map((word) => word.text);
  return ["other", "place", "pronoun"].some(
    (list) => (grammar.lists.get(list)?.at(texts, at - 1).length ?? 0) > 0,
  );
}

/** "Online three" is "on line three" where a line is counted. */
function withSplits(words: readonly SpokenWord[], index: NameIndex): readonly SpokenWord[] {
  return words.flatMap((word, i) => {
    const next = words[i + 1];
    if (word.kind !== "word" || next === undefined) return [word];
    const rest = JOINED.exec(word.text);
    const isCounted = rest !== null && [...index.counted].some(({ text }) => text === rest[2]);
    return isCounted
      ? [
          { ...word, text: rest[1]! },
          { ...word, text: rest[2]! },
        ]
      : [word];
  });
}

const JOINED = /^(on|in|at|im|am|en|zu)(\p{L}{3,})$/u;
