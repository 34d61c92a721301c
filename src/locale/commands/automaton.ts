/**
 * Templates as one graph over words. Every word is looked at once for each state that is reached there, so that a match
 * takes time in proportion to the words, whatever they are.
 */
import type { Template } from "./notation.js";
import { type CommandWord, wordsOf } from "./words.js";

/** What stands behind a part of a template: the words and arguments that may come next, and what has been said by then. */
export interface AutomatonState {
  readonly words: ReadonlyMap<string, readonly AutomatonState[]>;
  readonly slots: readonly { readonly list: string; readonly name: string; readonly then: AutomatonState }[];
  readonly accepts: readonly Acceptance[];
}

/** What a message is that ends in a state. */
export interface Acceptance {
  readonly intent: string;
  /** Arguments that the template gives by itself. */
  readonly fixed: Readonly<Record<string, string>>;
}

const NOTHING: AutomatonState = { words: new Map(), slots: [], accepts: [] };

/** Compiles the templates of one language. */
export class Compiler {
  /** Templates say the same few words again and again. */
  readonly #words = new Map<string, readonly CommandWord[]>();

  constructor(private readonly rules: ReadonlyMap<string, Template>) {}

  /** The state in which all of `template` is still to come, before `then`. */
  compile(template: Template, then: AutomatonState): AutomatonState {
    switch (template.type) {
      case "text":
        return this.#spoken(template.text).reduceRight<AutomatonState>(
          (next, { text }) => ({ ...NOTHING, words: new Map([[text, [next]]]) }),
          then,
        );
      case "slot":
        return { ...NOTHING, slots: [{ list: template.list, name: template.name, then }] };
      case "rule":
        return this.compile(this.rules.get(template.name)!, then);
      case "sequence":
        return template.parts.reduceRight((next, part) => this.compile(part, next), then);
      case "choice":
        return union(template.of.map((one) => this.compile(one, then)));
    }
  }

  #spoken(text: string): readonly CommandWord[] {
    const known = this.#words.get(text) ?? wordsOf(text);
    this.#words.set(text, known);
    return known;
  }
}

export function union(states: readonly AutomatonState[]): AutomatonState {
  const [only] = states;
  if (only !== undefined && states.length === 1) return only;
  const words = new Map<string, AutomatonState[]>();
  for (const state of states) {
    for (const [word, next] of state.words) {
      const before = words.get(word);
      if (before === undefined) words.set(word, [...next]);
      else for (const one of next) if (!before.includes(one)) before.push(one);
    }
  }
  return {
    words,
    slots: states.flatMap(({ slots }) => slots),
    accepts: states.flatMap(({ accepts }) => accepts),
  };
}

/** What an argument may be at one place: up to which word, what it stands for, and how far-fetched it is. */
export interface Filling {
  readonly end: number;
  readonly value?: string | number;
  readonly cost: number;
}

/** The words that an argument took, and the argument before it. */
export interface SlotCapture {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly value: string | number | undefined;
  readonly before: SlotCapture | undefined;
}

export interface Match extends Acceptance {
  readonly captured: SlotCapture | undefined;
  /** 0 when the template has every word; what open arguments took costs more. */
  readonly cost: number;
}

interface PartialMatch {
  readonly cost: number;
  readonly captured: SlotCapture | undefined;
}

export interface Walk {
  readonly words: readonly string[];
  fillings(list: string, at: number): readonly Filling[];
  /** Ends of what may be left out from a word on. */
  skips(at: number): readonly number[];
  /** Whether a template may begin and end at any word; else it is all that was said. */
  readonly isAnywhere: boolean;
}

/** What a word costs that means nothing: a template that has it comes first. */
const SKIPPED = 0.5;

/** Every end that the templates behind `start` reach. */
export function walk(start: AutomatonState, { words, fillings, skips, isAnywhere }: Walk): readonly Match[] {
  const places = words.map((): Map<AutomatonState, PartialMatch> => new Map());
  const last = new Map<AutomatonState, PartialMatch>();
  const found: Match[] = [];
  const reach = (at: number, state: AutomatonState, reached: PartialMatch) => {
    if (isAnywhere || at === words.length)
      for (const accepted of state.accepts) found.push({ ...accepted, ...reached });
    const place = places[at] ?? last;
    if ((place.get(state)?.cost ?? Number.POSITIVE_INFINITY) > reached.cost) place.set(state, reached);
  };
  for (const [at, word] of words.entries()) {
    if (isAnywhere || at === 0) reach(at, start, { cost: 0, captured: undefined });
    if (places[at]!.size === 0) continue;
    const skipped = skips(at);
    for (const [state, reached] of places[at]!) {
      for (const end of skipped) reach(end, state, { ...reached, cost: reached.cost + SKIPPED });
      for (const next of state.words.get(word) ?? []) reach(at + 1, next, reached);
      for (const { list, name, then } of state.slots) {
        for (const { end, value, cost } of fillings(list, at)) {
          const captured = { name, from: at, to: end, value, before: reached.captured };
          reach(end, then, { cost: reached.cost + cost, captured });
        }
      }
    }
  }
  return found;
}
