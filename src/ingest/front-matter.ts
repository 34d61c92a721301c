/**
 * What a document is called, which revision it is and who may read it, from the YAML at its beginning and from the
 * manifest. Access fails closed: what is wrong or half said never makes a document more readable, and of two that speak
 * the stricter one counts.
 */
import type { z } from "zod";
import type { Visibility } from "../domain/passage.js";
import { FrontMatterError, parseFrontMatter } from "../lib/front-matter.js";
import type { KnowledgeDocument } from "../retrieval/writer.js";
import { descriptionFields, type ManifestEntry, manifestEntryOf } from "./manifest-entry.js";
import { DocumentProblem } from "./problem.js";

export interface Description {
  readonly title: string | undefined;
  readonly revision: string | undefined;
  readonly access: KnowledgeDocument["access"];
  /** Nothing was said about who may read it. */
  readonly usesDefaultVisibility: boolean;
  readonly warnings: readonly string[];
}

/**
 * `frontMatter` is the YAML without its lines of `---`. Each of the two may be missing. What the front matter says of
 * title and revision counts before the manifest, and so do its lists of users and groups, both at once. Throws
 * `DocumentProblem` when the front matter cannot be understood.
 */
export function describeDocument(
  frontMatter: string | undefined,
  manifest: ManifestEntry | undefined,
  defaultVisibility: Visibility,
): Description {
  const { entry: own, warnings } = frontMatter === undefined ? SILENT : parseOwn(frontMatter);
  const access = accessOf(own, manifest ?? {}, defaultVisibility);
  const forNobody =
    access.visibility === "restricted" && access.allowedUsers.length + access.allowedGroups.length === 0;
  return {
    title: own.title ?? manifest?.title,
    revision: own.revision ?? manifest?.revision,
    access,
    usesDefaultVisibility: visibilityOf(own) === undefined && visibilityOf(manifest ?? {}) === undefined,
    warnings: forNobody
      ? [...warnings, "nobody may read it: it is restricted and names no user or group"]
      : warnings,
  };
}

interface Own {
  readonly entry: ManifestEntry;
  readonly warnings: readonly string[];
}

const SILENT: Own = { entry: {}, warnings: [] };

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

function parseOwn(yaml: string): Own {
  const values = parsed(yaml);
  const unknown = Object.keys(values).filter((key) => !(key in descriptionFields.shape));
  const warnings = unknown.map((key) => `unknown front matter ${JSON.stringify(key)} is ignored`);
  const checked = descriptionFields.safeParse(values);
  if (!checked.success) throw new DocumentProblem(explain(checked.error));
  return { entry: manifestEntryOf(checked.data), warnings };
}

function parsed(yaml: string): Readonly<Record<string, unknown>> {
  try {
    return parseFrontMatter(`---\n${yaml}\n---\n`).data;
  } catch (error) {
    throw error instanceof FrontMatterError ? new DocumentProblem(error.message, { cause: error }) : error;
  }
}

function explain(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `front matter \`${path.join(".")}\`: ${message}`).join("; ");
}
