/** What is known of a word by itself: its term, whether it says anything, its opposites, whether it denies. */
import { analyze } from "../../lib/english-analyzer.js";
import { lately } from "../../lib/lately.js";
import { ACTION_VERBS, FUNCTION_WORDS, LIGHT_WORDS } from "../../words/function-words.js";
import { DENIALS, MODALS, type Modality, NEGATIONS } from "../../words/polarity.js";
import { EXCLUSIVE, IRREGULAR, OPPOSITES, SYNONYMS } from "../../words/rows.js";
import { WORD_CHARS_MAX } from "../../words/tokens.js";

/** A side of an axis of opposites. */
export interface Pole {
  readonly axis: number;
  readonly sign: 1 | -1;
}

export interface WordInfo {
  /** The same for all forms and synonyms of a word. */
  readonly term: string;
  /** Stem alone, without synonyms. */
  readonly stem: string;
  /** Function words hold a sentence together, light words may be added freely; content must come from somewhere. */
  readonly weight: "function" | "light" | "content";
  readonly poles: readonly Pole[];
  /** The set of which one thing has one member; -1 for none. */
  readonly exclusive: number;
  readonly negates: boolean;
  readonly modality: Modality | undefined;
  /** Base form of a verb that may open an instruction. */
  readonly action: boolean;
}

const KEPT = { textsMax: 20_000, charsMax: WORD_CHARS_MAX };

/** What is known of a word in lower case. */
export const lookUp = lately(build, KEPT);

const bases = new Map(IRREGULAR.map((row) => row.split(" ") as [string, string]));

function stemOf(lower: string): string {
  // No word of any language: nothing is to be learnt from its ending.
  if (lower.length > WORD_CHARS_MAX) return lower;
  const plain = lower.replace(/'s?$/, "");
  return analyze(bases.get(plain) ?? plain)[0] ?? plain;
}

/** Stem to the first of its group of synonyms; rows of several words are for `phrases.ts`. */
const synonyms = buildSynonyms();

function buildSynonyms(): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of SYNONYMS) {
    const [head, ...others] = row.split(" ");
    const term = found.get(stemOf(head!)) ?? stemOf(head!);
    for (const word of [head!, ...others])
      if (!word.includes("-") && !found.has(stemOf(word))) found.set(stemOf(word), term);
  }
  return found;
}

const poles = buildPoles();

function buildPoles(): Map<string, Pole[]> {
  const found = new Map<string, Pole[]>();
  const add = (key: string, pole: Pole) => {
    const list = found.get(key) ?? [];
    if (!list.some(({ axis }) => axis === pole.axis)) found.set(key, [...list, pole]);
  };
  OPPOSITES.forEach((row, axis) => {
    row.split(" | ").forEach((side, index) => {
      for (const word of side.split(" ")) add(word, { axis, sign: index === 0 ? 1 : -1 });
    });
  });
  // A stem stands for the forms that are not listed, unless two listed forms of it are opposites.
  for (const [word, list] of [...found])
    if (!FUNCTION_WORDS.has(word)) for (const pole of list) add(`~${stemOf(word)}`, pole);
  return found;
}

const exclusive = new Map(
  EXCLUSIVE.flatMap((row, index) => row.split(" ").map((word): [string, number] => [stemOf(word), index])),
);

const english: ReadonlySet<string> = new Set(NEGATIONS.en);

const modals = new Map(
  Object.values(MODALS).flatMap((classes) =>
    Object.entries(classes).flatMap(([modality, words]) =>
      words.map((word): [string, Modality] => [word, modality as Modality]),
    ),
  ),
);

function build(lower: string): WordInfo {
  const stem = stemOf(lower);
  const negates = english.has(lower) || /n't$/.test(lower) || (DENIALS.has(lower) && lower.length > 3);
  return {
    term: synonyms.get(stem) ?? stem,
    stem,
    weight: FUNCTION_WORDS.has(lower) || negates ? "function" : LIGHT_WORDS.has(lower) ? "light" : "content",
    poles: poles.get(lower) ?? poles.get(`~${stem}`) ?? [],
    exclusive: exclusive.get(stem) ?? -1,
    negates,
    modality: modals.get(lower),
    action: ACTION_VERBS.has(lower),
  };
}

/** Whether a word denies in another language than English; short ones are words of English too. */
export function negatesIn(lower: string, language: keyof typeof NEGATIONS): boolean {
  return NEGATIONS[language].includes(lower);
}
