/**
 * Whether somebody tells of an emergency that happens now: words of each language and where they stand to each other,
 * clause by clause. What is supposed, asked about, denied, long past or about paper is none; in doubt it is one. Linear
 * in the text, and bounded. Pure.
 */

import { lately } from "../lib/lately.js";
import {
  type Lexicon,
  type LexiconWord,
  lexiconOf,
  spansAt,
  tokensOf,
  type Span as WordSpan,
} from "./emergency-words/lexicon.js";
import { EMERGENCY_WORDS, type EmergencyWords } from "./emergency-words/words.js";

export interface Emergency {
  /** The language in whose words it is told: an ISO 639 code. */
  readonly language: string;
  /** The words that tell what happened, as they were said; "" where somebody only calls for help. */
  readonly signs: string;
}

/** Words from one part of a report to the other. */
const APART_MAX = 7;

/** Words between a call for help and the ends of its clause. */
const BESIDE_CRY_MAX = 2;

/** Words for which "no" counts. */
const REACH = 3;

/** The same for "in case of" and "near the": what is further on is told ("by the till there's a man with a knife"). */
const UPON_REACH = 2;

/** Words from a blow to the one whom it hits. */
const BLOW_MAX = 2;

/** Words from a weapon to "with" or "has". */
const HELD_MAX = 3;

/** What `message` tells of an emergency, or `undefined`. */
export function emergencyIn(message: string): Emergency | undefined {
  return told(message).emergency;
}

/** What is said is looked at by several parts of a turn. */
const told = lately((message) => ({ emergency: read(message) }), { textsMax: 64, charsMax: 2_000 });

function read(message: string): Emergency | undefined {
  const tokens = tokensOf(message);
  const endsInQuestion = /\?\s{0,9}$/.test(message.slice(-10));
  for (const [language, lexicon] of LEXICONS) {
    const signs = new Report(tokens, lexicon, endsInQuestion).signs();
    if (signs !== undefined) return { language, signs };
  }
  return undefined;
}

/** Whether `text` tells its reader to call a number, or for help. */
export function tellsToCall(text: string): boolean {
  const tokens = tokensOf(text);
  return LEXICONS.some(([, lexicon]) => new Report(tokens, lexicon).tellsToCall());
}

/** What `text` supposes, clause by clause: "a fire does occur" of "If a fire does occur, leave". */
export function supposedIn(text: string): readonly string[] {
  const tokens = tokensOf(text);
  return LEXICONS.flatMap(([, lexicon]) => new Report(tokens, lexicon).supposed());
}

type Role = keyof EmergencyWords;
type Span = WordSpan<Role>;

const LEXICONS: readonly (readonly [string, Lexicon<Role>])[] = Object.entries(EMERGENCY_WORDS).map(
  ([language, words]) => [language, lexiconOf(words)],
);

interface Clause {
  readonly from: number;
  readonly to: number;
  readonly spans: readonly Span[];
}

/** A message as one language reads it. */
class Report {
  readonly #spans: readonly Span[];

  constructor(
    private readonly tokens: readonly LexiconWord[],
    lexicon: Lexicon<Role>,
    private readonly endsInQuestion = false,
  ) {
    const all = tokens.flatMap((_, at) => spansAt(tokens, at, lexicon));
    const named = all.filter(({ role }) => role === "harmless");
    this.#spans = all.filter((span) => span.role === "harmless" || !named.some((one) => covers(one, span)));
  }

