/** Tables of English words, from `locales/words/`: each file says what a row of it means. */
import { shippedRows } from "../lib/shipped-files.js";

const rows = (name: string) => shippedRows(`locales/words/${name}.txt`);

/** Words that are spelt in two ways, `British American`. */
export const SPELLINGS = rows("spellings");

/** Words that mean the same in a handbook: the first of a row stands for all of it. Matched by stem. */
export const SYNONYMS = [...rows("synonyms"), ...SPELLINGS];

/** The same, of one meaning only: such a word makes a sentence the answer. */
export const ANSWER_SYNONYMS = [...rows("answer-synonyms"), ...SPELLINGS];

/** Irregular forms, `form base`. */
export const IRREGULAR = rows("irregular");

/** Words that exclude each other, `these | those`. */
export const OPPOSITES = rows("opposites");

/** Sets of which one thing has only one member. */
export const EXCLUSIVE = rows("exclusive");
