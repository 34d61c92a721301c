/**
 * The manifest: a file in the root of a source that says of its documents what they do not say themselves, such as who
 * may read a PDF. It is a list of `{path: <pattern>, title?, revision?, visibility?, allowed_users?, allowed_groups?,
 * ignore_marks?}`; for patterns see lib/glob.ts. With `ignore_marks` what looks in a document like a word on who may
 * read it counts for nothing. Of several entries that match a document the last one applies, whole; where it says
 * nothing of who may read, the last one that does goes on deciding that.
 *
 * A manifest that is not understood stops the ingest: guessing could show a document to somebody who may not read it.
 */
import { z } from "zod";
import { Glob, GlobError } from "../lib/glob.js";
import { parseYaml, type Yaml, YamlError } from "../lib/yaml.js";
import { isMisspeltManifest, type Sidecars, sidecarsOf } from "./access/sidecars.js";
import { descriptionFields, type ManifestEntry, manifestEntryOf } from "./manifest-entry.js";
import { DocumentProblem } from "./problem.js";
import type { FileNote } from "./report.js";
import { FETCH_RETRY, mayReadLater, type ReadRetryDeps, withRetry } from "./retry.js";
import {
  EntryGone,
  EntryUnreadable,
  isManifestName,
  type Listing,
  MANIFEST_NAMES,
  type Source,
  type SourceEntry,
} from "./source.js";

export const MANIFEST_BYTES_MAX = 4_194_304;
/** Entries with wildcards are tried one by one on every document. */
export const MANIFEST_PATTERNS_MAX = 1_000;

/** The manifest cannot be used; the message says where it is wrong and what to do. */
export class ManifestProblem extends Error {
  override readonly name = "ManifestProblem";
}

/** A listing seen through the manifest. */
export interface Manifest {
  /** What is to be read: the listing without manifests. */
  readonly entries: readonly SourceEntry[];
  /** Entries that match nothing, and manifests that do not count. */
  readonly warnings: readonly FileNote[];
  /** What lies beside a document and bears its name. */
  readonly sidecars: Sidecars;
  /** What it says of the document of this name. */
  entryFor(name: string): ManifestEntry | undefined;
}

/** Reads the manifest of a source, if there is one. Rejects with `ManifestProblem` or the signal's reason. */
export async function loadManifest(
  source: Source,
  listing: Listing,
  deps: ReadRetryDeps,
  signal: AbortSignal,
): Promise<Manifest> {
  const found: { name: string; text: string }[] = [];
  for (const name of MANIFEST_NAMES) {
    const text = await readManifest(source, name, deps, signal);
    if (text !== undefined) found.push({ name, text });
  }
  const [first, second] = found;
  if (second !== undefined)
    throw new ManifestProblem(
      `${source.name} has two manifests, ${first!.name} and ${second.name}; keep one`,
    );
  const outer = first === undefined ? await source.above(MANIFEST_NAMES, signal) : undefined;
  if (outer !== undefined) {
    const remedy = "ingest the folder that it lies in, or give this one a manifest of its own";
    throw new ManifestProblem(`${outer} says who may read what lies in ${source.name}: ${remedy}`);
  }
  const misspelt = listing.entries.find(({ name }) => isMisspeltManifest(name));
  if (misspelt !== undefined)
    throw new ManifestProblem(
      `${misspelt.name} looks like a manifest and does not count as one: ` +
        `name it ${MANIFEST_NAMES[0]}, or give it a name that is nothing like it`,
    );
  const rules = first === undefined ? [] : parseManifest(first.name, first.text);
  return applied(rules, first?.name ?? "", source, listing);
}

async function readManifest(
  source: Source,
  name: string,
  deps: ReadRetryDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const read = () => source.readNamed(name, MANIFEST_BYTES_MAX, signal);
    const bytes = await withRetry(deps, FETCH_RETRY, mayReadLater, read, signal);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof EntryGone) return undefined;
    if (error instanceof EntryUnreadable || error instanceof DocumentProblem)
      throw new ManifestProblem(`${name}: ${error.message}`, { cause: error });
    if (error instanceof TypeError) throw new ManifestProblem(`${name} is not UTF-8 text`, { cause: error });
    throw error;
  }
}

/** One entry of the manifest, as it stands in the file. */
export interface ManifestRule {
  readonly glob: Glob;
  readonly pattern: string;
  readonly line: number;
  readonly entry: ManifestEntry;
}

/** Throws `ManifestProblem`. */
export function parseManifest(file: string, text: string): readonly ManifestRule[] {
  const yaml = yamlOf(file, text);
  const { data } = yaml;
  if (data === null) return [];
  if (!Array.isArray(data))
    throw new ManifestProblem(`${file} is no list of entries; each begins with "- path: <pattern>"`);
  const rules = data.map((value: unknown, index) => ruleOf(file, value, index, yaml));
  if (rules.filter(({ glob }) => !glob.isLiteral).length > MANIFEST_PATTERNS_MAX)
    throw new ManifestProblem(`${file} has more than ${MANIFEST_PATTERNS_MAX} entries with wildcards`);
  return rules;
}

function yamlOf(file: string, text: string): Yaml {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ManifestProblem(`${file}, line ${error.line}: ${error.message}`, { cause: error });
  }
}

