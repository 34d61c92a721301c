/**
 * Whether a regular expression can take more than linear time, and for which text.
 *
 * Two judges. scslre knows assertions and what V8 skips, but only texts that repeat one character. `pumps` looks for
 * longer repetitions in the expression's automaton (refa): two loops p and q, q behind p, and a word w that leads from p
 * to p, from p to q and from q to q. Each of n repetitions of w may then be where the engine changes from p to q, so
 * that it tries n ways before it fails. The search for a first place to match is a loop as well: `[^]*` in front.
 *
 * Bounds such as `{0,40}` count as constants; a text that the expression never fails on behind q is no attack.
 */

import type * as refa from "refa";
import { CharBase, CharSet, JS, NFA, type NoParent, Transformers, transform } from "refa";
import { analyse } from "scslre";

export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** The attack as a text with its repeated part in angle brackets; `undefined` where time is linear. */
export function attackOn(pattern: Pattern): string | undefined {
  if (!/[*+]|,\}/.test(pattern.source)) return undefined;
  const [report] = analyse(pattern).reports;
  if (report !== undefined) return `⟨${printed(report.character.pick)}⟩ (${report.type})`;
  return pumps(pattern);
}

/** Repetitions of more than this are expanded to it: a constant, whatever it is. */
const REPEATS_MAX = 2;

function pumps(pattern: Pattern): string | undefined {
  const attempts = pattern.flags.includes("y") ? [atStart] : [atStart, behind];
  for (const attempt of attempts) {
    const { expression, maxCharacter } = JS.Parser.fromLiteral(pattern).parse({
      backreferences: "unknown",
      maxNodes: NODES_MAX,
    });
    shorten(expression.alternatives);
    const applied = transform(Transformers.applyAssertions(), attempt(expression, maxCharacter));
    const end = CharSet.empty(maxCharacter).union([{ min: maxCharacter, max: maxCharacter }]);
    withoutAssertions(applied.alternatives, end, true);
    const factory = new NFA.LimitedNodeFactory(STATES_MAX);
    const attack = new Automaton(NFA.fromRegex(applied, { maxCharacter }, {}, factory)).attack();
    if (attack !== undefined) return attack;
  }
  return undefined;
}

/** States of an automaton at the most. */
const STATES_MAX = 20_000;

/** Of one expression: lists of verbs with all their forms make long ones. */
const NODES_MAX = 200_000;

type Concatenation = NoParent<refa.Concatenation>;

function shorten(alternatives: readonly Concatenation[]): void {
  for (const element of alternatives.flatMap(({ elements }) => elements)) {
    if (element.type === "Quantifier" && element.max !== Number.POSITIVE_INFINITY) {
      element.min = Math.min(element.min, REPEATS_MAX);
      element.max = Math.min(element.max, REPEATS_MAX);
    } else if (element.type === "Quantifier") element.min = Math.min(element.min, REPEATS_MAX);
    if ("alternatives" in element) shorten(element.alternatives);
  }
}

/** The expression where the text begins. */
function atStart(expression: NoParent<refa.Expression>): NoParent<refa.Expression> {
  resolveStart(expression.alternatives, () => []);
  return expression;
}

/** What assertions at the beginning may look back at, in characters. */
const LOOK_BEHIND_CHARS = 2;

/** The expression at any later place: behind whatever, and some characters that its assertions may look at. */
function behind(
  { alternatives }: NoParent<refa.Expression>,
  maxCharacter: refa.Char,
): NoParent<refa.Expression> {
  const one = (characters: CharSet): NoParent<refa.CharacterClass> => ({
    type: "CharacterClass",
    characters,
  });
  resolveStart(alternatives, () => [one(CharSet.empty(maxCharacter))]);
  const any = () => one(CharSet.all(maxCharacter));
  const after = (elements: NoParent<refa.Element>[]): Concatenation => {
    const loop = { type: "Concatenation" as const, elements: [any()] };
    const before = { type: "Quantifier" as const, min: 0, max: Number.POSITIVE_INFINITY, lazy: true };
    const elementsBefore = [
      { ...before, alternatives: [loop] },
      ...Array.from({ length: LOOK_BEHIND_CHARS }, any),
    ];
    return { type: "Concatenation", elements: [...elementsBefore, ...elements] };
  };
  const [looking, others] = [true, false].map((wanted) =>
    spread(alternatives).filter(({ elements }) => (elements[0]?.type === "Assertion") === wanted),
  ) as [Concatenation[], Concatenation[]];
  return {
    type: "Expression",
    alternatives: [
      ...looking.map(({ elements }) => after(elements)),
      after([{ type: "Alternation", alternatives: others }]),
    ],
  };
}