  signs(): string | undefined {
    if (!this.#spans.some(({ role }) => TELLING.has(role))) return undefined;
    const clauses: Clause[] = [];
    for (const sentence of this.#cut(0, this.tokens.length, (at) => this.tokens[at]!.after === "sentence")) {
      if (sentence.spans.some(({ role }) => role === "past")) continue;
      if (this.#isAsked(sentence)) continue;
      const questions = sentence.spans.filter(({ role }) => role === "whatNow");
      const ends = (at: number) =>
        this.tokens[at]!.after !== "word" || questions.some(({ from, to }) => at === from || at === to);
      clauses.push(...this.#cut(sentence.from, sentence.to, ends));
    }
    for (const clause of clauses) {
      const told = dangerIn(clause, DANGERS);
      if (told !== undefined) return this.#said(told);
    }
    return clauses.some((clause) => dangerIn(clause, [cry]) !== undefined) ? "" : undefined;
  }

  /** Whether the sentence is a question that begins with its verb, and nothing but that question. */
  #isAsked({ from, to, spans }: Clause): boolean {
    const isQuestion = this.tokens[to]?.afterQuestion ?? this.endsInQuestion;
    if (!isQuestion || spans.some(({ role }) => ["whatNow", "cries", "summon"].includes(role))) return false;
    if (!spans.some((span) => span.from === from && ["opening", "verbFirst"].includes(span.role)))
      return false;
    return this.#cut(from, to, (at) => this.tokens[at]!.after !== "word")
      .slice(1)
      .every((clause) => of(clause, "supposing").some((span) => span.from === clause.from));
  }

  tellsToCall(): boolean {
    const numbers = this.tokens.flatMap(({ word }, at): readonly Span[] =>
      /^\d{2,}$/.test(word) ? [{ role: "rescue", from: at, to: at + 1 }] : [],
    );
    const whole = { from: 0, to: this.tokens.length, spans: [...this.#spans, ...numbers] };
    return summoned(whole).length > 0;
  }

  supposed(): readonly string[] {
    return this.#cut(0, this.tokens.length, (at) => this.tokens[at]!.after !== "word").flatMap((clause) => {
      const [supposing] = of(clause, "supposing");
      return supposing === undefined
        ? []
        : [this.#said([{ ...supposing, from: supposing.to, to: clause.to }])];
    });
  }

  #cut(from: number, to: number, ends: (at: number) => boolean): readonly Clause[] {
    const clauses: Clause[] = [];
    let start = from;
    for (let at = from + 1; at <= to; at++) {
      if (at < to && !ends(at)) continue;
      const [first, last] = [start, at];
      const spans = this.#spans.filter((span) => span.from >= first && span.to <= last);
      clauses.push({ from: first, to: last, spans });
      start = at;
    }
    return clauses;
  }

  #said(spans: readonly Span[]): string {
    return [...spans]
      .sort((one, other) => one.from - other.from)
      .map(({ from, to }) =>
        this.tokens
          .slice(from, to)
          .map(({ raw }) => raw)
          .join(" "),
      )
      .join(" ");
  }
}

function covers(outer: Span, inner: Span): boolean {
  return outer.from <= inner.from && inner.to <= outer.to;
}

/** What in the clause tells of a danger; `undefined` when nothing does. */
function dangerIn(clause: Clause, rules: readonly Rule[]): readonly Span[] | undefined {
  for (const rule of rules) {
    const found = rule(clause).find((spans) => isToldIn(clause, spans, rule === summoned));
    if (found !== undefined) return found;
  }
  return undefined;
}

type Rule = (clause: Clause) => readonly (readonly Span[])[];

const of = ({ spans }: Clause, ...roles: readonly Role[]) => spans.filter(({ role }) => roles.includes(role));

const cry: Rule = (clause) => {
  const beside = ({ from, to }: Span) => clause.to - clause.from - (to - from);
  return [
    ...of(clause, "cries"),
    ...of(clause, "alone").filter((span) => beside(span) <= BESIDE_CRY_MAX && span.to === clause.to),
  ].map((span) => [span]);
};

const dire: Rule = (clause) => of(clause, "dire").map((span) => [span]);

/** What only the living undergo, whoever it is; not where a thing stands before it. */
const suffering: Rule = (clause) =>
  of(clause, "suffers")
    .filter(({ from }) => !of(clause, "thing").some(({ to }) => to <= from && from - to <= APART_MAX))
    .map((span) => [span]);

/** Somebody is hit, inside the words for it or right behind them: "ran him over", "hitting my colleague". */
const struck: Rule = (clause) =>
  of(clause, "strikes").flatMap((blow) =>
    of(clause, "who")
      .filter(({ from }) => from > blow.from && from - blow.to <= BLOW_MAX)
      .map((who) => (covers(blow, who) ? [blow] : [blow, who])),
  );

/** Something burns that is no light, or a machine smokes. */
const burning: Rule = (clause) => {
  if (of(clause, "lit").length > 0) return [];
  return [
    ...of(clause, "burns").map((span) => [span]),
    ...pairs(of(clause, "crusher", "equipment"), of(clause, "smokes")),
  ];
};

const smelled: Rule = (clause) => pairs(of(clause, "smells"), of(clause, "substance", "hazard"));

const harmed: Rule = (clause) => [
  ...pairs(of(clause, "who", "body"), of(clause, "harm")),
  ...pairs(of(clause, "body"), of(clause, "wound")),
  ...pairs(of(clause, "body"), of(clause, "substance")),
];

/** A part of the body right in, or a person right under, what crushes. */
const caught: Rule = (clause) => [
  ...within(clause, of(clause, "body"), of(clause, "into", "under")),
  ...within(clause, of(clause, "who"), of(clause, "under")),
];

function within(
  clause: Clause,
  victims: readonly Span[],
  places: readonly Span[],
): readonly (readonly Span[])[] {
  return pairs(victims, of(clause, "crusher")).filter(([victim, crusher]) =>
    places.some(({ from, to }) => from >= victim!.to && to <= crusher!.from && crusher!.from - to <= 1),
  );
}

const summoned: Rule = (clause) => pairs(of(clause, "summon"), of(clause, "rescue"));

/** A danger by its name, and nothing behind it but a place. */
const reported: Rule = (clause) =>
  of(clause, "hazard")
    .filter(
      ({ to }) => to === clause.to || clause.spans.some((span) => span.role === "place" && span.from === to),
    )
    .map((span) => [span]);

const escaping: Rule = (clause) => pairs(of(clause, "substance"), of(clause, "escapes"));

/** A weapon in somebody's hand, in either order: "a man with a knife", "with a knife, a man". */
const armed: Rule = (clause) =>
  pairs(of(clause, "who"), of(clause, "weapon")).filter(([, weapon]) =>
    of(clause, "armed").some(({ to }) => to <= weapon!.from && weapon!.from - to <= HELD_MAX),
  );

const DANGERS: readonly Rule[] = [
  ...[dire, suffering, burning, harmed, struck, caught],
  ...[summoned, reported, escaping, smelled, armed],
];

/** One of these is in everything that a rule finds. */
const TELLING: ReadonlySet<Role> = new Set([
  ...(["cries", "alone", "dire", "suffers", "strikes", "burns", "smokes", "smells", "harm"] as const),
  ...(["wound", "substance", "crusher", "summon", "hazard", "weapon"] as const),
]);

/** Each of the one with each of the other that is near it. */
function pairs(ones: readonly Span[], others: readonly Span[]): readonly (readonly Span[])[] {
  return ones.flatMap((one) =>
    others
      .filter((other) =>
        other.from >= one.to
          ? other.from - one.to <= APART_MAX
          : one.from - other.to <= APART_MAX && one.from >= other.to,
      )
      .map((other) => [one, other]),
  );
}

/** Roles that no word about paper makes harmless: "she fainted in the training". */
const ALWAYS_TOLD: readonly Role[] = ["dire", "cries", "suffers", "burns"];

/** Whether the clause tells it, rather than supposing it, denying it, or asking about it. */
function isToldIn(clause: Clause, told: readonly Span[], isOrder: boolean): boolean {
  const start = Math.min(...told.map(({ from }) => from));
  const end = Math.max(...told.map(({ to }) => to));
  const before = clause.spans.filter(({ from }) => from < start);
  const isOutside = (span: Span) => !told.some((one) => covers(one, span));
  if (before.some(({ role }) => role === "supposing" || role === "asking")) return false;
  if (before.some(({ role, from }) => role === "opening" && from === clause.from)) return false;
  const isArmed = told.some(({ role }) => role === "weapon");
  const isWith = (upon: Span) => isArmed && of(clause, "armed").some((held) => covers(upon, held));
  const isNear = (kind: Role, reach: number) =>
    before.some((span) => span.role === kind && start - span.to < reach && span.to <= start && !isWith(span));
  if (isNear("upon", UPON_REACH) || isNear("denying", REACH)) return false;
  if (clause.spans.some((span) => span.role === "usual" && isOutside(span))) return false;
  if (told.some(({ role }) => ALWAYS_TOLD.includes(role))) return true;
  if (clause.spans.some((span) => span.role === "paper" && isOutside(span))) return false;
  const asksAfter = clause.spans.some(({ role, from }) => role === "asking" && from >= end);
  return !(isOrder && asksAfter && start > clause.from);
}
