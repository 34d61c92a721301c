/** A guide as a value: its steps are one graph, whatever it was written as. */
import type { z } from "zod";
import type { DocumentAccess } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import type { CamelCased } from "../../lib/camel-case.js";
import { mayRead } from "../../retrieval/access.js";
import type { guideSchema } from "./schema.js";

export type Guide = CamelCased<z.output<typeof guideSchema>>;
export type GuideStep = Guide["steps"][number];
export type StepKind = GuideStep["kind"];
/** A step of one kind: `StepOf<"question">`. */
export type StepOf<K extends StepKind> = Extract<GuideStep, { readonly kind: K }>;
export type GuideOption = StepOf<"question">["options"][number];
export type IntakeField = Guide["intake"][number];
/** The passage that a step says. */
export type StepSource = NonNullable<GuideStep["source"]>;

/** Who may find, run and list a guide of this network: what the one rule, `mayRead`, looks at. */
export function accessOf({ visibility, users, groups }: Guide, network: string): DocumentAccess {
  return { network, visibility, allowedUsers: users, allowedGroups: groups };
}

/**
 * Whether somebody may use a guide: the one rule for the guide itself, and `readable`, what that rule gave for the
 * documents that its steps say.
 */
export function mayUse(
  access: Access,
  guide: Guide,
  network: string,
  readable: ReadonlySet<string>,
): boolean {
  if (!mayRead(access, accessOf(guide, network))) return false;
  return guide.steps.every(({ source }) => source === undefined || readable.has(source.document));
}

/** Characters of an id that is made of words. */
const ID_CHARS_MAX = 100;

/** An id of words in any script: "Clear the Öl-Pumpe": "clear-the-ol-pumpe". */
export function idOf(words: string): string {
  const plain = words
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "");
  const id = plain.replace(/[^a-z0-9]+/g, "-").slice(0, ID_CHARS_MAX);
  return id.replace(/^-|-$/g, "") || "guide";
}

/** UTF-16 units of an id that is made of words, without what tells it from another. */
const FREE_ID_CHARS_MAX = 60;

/** An id of words that none of `taken` is: "dry-cleaning-3", "dry-cleaning-3-2". It is taken then. */
export function freeId(words: string, taken: Set<string>): string {
  const slug = idOf(words).slice(0, FREE_ID_CHARS_MAX).replace(/-$/, "");
  // What `idOf` gives for words that nothing can be made of.
  const base = slug === "guide" ? "step" : slug;
  let id = base;
  for (let count = 2; taken.has(id); count++) id = `${base}-${count}`;
  taken.add(id);
  return id;
}
