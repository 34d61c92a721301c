/** What may be said of a document: by a source's manifest, or by the document itself in its front matter. */
import { z } from "zod";
import type { Visibility } from "../domain/passage.js";

export interface ManifestEntry {
  readonly title?: string;
  readonly revision?: string;
  readonly visibility?: Visibility;
  readonly allowedUsers?: readonly string[];
  readonly allowedGroups?: readonly string[];
  /** In a manifest only: what looks in the document like a word on who may read it counts for nothing. */
  readonly ignoreMarks?: boolean;
}

const NAME_BYTES_MAX = 256;

/** As the wire takes names, so that a name that nobody can have is found here. */
const name = z
  .string()
  .refine(
    (value) => value !== "" && Buffer.byteLength(value) <= NAME_BYTES_MAX && !/\p{Cc}/u.test(value),
    `a name has 1 to ${NAME_BYTES_MAX} bytes and no control characters`,
  );
/** A key with nothing behind it is an empty list, which grants nobody anything. */
const names = z.preprocess((value) => (value === "" ? [] : value), z.array(name));

/** As people write it. */
export const descriptionFields = z.object({
  title: z.string().trim().min(1).max(300).optional(),
  revision: z.string().trim().min(1).max(64).optional(),
  visibility: z.enum(["network", "restricted"]).optional(),
  allowed_users: names.optional(),
  allowed_groups: names.optional(),
});

/** As the code reads it. */
export function manifestEntryOf(fields: z.infer<typeof descriptionFields>): ManifestEntry {
  const { title, revision, visibility, allowed_users, allowed_groups } = fields;
  return {
    ...(title === undefined ? {} : { title }),
    ...(revision === undefined ? {} : { revision }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(allowed_users === undefined ? {} : { allowedUsers: allowed_users }),
    ...(allowed_groups === undefined ? {} : { allowedGroups: allowed_groups }),
  };
}
