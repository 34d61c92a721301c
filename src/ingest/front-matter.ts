/**
 * What a document is called, which revision it is and who may read it, from the YAML at its beginning and from the
 * manifest. This is the one reader of who may read a document. Access fails closed: what is wrong or half said never
 * makes a document more readable, of two that speak the stricter one counts, and what only looks as if it spoke of
 * access (access/doubts.ts) keeps everybody out.
 */
import type { z } from "zod";
import type { Visibility } from "../domain/passage.js";
import { FrontMatterError, parseMapping } from "../lib/front-matter.js";
import type { KnowledgeDocument } from "../retrieval/writer.js";
import { type AccessDoubt, doubtOfProperty, doubtsIn } from "./access/doubts.js";
import { descriptionFields, type ManifestEntry, manifestEntryOf } from "./manifest-entry.js";
import { DocumentProblem } from "./problem.js";
import type { Note, ParsedDocument } from "./read/port.js";

export interface Description {
  readonly title: string | undefined;
  readonly revision: string | undefined;
  readonly access: KnowledgeDocument["access"];
  /** Nothing was said about who may read it. */
  readonly usesDefaultVisibility: boolean;
  readonly warnings: readonly string[];
  /** Words that look as if they said who may read it and are not understood: nobody may, then. */
  readonly doubts: readonly AccessDoubt[];
}

/** What a document says of itself: its front matter without the lines of `---`, and what stands elsewhere. */
export type SelfDescription = Pick<ParsedDocument, "frontMatter" | "notes">;

/**
 * Each of the two may be missing. What the front matter says of title and revision counts before the manifest, and so do
 * its lists of users and groups, both at once. Throws `DocumentProblem` when the front matter cannot be understood.
 */
export function describeDocument(
  { frontMatter, notes }: SelfDescription,
  manifest: ManifestEntry | undefined,
  defaultVisibility: Visibility,
): Description {
  const own = frontMatter === undefined ? SILENT : parseOwn(frontMatter);
  const isSettled = visibilityOf(own.entry) !== undefined;
  const doubts = manifest?.ignoreMarks === true ? [] : [...own.doubts, ...doubtsIn(notes, isSettled)];
  const access = doubts.length > 0 ? NOBODY : accessOf(own.entry, manifest ?? {}, defaultVisibility);
  const forNobody =
    access.visibility === "restricted" && access.allowedUsers.length + access.allowedGroups.length === 0;
  return {
    title: own.entry.title ?? manifest?.title,
    revision: own.entry.revision ?? manifest?.revision,
    access,
    usesDefaultVisibility: doubts.length === 0 && !isSettled && visibilityOf(manifest ?? {}) === undefined,
    warnings:
      forNobody && doubts.length === 0
        ? [...own.warnings, "nobody may read it: it is restricted and names no user or group"]
        : own.warnings,
    doubts,
  };
}

interface Own {
  readonly entry: ManifestEntry;
  readonly warnings: readonly string[];
  readonly doubts: readonly AccessDoubt[];
}

const SILENT: Own = { entry: {}, warnings: [], doubts: [] };

/** Who may read a document in doubt. */
const NOBODY: KnowledgeDocument["access"] = { visibility: "restricted", allowedUsers: [], allowedGroups: [] };

function accessOf(
  own: ManifestEntry,
  manifest: ManifestEntry,
  defaultVisibility: Visibility,
): KnowledgeDocument["access"] {
  const said = [visibilityOf(own), visibilityOf(manifest)];
  const grants = hasLists(own) ? own : manifest;
  return {
    visibility: said.includes("restricted")
      ? "restricted"
      : said.includes("network")
        ? "network"
        : defaultVisibility,
    allowedUsers: grants.allowedUsers ?? [],
    allowedGroups: grants.allowedGroups ?? [],
  };
}

/** Whoever names readers, or an empty list of them, means nobody else, unless the contrary is said. */
function visibilityOf(entry: ManifestEntry): Visibility | undefined {
  return entry.visibility ?? (hasLists(entry) ? "restricted" : undefined);
}

function hasLists({ allowedUsers, allowedGroups }: ManifestEntry): boolean {
  return allowedUsers !== undefined || allowedGroups !== undefined;
}

function parseOwn(source: string): Own {
  const yaml = parsed(source);
  const values = yaml.data;
  const doubts = [...doubtsOfKeys(values, yaml), ...doubtsIn(commentsOf(source), false)];
  const unknown = Object.keys(values).filter((key) => !(key in descriptionFields.shape));
  const warnings = unknown
    .filter((key) => doubtOfProperty("", key, false) === undefined)
    .map((key) => `unknown front matter ${JSON.stringify(key)} is ignored`);
  const checked = descriptionFields.safeParse(values);
  if (!checked.success) throw new DocumentProblem(explain(checked.error, yaml));
  return { entry: manifestEntryOf(checked.data), warnings, doubts };
}

/** Its lines are those of the file. */
type OwnYaml = ReturnType<typeof parseMapping>;

function parsed(source: string): OwnYaml {
  try {
    const { data, lineOf } = parseMapping(source);
    return { data, lineOf: (path) => FIRST_LINE + lineOf(path) - 1 };
  } catch (error) {
    throw error instanceof FrontMatterError ? new DocumentProblem(error.message, { cause: error }) : error;
  }
}

/** Of the file, where the settings begin, behind `---`. */
const FIRST_LINE = 2;

/** Mappings in one another whose keys are looked at. */
const DEPTH_MAX = 6;
const KEYS_MAX = 1_000;

/** Keys that are not ours and look like ours, wherever they stand. */
function doubtsOfKeys(values: Readonly<Record<string, unknown>>, yaml: OwnYaml): readonly AccessDoubt[] {
  const found: AccessDoubt[] = [];
  let keys = 0;
  const look = (value: unknown, path: readonly string[]) => {
    if (typeof value !== "object" || value === null || path.length > DEPTH_MAX) return;
    for (const [key, inner] of Object.entries(value)) {
      keys += 1;
      if (keys > KEYS_MAX) return;
      const at = [...path, key];
      if (at.length === 1 && key in descriptionFields.shape) continue;
      const doubt = Array.isArray(value)
        ? undefined
        : doubtOfProperty(`line ${yaml.lineOf(at)}`, key, path.length > 0);
      if (doubt !== undefined) found.push(doubt);
      look(inner, at);
    }
  };
  look(values, []);
  return found;
}

/** Lines that are commented out: somebody wrote them down, and they count for nothing. */
function commentsOf(source: string): readonly Note[] {
  return source
    .split(/\r?\n/)
    .flatMap((line, index): Note[] =>
      /^\s*#/.test(line) ? [{ kind: "structured", where: `line ${FIRST_LINE + index}`, text: line }] : [],
    );
}

function explain(error: z.ZodError, yaml: OwnYaml): string {
  return error.issues
    .map(({ path, message }) => `line ${yaml.lineOf(path)}, front matter \`${path.join(".")}\`: ${message}`)
    .join("; ");
}
