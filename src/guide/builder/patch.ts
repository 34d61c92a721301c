/**
 * Changes to the draft of a guide, addressed by the ids of its steps. A list of them is tried on a copy: it is applied
 * whole, or refused with errors that say what to do. No rule that a draft keeps is broken by it. Pure.
 */
import { z } from "zod";
import { grouped } from "../../lib/grouped.js";
import { isRecord } from "../../lib/is-record.js";
import type { Fields } from "../exchange/shapes.js";
import { findingText, type GuideFinding } from "../schema/finding.js";
import type { Guide } from "../schema/guide.js";
import { GUIDE_FILE_CHARS_MAX, GuideProblem, guideFile, parseGuide } from "../schema/read-guide.js";
import { STEPS_MAX } from "../schema/schema.js";
import { validateGuide } from "../validation/validate.js";

/** Patches of one list at the most: a whole guide, step by step, and some more. */
export const PATCHES_MAX = STEPS_MAX + 50;
/** Of an id, in UTF-16 units. */
const ID_CHARS_MAX = 200;
/** Ids that an error names. */
const NAMED_MAX = 12;

const id = z.string({ error: "name a step by its id" }).min(1).max(ID_CHARS_MAX);
const fields = z.custom<Fields>(isRecord, "write fields by name, as a guide's file has them");
/** One of the two at the most; neither: before the end of a procedure, behind all others of a tree. */
const place = { after: id.optional(), before: id.optional() };
type Place = z.output<z.ZodObject<typeof place>>;

/** One change. The fields of a step are those of a guide's file; in `modify` and `describe`, null takes one out. */
export const patchSchema = z.discriminatedUnion(
  "op",
  [
    z.strictObject({ op: z.literal("add"), step: fields, ...place }),
    z.strictObject({ op: z.literal("modify"), id, fields }),
    z.strictObject({ op: z.literal("remove"), id }),
    z.strictObject({ op: z.literal("move"), id, ...place }),
    /** All steps anew. */
    z.strictObject({ op: z.literal("replace"), steps: z.array(fields).max(STEPS_MAX) }),
    /** The guide itself: its name, what it is for, its intake form. */
    z.strictObject({ op: z.literal("describe"), fields }),
    /** A person stands behind the step as it is. */
    z.strictObject({ op: z.literal("confirm"), id }),
  ],
  { error: "write one of add, modify, remove, move, replace, describe, confirm as its op" },
);
export type Patch = z.output<typeof patchSchema>;
export const patchesSchema = z.array(patchSchema, { error: "write a list of patches" }).max(PATCHES_MAX);

/** Who stands behind a step: a person by name, or its passage. */
export interface Backing {
  readonly step: string;
  /** Absent: the passage that the step names. */
  readonly who?: string | undefined;
}

export interface GuideDraft {
  readonly guide: Guide;
  /** Of each step that a person or a passage stands behind. */
  readonly backing: readonly Backing[];
}

/** Who changes something: a person by name, or the model. */
export type PatchAuthor = { readonly type: "person"; readonly name: string } | { readonly type: "model" };

export type TriedPatches =
  | { readonly type: "applied"; readonly draft: GuideDraft }
  /** Each error names patch or step, and says what to do. */
  | { readonly type: "refused"; readonly errors: readonly string[] };

/** The draft with all of the patches, or why it stays as it is. */
export function tryPatches(draft: GuideDraft, patches: readonly Patch[], author: PatchAuthor): TriedPatches {
  const { steps, ...top } = guideFile(draft.guide);
  let edit: Edit = { top, steps: steps as readonly Fields[], touched: [], isModel: author.type === "model" };
  const errors = patches.flatMap((patch, at) => {
    try {
      edit = { ...edit, ...edited(edit, patch) };
      return [];
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error;
      return `patch ${at + 1} (${patch.op}): ${error.message}`;
    }
  });
  const file = { ...edit.top, steps: edit.steps };
  if (JSON.stringify(file).length > GUIDE_FILE_CHARS_MAX)
    errors.push(`the guide is larger than ${GUIDE_FILE_CHARS_MAX} characters; split it`);
  if (errors.length > 0) return { type: "refused", errors };
  try {
    const guide = parseGuide(file);
    const broken = newlyBroken(validateGuide(draft.guide), validateGuide(guide));
    if (broken.length > 0) return { type: "refused", errors: broken.map(findingText) };
    return { type: "applied", draft: { guide, backing: backingOf(draft, guide, edit, author) } };
  } catch (error) {
    if (!(error instanceof GuideProblem)) throw error;
    return { type: "refused", errors: error.findings.map(findingText) };
  }
}

/** The findings that a rule has at a step more often than before. */
function newlyBroken(before: readonly GuideFinding[], after: readonly GuideFinding[]) {
  const byPlace = (found: readonly GuideFinding[]) =>
    grouped(found, ({ rule, step }) => `${rule} ${step ?? ""}`);
  const had = byPlace(before);
  return [...byPlace(after)].flatMap(([place, found]) => found.slice(had.get(place)?.length ?? 0));
}

