/**
 * What a model replies with while a guide is built: what it says, the phase it takes it for, and patches. Asked for as
 * structured output; a server that cannot be held to it may write JSON or old markers into prose. Pure.
 */
import { z } from "zod";
import { cutToChars } from "../../lib/cut.js";
import { isRecord } from "../../lib/is-record.js";
import { splitSentences } from "../../lib/sentence-end.js";
import type { Fields } from "../exchange/shapes.js";
import { findingText } from "../schema/finding.js";
import type { Guide } from "../schema/guide.js";
import { GuideProblem } from "../schema/read-guide.js";
import { CONTENT_TYPES, VERIFICATION_TYPES } from "../schema/schema.js";
import { jsonIn, type MarkedReply, markedPatches, readMarkers } from "./markers.js";
import type { Patch } from "./patch.js";
import { type BuilderPhase, PHASES } from "./session.js";

/** UTF-16 units of what a model says in one turn; what is beyond is cut. */
export const SAY_CHARS_MAX = 2_000;

/** Servers that know no strict schema leave out what is null. */
const maybe = <T extends z.ZodType>(type: T) => type.nullish();
const text = maybe(z.string());
const number = maybe(z.number());
const flag = maybe(z.boolean());
const listOf = <T extends z.ZodType>(type: T) => maybe(z.array(type));
const VALUE_TYPES = ["number", "text"] as const;
const STEP_KINDS = ["instruct", "question", "record", "hold_point", "section", "solution", "end"] as const;
const OPS = ["add", "modify", "remove", "move", "replace", "describe"] as const;

/** The fields of a step that a model may write: checks and operations name what a site has, sources what people read. */
const step = z.strictObject({
  ...{ id: text, kind: maybe(z.enum(STEP_KINDS)), title: text, text, warning: text, help_text: text },
  ...{ next: text, otherwise: text, expected_outcome: text, verification_prompt: text, reference_url: text },
  verification_type: maybe(z.enum(VERIFICATION_TYPES)),
  content_type: maybe(z.enum(CONTENT_TYPES)),
  ...{ critical: flag, notes_enabled: flag, estimated_minutes: number },
  options: listOf(z.strictObject({ id: z.string(), label: z.string(), next: z.string() })),
  commands: listOf(z.strictObject({ code: z.string(), label: text, language: text })),
  ...{ variable: text, value_type: maybe(z.enum(VALUE_TYPES)), unit: text, min: number, max: number },
  resolution_steps: listOf(z.string()),
});
const intakeField = z.strictObject({
  ...{ name: z.string(), label: z.string(), type: maybe(z.enum(VALUE_TYPES)), required: flag },
  ...{ placeholder: text, group: text },
});
const patch = z.strictObject({
  ...{ op: z.enum(OPS), id: text, after: text, before: text, step: maybe(step), steps: listOf(step) },
  /** Of `modify`: names of fields that are taken out. */
  clear: listOf(z.string()),
  describe: maybe(
    z.strictObject({ name: text, description: text, tags: listOf(z.string()), intake: listOf(intakeField) }),
  ),
});
const reply = z.strictObject({ say: text, phase: maybe(z.enum(PHASES)), patches: listOf(patch) });

const { $schema: _, ...schema } = z.toJSONSchema(reply, {
  // Strict output wants every property required.
  override: ({ jsonSchema }) => {
    if (jsonSchema.type === "object") jsonSchema.required = Object.keys(jsonSchema.properties ?? {});
  },
});
/** For `ModelRequest.responseFormat`. */
export const REPLY_FORMAT = { type: "json_schema", name: "guide_turn", schema } as const;

/** What a model means; with `errors` none of its patches counts. */
export interface BuilderReply {
  readonly say: string;
  readonly phase?: BuilderPhase | undefined;
  readonly patches: readonly Patch[];
  /** What is wrong with it, as sentences that say what to do. */
  readonly errors: readonly string[];
}