/** Without groups at the beginning that hold assertions there: each way through them becomes an alternative. */
function spread(alternatives: readonly Concatenation[]): readonly Concatenation[] {
  return alternatives.flatMap((alternative): readonly Concatenation[] => {
    const [first, ...rest] = alternative.elements;
    const isGroup = first?.type === "Alternation" || (first?.type === "Quantifier" && first.max === 1);
    if (!isGroup || !first.alternatives.some(beginsWithAssertion)) return [alternative];
    const ways: Concatenation[] = [...first.alternatives];
    if (first.type === "Quantifier" && first.min === 0) ways.push({ type: "Concatenation", elements: [] });
    return spread(
      ways.map(({ elements }) => ({ type: "Concatenation", elements: copied([...elements, ...rest]) })),
    );
  });
}

function beginsWithAssertion({ elements: [first] }: Concatenation): boolean {
  if (first === undefined || first.type === "Assertion") return first !== undefined;
  const isGroup = first.type === "Alternation" || (first.type === "Quantifier" && first.max === 1);
  return isGroup && first.alternatives.some(beginsWithAssertion);
}

/** Nodes of their own, since they are changed in place; sets of characters are shared. */
function copied(elements: readonly NoParent<refa.Element>[]): NoParent<refa.Element>[] {
  return elements.map((element) =>
    "alternatives" in element
      ? {
          ...element,
          alternatives: element.alternatives.map((alternative) => ({
            ...alternative,
            elements: copied(alternative.elements),
          })),
        }
      : { ...element },
  );
}

/** Puts what is known of `^` in its place. */
function resolveStart(alternatives: readonly Concatenation[], start: () => NoParent<refa.Element>[]): void {
  for (const { elements } of alternatives) {
    for (let index = elements.length - 1; index >= 0; index--) {
      const element = elements[index]!;
      if (isStart(element)) elements.splice(index, 1, ...start());
      else if ("alternatives" in element) resolveStart(element.alternatives, start);
    }
  }
}

function isStart(element: NoParent<refa.Element>): boolean {
  if (element.type !== "Assertion" || element.kind !== "behind" || !element.negate) return false;
  const [only] = element.alternatives[0]?.elements ?? [];
  return only?.type === "CharacterClass" && only.characters.isAll;
}

/**
 * Assertions that could not be turned into characters are looked over, save at the end: there they may fail, for which
 * `end` stands.
 */
function withoutAssertions(alternatives: readonly Concatenation[], end: CharSet, isLast: boolean): void {
  for (const { elements } of alternatives) {
    let last = isLast;
    for (let index = elements.length - 1; index >= 0; index--) {
      const element = elements[index]!;
      if (element.type === "Assertion" && last) elements[index] = { type: "CharacterClass", characters: end };
      else if (element.type === "Assertion" || element.type === "Unknown") elements.splice(index, 1);
      else if (element.type === "Alternation") withoutAssertions(element.alternatives, end, last);
      else if (element.type === "Quantifier") withoutAssertions(element.alternatives, end, false);
      if (element.type === "CharacterClass" || element.type === "Quantifier") last = false;
    }
  }
}

/** By state and character (of those that the expression tells apart), the states that follow. */
class Automaton {
  readonly #next: readonly (readonly (readonly number[])[])[];
  readonly #base: CharBase;
  readonly #finals: ReadonlySet<number>;
  /** By state, the states that lie on a loop with it; none where it lies on no loop. */
  readonly #loops: readonly ReadonlySet<number>[];

