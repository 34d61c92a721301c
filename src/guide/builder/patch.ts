/**
 * Changes to the draft of a guide, addressed by the ids of its steps. A list of them is tried on a copy: it is applied
 * whole, or refused with errors that say what to do. No rule that a draft keeps is broken by it. Pure.
 */
import { z } from "zod";
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
  const edit = new Edit(draft.guide, author.type);
  const problems = patches.flatMap((patch, at) => {
    const problem = edit.take(patch);
    return problem === undefined ? [] : [`patch ${at + 1} (${patch.op}): ${problem}`];
  });
  if (problems.length > 0) return { type: "refused", errors: problems };
  try {
    const file = edit.file();
    if (JSON.stringify(file).length > GUIDE_FILE_CHARS_MAX)
      return {
        type: "refused",
        errors: [`the guide is larger than ${GUIDE_FILE_CHARS_MAX} characters; split it`],
      };
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
function newlyBroken(
  before: readonly GuideFinding[],
  after: readonly GuideFinding[],
): readonly GuideFinding[] {
  const left = new Map<string, number>();
  const keyOf = ({ rule, step }: GuideFinding) => `${rule} ${step ?? ""}`;
  for (const finding of before) left.set(keyOf(finding), (left.get(keyOf(finding)) ?? 0) + 1);
  return after.filter((finding) => {
    const count = left.get(keyOf(finding)) ?? 0;
    left.set(keyOf(finding), count - 1);
    return count <= 0;
  });
}

/** What a person changes is theirs; what the model changes, nobody stands behind until a person does. */
function backingOf(draft: GuideDraft, guide: Guide, edit: Edit, author: PatchAuthor): readonly Backing[] {
  const before = new Map(draft.guide.steps.map((step) => [step.id, JSON.stringify(step)]));
  const had = new Map(draft.backing.map((backing) => [backing.step, backing]));
  return guide.steps.flatMap((step) => {
    const isSame = before.get(step.id) === JSON.stringify(step) && !edit.touched.has(step.id);
    if (isSame) return had.get(step.id) ?? [];
    return author.type === "person" ? { step: step.id, who: author.name } : [];
  });
}

/** What the model may say of a guide; who may use it is for people to say. */
const DESCRIBED_BY_MODEL = ["name", "description", "tags", "categories", "intake"];
const DESCRIBED = [...DESCRIBED_BY_MODEL, "language", "visibility", "users", "groups"];
/** What a model may not claim of a step. */
const FOR_PEOPLE = ["source", "extra"];

/** A guide's file while it is changed. */
class Edit {
  /** Ids of steps whose place is another, or that were confirmed. */
  readonly touched = new Set<string>();
  #top: Fields;
  #steps: Fields[];

  constructor(
    guide: Guide,
    private readonly by: PatchAuthor["type"],
  ) {
    const { steps, ...top } = guideFile(guide);
    this.#top = top;
    this.#steps = [...(steps as readonly Fields[])];
  }

  file(): Fields {
    return { ...this.#top, steps: this.#steps };
  }

  /** What is wrong with the patch, and what to do; undefined: it is done. */
  take(patch: Patch): string | undefined {
    switch (patch.op) {
      case "add":
        return this.#add(patch.step, patch);
      case "modify":
        return this.#modify(patch.id, patch.fields);
      case "remove":
        return this.#found(patch.id, (at) => {
          this.#steps.splice(at, 1);
          return undefined;
        });
      case "move":
        return this.#move(patch);
      case "replace":
        this.#steps = patch.steps.map((step) => ({ ...this.#claims(step), ...step }));
        return this.by === "model" ? forPeople(...patch.steps) : undefined;
      case "describe":
        return this.#describe(patch.fields);
      case "confirm":
        if (this.by === "model") return "only a person confirms a step; take it out";
        return this.#found(patch.id, () => {
          this.touched.add(patch.id);
          return undefined;
        });
    }
  }

  #add(step: Fields, { after, before }: Place): string | undefined {
    if (typeof step.id !== "string" || step.id === "") return "the step has no id; give it one of its own";
    if (this.#steps.some((one) => one.id === step.id))
      return `there is a step ${step.id} already; modify that one, or give this one another id`;
    const problem = this.by === "model" ? forPeople(step) : undefined;
    return problem ?? this.#insert(step, { after, before });
  }

  #modify(of: string, changes: Fields): string | undefined {
    if ("id" in changes && changes.id !== of)
      return "the id of a step stays as it is; add another step, and remove this one";
    const problem = this.by === "model" ? forPeople(changes) : undefined;
    return (
      problem ??
      this.#found(of, (at) => {
        this.#steps[at] = merged(this.#steps[at]!, changes);
        return undefined;
      })
    );
  }

  #move({ after, before, id: of }: Place & { readonly id: string }): string | undefined {
    if (after === of || before === of) return "a step cannot stand beside itself; name another one";
    return this.#found(of, (at) => {
      const step = this.#steps[at]!;
      const rest = this.#steps.toSpliced(at, 1);
      const whole = this.#steps;
      this.#steps = rest;
      const problem = this.#insert(step, { after, before });
      if (problem !== undefined) this.#steps = whole;
      else this.touched.add(of);
      return problem;
    });
  }

  #describe(changes: Fields): string | undefined {
    const known = this.by === "model" ? DESCRIBED_BY_MODEL : DESCRIBED;
    const unknown = Object.keys(changes).filter((name) => !known.includes(name));
    if (unknown.length > 0)
      return `\`${unknown.join("`, `")}\` is not described here; write some of ${known.join(", ")}`;
    this.#top = merged(this.#top, changes);
    return undefined;
  }

  #insert(step: Fields, { after, before }: Place): string | undefined {
    if (after !== undefined && before !== undefined) return "write `after` or `before`, not both";
    const beside = after ?? before;
    if (beside !== undefined)
      return this.#found(beside, (at) => {
        this.#steps.splice(after === undefined ? at : at + 1, 0, step);
        return undefined;
      });
    const closes = this.#top.flow_type !== "troubleshooting" && this.#steps.at(-1)?.kind === "end";
    this.#steps.splice(this.#steps.length - (closes ? 1 : 0), 0, step);
    return undefined;
  }

  /** What people have written of a step stays where the model writes it once more in the same words. */
  #claims({ id: of, text, warning }: Fields): Fields {
    const had = this.#steps.find((step) => step.id === of && step.text === text && step.warning === warning);
    const claimed = this.by === "model" && had ? FOR_PEOPLE.filter((name) => had[name] != null) : [];
    return Object.fromEntries(claimed.map((name) => [name, had![name]]));
  }

  #found(of: string, work: (at: number) => string | undefined): string | undefined {
    const at = this.#steps.findIndex((step) => step.id === of);
    if (at >= 0) return work(at);
    const ids = this.#steps.slice(0, NAMED_MAX).map((step) => String(step.id));
    const more = this.#steps.length > NAMED_MAX ? ", …" : "";
    return `there is no step ${of} any more, or never was; name one of ${ids.join(", ")}${more}`;
  }
}

interface Place {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

function forPeople(...steps: readonly Fields[]): string | undefined {
  const claimed = FOR_PEOPLE.filter((name) => steps.some((step) => step[name] != null));
  return claimed.length === 0 ? undefined : `\`${claimed.join("`, `")}\` is for people to write; take it out`;
}

/** Fields that are null are taken out. */
function merged(fields: Fields, changes: Fields): Fields {
  const all = Object.entries({ ...fields, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}