/** Reads what a model wrote, whatever it is. */
export function readReply(raw: string, guide: Pick<Guide, "flowType">): BuilderReply {
  const written = raw.replace(THOUGHTS, "").trim();
  const value = jsonIn(written);
  if (isRecord(value) && ("say" in value || "patches" in value)) return structured(value);
  const read = value === undefined ? readMarkers(written) : { content: written, errors: [] };
  if (value === undefined && written !== "" && !OPENS_JSON.test(read.content)) return marked(read, guide);
  // A flow, maybe with markers behind it, is what older prompts ask for in the end.
  const tree = value ?? jsonIn(read.content);
  const whole = isRecord(tree) ? { tree } : { errors: [...read.errors, NO_OBJECT] };
  return marked({ ...read, content: "", ...whole }, guide);
}

const NO_OBJECT = "That is no JSON object, or not all of one: reply with one, and write less at a time.";
const THOUGHTS = /<think>[^<]*(?:<(?!\/think>)[^<]*)*(?:<\/think>)?/g;
const OPENS_JSON = /^(?:```(?:json)?\s*)?\{/;

function marked(read: MarkedReply, guide: Pick<Guide, "flowType">): BuilderReply {
  const { content, errors, phase } = read;
  const told = { say: cutToChars(content, SAY_CHARS_MAX), phase };
  if (errors.length > 0) return { ...told, patches: [], errors };
  try {
    return { ...told, patches: markedPatches(read, guide), errors: [] };
  } catch (error) {
    if (!(error instanceof GuideProblem)) throw error;
    return { ...told, patches: [], errors: error.findings.map(findingText) };
  }
}

function structured(value: Fields): BuilderReply {
  const say = typeof value.say === "string" ? cutToChars(value.say.trim(), SAY_CHARS_MAX) : "";
  const parsed = reply.safeParse(value);
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ message, path }) => `\`${path.join(".")}\`: ${message}`);
    return { say, patches: [], errors };
  }
  const { phase } = parsed.data;
  const patches = (parsed.data.patches ?? []).map(patchOf);
  const errors = patches.filter((one) => typeof one === "string");
  const whole = patches.filter((one) => typeof one !== "string");
  return { say, phase: phase ?? undefined, patches: errors.length > 0 ? [] : whole, errors };
}

/** The patch as it is applied; a text: what is wrong with it. */
function patchOf(one: z.output<typeof patch>, at: number): Patch | string {
  const { clear, describe, id, op } = one;
  const place = { after: one.after ?? undefined, before: one.before ?? undefined };
  const missing = (what: string) => `patch ${at + 1} (${op}): write \`${what}\`.`;
  if (op === "describe") return describe == null ? missing(op) : { op, fields: present(describe) };
  if (op === "replace") return one.steps == null ? missing("steps") : { op, steps: one.steps.map(present) };
  if (op === "add") return one.step == null ? missing("step") : { op, step: present(one.step), ...place };
  if (id == null) return missing("id");
  if (op === "remove") return { op, id };
  if (op === "move") return { op, id, ...place };
  const cleared = Object.fromEntries((clear ?? []).map((name) => [name, null]));
  return { op, id, fields: { ...present(one.step ?? {}), ...cleared } };
}

/** Without what is null or left out, deeply. */
function present(fields: Fields): Fields {
  return JSON.parse(JSON.stringify(fields, (_name, value: unknown) => value ?? undefined)) as Fields;
}

/** What is said with its first question only, and that question: nobody answers two at once. Empty where it asks nothing. */
export function oneQuestion(say: string): { readonly text: string; readonly question: string } {
  const sentences = splitSentences(say);
  const first = sentences.findIndex((sentence) => QUESTION.test(sentence));
  const kept = sentences.filter((sentence, at) => at === first || !QUESTION.test(sentence));
  return { text: kept.join("").trim(), question: sentences[first]?.trim() ?? "" };
}

const QUESTION = /[?？][\s"'”’»)\]*_`」』）]{0,16}$/;