const ruleFields = descriptionFields
  .extend({ ignore_marks: z.enum(["true", "false"]).optional() })
  .strict()
  .refine(
    ({ ignore_marks, visibility, allowed_users, allowed_groups }) =>
      ignore_marks !== "true" ||
      [visibility, allowed_users, allowed_groups].some((said) => said !== undefined),
    { path: ["ignore_marks"], message: "has to stand where the entry itself says who may read" },
  );

function entryOf(fields: z.infer<typeof ruleFields>): ManifestEntry {
  const entry = manifestEntryOf(fields);
  return fields.ignore_marks === "true" ? { ...entry, ignoreMarks: true } : entry;
}

function ruleOf(file: string, value: unknown, index: number, yaml: Yaml): ManifestRule {
  const problem = (path: readonly PropertyKey[], message: string, cause: unknown) => {
    const field = path.length === 0 ? "" : ` \`${path.map(String).join(".")}\``;
    const line = yaml.lineOf([index, ...path]);
    return new ManifestProblem(`${file}, line ${line}, entry ${index + 1}:${field} ${message}`, { cause });
  };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw problem([], "is no mapping with a `path`", undefined);
  const { path: pattern, ...rest } = value as Readonly<Record<string, unknown>>;
  if (typeof pattern !== "string") throw problem(["path"], "is missing; it is a pattern", undefined);
  const checked = ruleFields.safeParse(rest);
  if (!checked.success) {
    const { path, message } = checked.error.issues[0]!;
    throw problem(path, message, checked.error);
  }
  if (Object.keys(rest).length === 0) throw problem([], "says nothing of the documents", undefined);
  try {
    const line = yaml.lineOf([index]);
    return { glob: new Glob(withoutRoot(pattern)), pattern, line, entry: entryOf(checked.data) };
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw problem(["path"], error.message, error);
  }
}

/** Names begin below the root. */
function withoutRoot(pattern: string): string {
  if (pattern.endsWith("/")) throw new GlobError(`matches no document; everything below is "${pattern}**"`);
  return pattern.replace(/^(?:\.?\/)+/, "");
}

function applied(rules: readonly ManifestRule[], file: string, source: Source, listing: Listing): Manifest {
  const lookup = new Lookup(rules);
  const warnings: FileNote[] = [];
  const found = new Map<string, ManifestEntry>();
  const entries = listing.entries.filter((entry) => {
    const { path, name } = entry;
    if (isManifestName(name)) {
      const message = "a manifest counts in the root only; move its entries there";
      if (name.includes("/")) warnings.push({ path, file: name, message });
      return false;
    }
    const described = lookup.entryFor(name);
    if (described !== undefined) found.set(name, described);
    return true;
  });
  for (const { pattern, line } of lookup.unmatched()) {
    const message = `line ${line}: no document matches ${JSON.stringify(pattern)}`;
    warnings.push({ path: source.name, file, message });
  }
  return { entries, warnings, sidecars: sidecarsOf(entries), entryFor: (name) => found.get(name) };
}

/** The rules by what they match. Those without wildcards, of which there may be very many, are found by name. */
class Lookup {
  /** Last first, as the patterns are. */
  readonly #literal = new Map<string, number[]>();
  readonly #patterns: number[] = [];
  readonly #matched = new Set<number>();

  constructor(private readonly rules: readonly ManifestRule[]) {
    rules.forEach(({ glob }, index) => {
      const literals = this.#literal.get(glob.literalPrefix) ?? [];
      if (!glob.isLiteral) this.#patterns.unshift(index);
      else this.#literal.set(glob.literalPrefix, [index, ...literals]);
    });
  }

  entryFor(name: string): ManifestEntry | undefined {
    const literals = this.#literal.get(name.normalize("NFC")) ?? [];
    for (const index of literals) this.#matched.add(index);
    let last = literals[0] ?? -1;
    let deciding = literals.find((index) => this.#decidesAccess(index)) ?? -1;
    for (const index of this.#patterns) {
      // Those that are overruled need not be tried, unless it is not known yet whether they match anything.
      const isOverruled = index < last && (index < deciding || !this.#decidesAccess(index));
      if (isOverruled && this.#matched.has(index)) continue;
      if (!this.rules[index]!.glob.matches(name)) continue;
      this.#matched.add(index);
      last = Math.max(last, index);
      if (this.#decidesAccess(index)) deciding = Math.max(deciding, index);
    }
    const [{ entry } = {}, { entry: decided } = {}] = [this.rules[last], this.rules[deciding]];
    return entry && decided ? withAccess(entry, decided) : entry;
  }

  unmatched(): readonly ManifestRule[] {
    return this.rules.filter((_rule, index) => !this.#matched.has(index));
  }

  #decidesAccess(index: number): boolean {
    const { visibility, allowedUsers, allowedGroups } = this.rules[index]!.entry;
    return visibility !== undefined || allowedUsers !== undefined || allowedGroups !== undefined;
  }
}

/** A title given to one of many must not open it to those whom the entry for all of them keeps out. */
function withAccess(entry: ManifestEntry, { title, revision, ...access }: ManifestEntry): ManifestEntry {
  const { title: ownTitle, revision: ownRevision } = entry;
  return {
    ...access,
    ...(ownTitle === undefined ? {} : { title: ownTitle }),
    ...(ownRevision === undefined ? {} : { revision: ownRevision }),
  };
}
