/**
 * What a caller says about itself and its question beside the question, at doors whose protocol has one free text for
 * it: JSON under the names that the reference uses. A text that is no JSON object is the user's name.
 */
import { z } from "zod";
import type { Route } from "../routing/routes.js";
import {
  askerFields,
  assertKnownRoute,
  attachmentFields,
  parsed,
  routeField,
  sessionField,
} from "./fields.js";
import { jsonIn } from "./json.js";
import { Rejection } from "./rejection.js";

/** Names that we do not know are somebody else's, and passed over. */
const callerNote = z.object({
  session_id: sessionField.nullish(),
  ...askerFields,
  query_type: routeField.nullish(),
  ...attachmentFields,
});

export type CallerNote = z.output<typeof callerNote>;

/** `field`: where it stood, for the error; empty where its fields are the request's own. Throws `Rejection`. */
export function callerNoteIn(value: unknown, field: string, routes: readonly Route[]): CallerNote {
  if (value === undefined || value === null || value === "") return {};
  const prefix = field === "" ? "" : `${field}.`;
  const note = parsed(callerNote, typeof value === "string" ? fieldsIn(value, field) : value, prefix);
  assertKnownRoute(note.query_type, `${prefix}query_type`, routes);
  return note;
}

/** The fields that a text has as JSON. */
function fieldsIn(value: string, field: string): unknown {
  const text = value.trim();
  const fault = (problem: string) =>
    new Rejection("bad_parameter", `"${field}" begins like JSON and ${problem}.`, field);
  return text.startsWith("{") ? jsonIn(text, fault) : { username: text };
}