/** What a person changes is theirs; what the model changes, nobody stands behind until a person does. */
function backingOf(draft: GuideDraft, guide: Guide, { touched }: Edit, author: PatchAuthor) {
  const before = new Map(draft.guide.steps.map((step) => [step.id, JSON.stringify(step)]));
  return guide.steps.flatMap((step): Backing | readonly Backing[] => {
    const isSame = before.get(step.id) === JSON.stringify(step) && !touched.includes(step.id);
    if (isSame) return draft.backing.find((one) => one.step === step.id) ?? [];
    return author.type === "person" ? { step: step.id, who: author.name } : [];
  });
}

/** What the model may say of a guide; who may use it is for people to say. */
export const DESCRIBED_BY_MODEL = ["name", "description", "tags", "categories", "intake"];
const DESCRIBED = [...DESCRIBED_BY_MODEL, "language", "visibility", "users", "groups"];
/** What a model may not claim of a step. */
const FOR_PEOPLE = ["source", "extra"];

/** Why a patch is not taken, and what to do. */
class NotTaken extends Error {}

/** A guide's file while it is changed. */
interface Edit {
  readonly top: Fields;
  readonly steps: readonly Fields[];
  /** Ids of steps whose place is another, or that were confirmed. */
  readonly touched: readonly string[];
  readonly isModel: boolean;
}

/** What a patch makes another. Throws `NotTaken`. */
function edited(edit: Edit, patch: Patch): Partial<Edit> {
  const { isModel, steps, top, touched } = edit;
  switch (patch.op) {
    case "add": {
      const { id: own } = allowed(patch.step, isModel);
      if (typeof own !== "string" || own === "")
        throw new NotTaken("the step has no id; give it one of its own");
      if (steps.some((one) => one.id === own))
        throw new NotTaken(`there is a step ${own} already; modify that one, or give this one another id`);
      return { steps: inserted(edit, patch.step, patch) };
    }
    case "modify": {
      if ("id" in patch.fields && patch.fields.id !== patch.id)
        throw new NotTaken("the id of a step stays as it is; add another step, and remove this one");
      const at = placeOf(patch.id, steps);
      return { steps: steps.with(at, merged(steps[at]!, allowed(patch.fields, isModel))) };
    }
    case "remove":
      return { steps: steps.toSpliced(placeOf(patch.id, steps), 1) };
    case "move": {
      if (patch.after === patch.id || patch.before === patch.id)
        throw new NotTaken("a step cannot stand beside itself; name another one");
      const at = placeOf(patch.id, steps);
      const others = { ...edit, steps: steps.toSpliced(at, 1) };
      return { steps: inserted(others, steps[at]!, patch), touched: [...touched, patch.id] };
    }
    case "replace":
      return { steps: patch.steps.map((step) => ({ ...claimed(edit, step), ...allowed(step, isModel) })) };
    case "describe": {
      const known = isModel ? DESCRIBED_BY_MODEL : DESCRIBED;
      const unknown = Object.keys(patch.fields).filter((name) => !known.includes(name));
      if (unknown.length > 0)
        throw new NotTaken(
          `\`${unknown.join("`, `")}\` is not described here; write some of ${known.join(", ")}`,
        );
      return { top: merged(top, patch.fields) };
    }
    case "confirm":
      if (isModel) throw new NotTaken("only a person confirms a step; take it out");
      placeOf(patch.id, steps);
      return { touched: [...touched, patch.id] };
  }
}

function inserted({ steps, top }: Edit, step: Fields, { after, before }: Place): readonly Fields[] {
  if (after !== undefined && before !== undefined) throw new NotTaken("write `after` or `before`, not both");
  const closes = top.flow_type !== "troubleshooting" && steps.at(-1)?.kind === "end";
  const beside = after ?? before;
  const at = beside === undefined ? steps.length - (closes ? 1 : 0) : placeOf(beside, steps);
  return steps.toSpliced(after === undefined ? at : at + 1, 0, step);
}

/** The fields that somebody writes of a step, where all of them are theirs to write. */
function allowed(step: Fields, isModel: boolean): Fields {
  const forPeople = FOR_PEOPLE.filter((name) => isModel && step[name] != null);
  if (forPeople.length === 0) return step;
  throw new NotTaken(`\`${forPeople.join("`, `")}\` is for people to write; take it out`);
}

/** What people have written of a step stays where the model writes it once more in the same words. */
function claimed({ isModel, steps }: Edit, { id: of, text, warning }: Fields): Fields {
  const had = steps.find((step) => step.id === of && step.text === text && step.warning === warning);
  const names = isModel ? FOR_PEOPLE : [];
  return Object.fromEntries(names.flatMap((name) => (had?.[name] == null ? [] : [[name, had[name]]])));
}

function placeOf(of: string, steps: readonly Fields[]): number {
  const at = steps.findIndex((step) => step.id === of);
  if (at >= 0) return at;
  const ids = steps.slice(0, NAMED_MAX).map((step) => String(step.id));
  const named = `${ids.join(", ")}${steps.length > NAMED_MAX ? ", …" : ""}`;
  throw new NotTaken(`there is no step ${of} any more, or never was; name one of ${named}`);
}

/** Fields that are null are taken out. */
function merged(fields: Fields, changes: Fields): Fields {
  const all = Object.entries({ ...fields, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}