  constructor(nfa: NFA) {
    const nodes = [...nfa.nodes()];
    const indexes = new Map(nodes.map((node, index) => [node, index]));
    this.#base = new CharBase(new Set(nodes.flatMap(({ out }) => [...out.values()])));
    const symbols = new Map<CharSet, readonly number[]>();
    const split = (set: CharSet) => {
      const known = symbols.get(set) ?? this.#base.split(set);
      symbols.set(set, known);
      return known;
    };
    this.#next = nodes.map(({ out }) => {
      const row: number[][] = Array.from(this.#base.sets, () => []);
      for (const [to, set] of out) for (const symbol of split(set)) row[symbol]!.push(indexes.get(to)!);
      return row;
    });
    this.#finals = new Set([...nfa.finals].map((node) => indexes.get(node)!));
    const reach = this.#next.map((_, state) => this.#reachable(state));
    this.#loops = reach.map((from, state) => new Set([...from].filter((other) => reach[other]!.has(state))));
  }

  #reachable(from: number): ReadonlySet<number> {
    const seen = new Set<number>();
    const waiting = [from];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      for (const to of new Set(this.#next[state]!.flat())) {
        if (seen.has(to)) continue;
        seen.add(to);
        waiting.push(to);
      }
    }
    return seen;
  }

  attack(): string | undefined {
    const looping = this.#loops.flatMap((loop, state) => (loop.has(state) ? [state] : []));
    for (const p of looping) {
      const behind = this.#reachable(p);
      for (const q of looping) {
        if (!behind.has(q)) continue;
        if ([...this.#loops[q]!].some((state) => this.#finals.has(state))) continue;
        const pump = this.#pump(p, q);
        if (pump !== undefined) return `⟨${printed(...pump)}⟩`;
      }
    }
    return undefined;
  }

  /**
   * A word from p to p, from p to q and from q to q at once; where p is q, from p to p in two ways. Between p and q the
   * word leaves neither loop but on the way from one to the other.
   */
  #pump(p: number, q: number): readonly number[] | undefined {
    const size = this.#next.length;
    const key = (a: number, b: number, c: number) => (a * size + b) * size + c;
    const loopP = this.#loops[p]!;
    const loopQ = this.#loops[q]!;
    type Step = {
      readonly states: readonly [number, number, number];
      readonly from?: Step;
      readonly symbol?: number;
      readonly parted: boolean;
    };
    const seen = new Set<number>();
    const waiting: Step[] = [{ states: [p, p, q], parted: false }];
    for (const step of waiting) {
      const [a, b, c] = step.states;
      for (let symbol = 0; symbol < this.#base.sets.length; symbol++) {
        for (const nextA of this.#next[a]![symbol]!) {
          if (!loopP.has(nextA)) continue;
          for (const nextC of this.#next[c]![symbol]!) {
            if (!loopQ.has(nextC)) continue;
            for (const nextB of this.#next[b]![symbol]!) {
              const parted = step.parted || nextA !== nextB || nextB !== nextC;
              const reached: Step = { states: [nextA, nextB, nextC], from: step, symbol, parted };
              if (nextA === p && nextB === q && nextC === q && parted) return this.#word(reached);
              const at = key(nextA, nextB, nextC) * 2 + Number(parted);
              if (seen.has(at) || seen.size >= STEPS_MAX) continue;
              seen.add(at);
              waiting.push(reached);
            }
          }
        }
      }
    }
    return undefined;
  }

  #word(last: { readonly from?: unknown; readonly symbol?: number }): readonly number[] {
    const word: number[] = [];
    for (
      let step: typeof last | undefined = last;
      step?.symbol !== undefined;
      step = step.from as typeof last
    )
      word.unshift(readable(this.#base.sets[step.symbol]!));
    return word;
  }
}

/** Triples of states that are tried for one pair of loops at the most. */
const STEPS_MAX = 200_000;

/** A character of the set that can be read, if it has one. */
function readable(set: CharSet): number {
  return (
    [...READABLE].map((character) => character.codePointAt(0)!).find((code) => set.has(code)) ??
    set.ranges[0]!.min
  );
}

const READABLE = "a1 A.,-:/\n\"'([|";

function printed(...characters: readonly (number | string)[]): string {
  const text = characters.map((one) => (typeof one === "string" ? one : String.fromCodePoint(one))).join("");
  return JSON.stringify(text).slice(1, -1);
}
