/**
 * A data set: questions, who asks them, and what is expected of the answer. Written as JSON lines; see
 * `examples/golden.jsonl`. `read-data-set.ts` turns files and uploads into these values.
 */
import { z } from "zod";
import { OUTCOMES, type Outcome } from "../domain/answer.js";

/** What an answer must come to. What is absent is not checked. */
export interface ExpectedAnswer {
  /** Any of these will do. */
  readonly outcomes?: readonly Outcome[];
  /** Each must be said, in one of its wordings. */
  readonly mustSay: readonly (readonly string[])[];
  /** None may be said. */
  readonly mustNotSay: readonly string[];
  /** Files that the answer has to rest on, as they are called below the ingested folder; `.md` and the like may lack. */
  readonly documents?: readonly string[];
  /** An answer written by a person: what RAGAS calls the reference. */
  readonly groundTruth?: string;
  /** Where it is there, the answer is marked right, wrong or refused (`marking.ts`). */
  readonly key?: AnswerKey;
  /** Another row's id: both answers have to be the same, word for word. */
  readonly sameWordsAs?: string;
}

/** Whether there is an answer, and what a wrong one comes to. */
export interface AnswerKey {
  /** Whether the documents hold the answer. If not, a refusal is right. */
  readonly answerable: boolean;
  /** A part is right where the answer announces that there is more. */
  readonly partialOk: boolean;
  /** Numbers of items that such an answer may tell; absent: it is enough that it announces more. */
  readonly items?: readonly number[];
  /** A wrong answer could hurt somebody. */
  readonly hurts: boolean;
  readonly source?: AnswerSource;
}

/** Where the answer stands. */
export interface AnswerSource {
  /** A file, as `Expected.documents` has it. */
  readonly document: string;
  /** The words that answer, as the document has them. */
  readonly quote?: string;
}

/** One question, with the turns that lead to it. */
export interface DataSetRow {
  readonly id: string;
  readonly category: string;
  /** What the user says, in order, at least one; the answer to the last is what is measured. */
  readonly turns: readonly string[];
  /** Absent: that of the data set, or of whoever starts the run. */
  readonly network?: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly features: readonly string[];
  readonly mode?: string;
  readonly language?: string;
  readonly expected: ExpectedAnswer;
  /** It was drafted, and nobody has looked at it yet: it cannot be asked. */
  readonly draft?: true;
}

/** What the first line of a file may say of all its rows. */
export interface DataSetHeader {
  readonly name?: string;
  /** The folder of documents that the questions are about, relative to the file. Means nothing in an upload. */
  readonly documents?: string;
  readonly network?: string;
}

export interface DataSet extends DataSetHeader {
  readonly rows: readonly DataSetRow[];
}

/** The user of rows that name none. */
export const DEFAULT_USERNAME = "evaluator";

/** The category of rows that name none. */
export const DEFAULT_CATEGORY = "uncategorized";

const outcomeName = z.enum(Object.keys(OUTCOMES) as Outcome[]);

const TEXT_CHARS_MAX = 10_000;
/** Of words that an answer has to hold or must not hold: each is looked for at every place of the answer. */
const WORDING_CHARS_MAX = 500;
const ITEMS_MAX = 100;

const text = z.string().trim().min(1).max(TEXT_CHARS_MAX);
const texts = z.array(text).max(ITEMS_MAX);
const wording = z.string().trim().min(1).max(WORDING_CHARS_MAX);
const wordings = z.array(wording).max(ITEMS_MAX);
const name = z.string().min(1).max(256);

export const headerSchema = z.strictObject({
  dataset: name,
  documents: text.optional(),
  network: name.optional(),
});

const keySchema = z.strictObject({
  answerable: z.boolean(),
  partial_ok: z.boolean().default(false),
  items: z.array(z.int().min(1)).min(1).max(ITEMS_MAX).optional(),
  hurts: z.boolean().default(false),
  source: z
    .strictObject({ document: text, heading: text.optional(), quote: text.optional() })
    .nullable()
    .optional(),
});

const expectedSchema = z
  .strictObject({
    outcome: outcomeName.optional(),
    outcomes: z.array(outcomeName).min(1).optional(),
    must_say: z
      .array(z.union([wording, wordings.min(1)]))
      .max(ITEMS_MAX)
      .default([]),
    must_not_say: wordings.default([]),
    documents: texts.min(1).optional(),
    ground_truth: text.optional(),
    same_words_as: name.optional(),
    key: keySchema.optional(),
  })
  .refine(({ key, must_say }) => key?.answerable !== true || must_say.length > 0, {
    path: ["must_say"],
    message: "a row that can be answered has to say what is expected",
  })
  .refine(({ outcome, outcomes }) => outcome === undefined || outcomes === undefined, {
    path: ["outcomes"],
    message: "give either outcome or outcomes, not both",
  });

export const rowSchema = z
  .strictObject({
    id: name.optional(),
    category: name.default(DEFAULT_CATEGORY),
    question: text.optional(),
    turns: texts.min(1).optional(),
    network: name.optional(),
    username: name.default(DEFAULT_USERNAME),
    groups: z.array(name).max(ITEMS_MAX).default([]),
    features: z.array(name).max(ITEMS_MAX).default([]),
    mode: name.optional(),
    language: name.optional(),
    /** For people who judge answers; nothing reads it. */
    note: text.optional(),
    draft: z.boolean().optional(),
    expected: expectedSchema.prefault({}),
  })
  .refine(({ question, turns }) => (question === undefined) !== (turns === undefined), {
    path: ["question"],
    message: "give either question or turns",
  });

/** A row as it is checked, and as the rest works with it. `fallbackId` names a row without an id. */
export function rowOf(checked: z.infer<typeof rowSchema>, fallbackId: string): DataSetRow {
  const { id = fallbackId, category, question, turns, username, groups, features, expected, draft } = checked;
  const { outcome, outcomes, must_say, must_not_say, documents, ground_truth, same_words_as, key } = expected;
  const accepted = outcome === undefined ? outcomes : [outcome];
  return {
    id,
    category,
    turns: turns ?? [question!],
    username,
    groups,
    features,
    ...(checked.network !== undefined && { network: checked.network }),
    ...(checked.mode !== undefined && { mode: checked.mode }),
    ...(checked.language !== undefined && { language: checked.language }),
    expected: {
      mustSay: must_say.map((wordings) => (typeof wordings === "string" ? [wordings] : wordings)),
      mustNotSay: must_not_say,
      ...(accepted && { outcomes: accepted }),
      ...(documents && { documents }),
      ...(ground_truth !== undefined && { groundTruth: ground_truth }),
      ...(same_words_as !== undefined && { sameWordsAs: same_words_as }),
      ...(key && { key: keyOf(key) }),
    },
    ...(draft === true && { draft }),
  };
}

function keyOf({ answerable, partial_ok, items, hurts, source }: z.infer<typeof keySchema>): AnswerKey {
  const { document, quote } = source ?? {};
  return {
    answerable,
    partialOk: partial_ok,
    ...(items && { items }),
    hurts,
    ...(document !== undefined && { source: { document, ...(quote !== undefined && { quote }) } }),
  };
}
