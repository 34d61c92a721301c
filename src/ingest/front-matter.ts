/**
 * The YAML block between two `---` lines at the beginning of a document: what it is called, who may read it, which
 * revision it is. Access fails closed: what is wrong or half said never makes a document more readable.
 */
import { z } from "zod";
import type { Visibility } from "../domain/passage.js";
import {
  FrontMatterError,
  type FrontMatter as ParsedFrontMatter,
  parseFrontMatter,
} from "../lib/front-matter.js";
import type { KnowledgeDocument } from "../retrieval/writer.js";
import { DocumentProblem } from "./problem.js";

export interface FrontMatter {
  readonly title: string | undefined;
  readonly revision: string | undefined;
  readonly access: KnowledgeDocument["access"];
  /** Nothing was said about who may read it. */
  readonly usesDefaultVisibility: boolean;
}

export interface SplitDocument {
  readonly frontMatter: FrontMatter;
  /** What stands below the front matter. */
  readonly body: string;
  readonly warnings: readonly string[];
}

/** Splits a document. Throws `DocumentProblem` when the front matter cannot be understood. */
export function splitFrontMatter(text: string, defaultVisibility: Visibility): SplitDocument {
  const { data: values, body } = parsed(text);
  const unknown = Object.keys(values).filter((key) => !(key in fields.shape));
  const warnings = unknown.map((key) => `unknown front matter ${JSON.stringify(key)} is ignored`);
  const checked = fields.safeParse(values);
  if (!checked.success) throw new DocumentProblem(explain(checked.error));
  return interpret(checked.data, body, defaultVisibility, warnings);
}

function parsed(text: string): ParsedFrontMatter {
  try {
    return parseFrontMatter(text);
  } catch (error) {
    throw error instanceof FrontMatterError ? new DocumentProblem(error.message) : error;
  }
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

const fields = z.object({
  title: z.string().trim().min(1).max(300).optional(),
  revision: z.string().trim().min(1).max(64).optional(),
  visibility: z.enum(["network", "restricted"]).optional(),
  allowed_users: names.optional(),
  allowed_groups: names.optional(),
});

function interpret(
  { title, revision, visibility, allowed_users, allowed_groups }: z.infer<typeof fields>,
  body: string,
  defaultVisibility: Visibility,
  warnings: readonly string[],
): SplitDocument {
  const grants = allowed_users !== undefined || allowed_groups !== undefined;
  const access = {
    visibility: visibility ?? (grants ? "restricted" : defaultVisibility),
    allowedUsers: allowed_users ?? [],
    allowedGroups: allowed_groups ?? [],
  };
  const forNobody =
    access.visibility === "restricted" && access.allowedUsers.length + access.allowedGroups.length === 0;
  return {
    frontMatter: {
      title,
      revision,
      access,
      usesDefaultVisibility: visibility === undefined && !grants,
    },
    body,
    warnings: forNobody
      ? [...warnings, "nobody may read it: it is restricted and names no user or group"]
      : warnings,
  };
}

function explain(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `front matter \`${path.join(".")}\`: ${message}`).join("; ");
}
