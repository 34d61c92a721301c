/**
 * What the fields of a request may hold, the same at every door: the bounds are those of the relays' protocol where it
 * has the field too. A field that is null counts as absent.
 */
import { z } from "zod";
import { fieldName, pathOf } from "../lib/field-name.js";
import { isNestedDeeper } from "../lib/json-depth.js";
import { isWellFormed } from "../lib/well-formed.js";
import { declaredRouteProblem, type Route } from "../routing/routes.js";
import { TOO_DEEP } from "./json.js";
import { Rejection } from "./rejection.js";

const NAME_BYTES_MAX = 256;
const GROUPS_MAX = 256;
const FEATURES_MAX = 32;
const WORD_BYTES_MAX = 64;
const LANGUAGE_CHARS_MAX = 35;
/** Of a session's id: long enough for any identifier in use. */
const SESSION_BYTES_MAX = 256;
/** Of a resource's id. */
const RESOURCE_BYTES_MAX = 1_024;
const MENTIONS_MAX = 32;
/** Of each attachment. */
const ATTACHMENT_CHARS_MAX = 200_000;
const USER_INFO_ENTRIES_MAX = 32;
/** Of each entry: no more than so much is ever looked at. */
const USER_INFO_CHARS_MAX = 2_000;

const CONTROL = /\p{Cc}/u;

/** A text of 1 to `bytesMax` bytes in UTF-8, without control characters. */
function word(bytesMax: number) {
  return z
    .string({ error: `expected a text of 1 to ${bytesMax} bytes without control characters` })
    .refine((text) => isWord(text, bytesMax), {
      error: `expected a text of 1 to ${bytesMax} bytes without control characters`,
    });
}

function isWord(text: string, bytesMax: number): boolean {
  const bytes = Buffer.byteLength(text);
  return bytes >= 1 && bytes <= bytesMax && !CONTROL.test(text) && isWellFormed(text);
}

export const networkField = word(NAME_BYTES_MAX);
export const usernameField = word(NAME_BYTES_MAX);
export const sessionField = word(SESSION_BYTES_MAX);
export const modeField = word(WORD_BYTES_MAX);
export const routeField = word(WORD_BYTES_MAX);

/** Ids of resources of a site. */
export const mentionsField = z
  .array(word(RESOURCE_BYTES_MAX), { error: "expected a list of ids of resources" })
  .max(MENTIONS_MAX, { error: `expected at most ${MENTIONS_MAX} ids` });

export const languageField = z
  .string({ error: 'expected a language tag such as "en" or "pt-BR"' })
  .max(LANGUAGE_CHARS_MAX, { error: `expected at most ${LANGUAGE_CHARS_MAX} characters` })
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, { error: 'expected a language tag such as "en" or "pt-BR"' });

export const textField = z
  .string({ error: "expected the words of the question" })
  .refine((text) => text.trim() !== "", { error: "expected the words of the question" })
  .refine((text) => isWellFormed(text), { error: "expected well-formed Unicode" });

const STOPS_MAX = 16;
const STOP_CHARS_MAX = 256;

const stop = z
  .string({ error: "expected a text" })
  .min(1, { error: "expected at least one character" })
  .max(STOP_CHARS_MAX, { error: `expected at most ${STOP_CHARS_MAX} characters` });

/** Sequences at which an answer stops: a list, or one. */
export const stopField = z.preprocess(
  (value) => (typeof value === "string" ? [value] : value),
  z
    .array(stop, { error: "expected a text, or a list of texts" })
    .max(STOPS_MAX, { error: `expected at most ${STOPS_MAX} texts` })
    .nullish(),
);

export const groupsField = listOf(word(NAME_BYTES_MAX), GROUPS_MAX, "group names");
export const featuresField = listOf(word(WORD_BYTES_MAX), FEATURES_MAX, "feature flags");

/** Who asks, and how: as far as a request says it. */
export const askerFields = {
  network: networkField.nullish(),
  username: usernameField.nullish(),
  groups: groupsField.nullish(),
  features: featuresField.nullish(),
  mode: modeField.nullish(),
  language: languageField.nullish(),
};

/** Whom a request speaks for, where it says nothing else. */
export const whoFields = z.strictObject(
  { network: askerFields.network, username: askerFields.username, groups: askerFields.groups },
  { error: "expected a JSON object" },
);

/** A list, or one text with commas between the entries. */
function listOf(entry: z.ZodType<string>, countMax: number, what: string) {
  const entries = z
    .array(entry, { error: `expected a list of ${what}, or one text with commas between them` })
    .max(countMax, { error: `expected at most ${countMax} ${what}` });
  return z.preprocess(
    (value) =>
      typeof value === "string"
        ? value
            .split(",")
            .map((one) => one.trim())
            .filter((one) => one !== "")
        : value,
    entries,
  );
}

function textOf(charsMax: number) {
  return z
    .string({ error: "expected a text" })
    .max(charsMax, { error: `expected at most ${charsMax} characters` })
    .refine((text) => isWellFormed(text), { error: "expected well-formed Unicode" });
}

const attachment = textOf(ATTACHMENT_CHARS_MAX).refine(
  (text) => !/^\s*[[{]/.test(text) || !isNestedDeeper(text),
  { error: `as JSON it ${TOO_DEEP}` },
);

/** What a caller attaches, under the names that the reference uses. */
export const attachmentFields = {
  editor_content: attachment.nullish(),
  selected_text: attachment.nullish(),
  /** An object is taken as its JSON text. */
  extra_context: z.preprocess(asText, attachment).nullish(),
  /** How old that is. */
  extra_context_age_s: z
    .number({ error: "expected the age of the data in seconds" })
    .min(0, { error: "expected the age of the data in seconds" })
    .nullish(),
  user_info: z
    .record(z.string(), z.preprocess(asText, textOf(USER_INFO_CHARS_MAX)), {
      error: "expected an object of texts",
    })
    .refine((info) => Object.keys(info).length <= USER_INFO_ENTRIES_MAX, {
      error: `expected at most ${USER_INFO_ENTRIES_MAX} entries`,
    })
    .nullish(),
};

function asText(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : scalarAsText(value);
}

function scalarAsText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/** Throws `Rejection` for a route that there is not, which names those that there are. */
export function assertKnownRoute(
  name: string | null | undefined,
  field: string,
  routes: readonly Route[],
): void {
  const problem = name == null ? undefined : declaredRouteProblem(routes, name);
  if (problem !== undefined) throw new Rejection("bad_parameter", `"${field}": ${problem}.`, field);
}

/** `value` as `schema` has it. Throws `Rejection` that names the first field at fault. */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, prefix = ""): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const isUnknown = issue.code === "unrecognized_keys";
  const path = pathOf(issue);
  const field = prefix + fieldName(path);
  const problem = isUnknown ? "is not known here" : `: ${issue.message}`;
  const missing = !isUnknown && path.length > 0 && valueAt(value, path) === undefined;
  const subject = field === "" ? "the body" : `"${field}"`;
  const message = missing
    ? `${subject} is missing: ${issue.message}`
    : `${subject} ${problem}`.replace(" :", ":");
  throw new Rejection(missing ? "missing_parameter" : "bad_parameter", `${message}.`, field);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}
