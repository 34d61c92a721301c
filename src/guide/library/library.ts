/**
 * The guides of a folder: `<folder>/<network>/<any name>.yaml`. All of them are held to their format, and published ones
 * to the rules, before any counts. Who may use one is told by the one access rule, for the guide and for each document
 * that its steps say.
 */
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Access } from "../../domain/user.js";
import { makePrivateFolder, writePrivateFile } from "../../lib/private-files.js";
import { UsageProblem } from "../../lib/usage-problem.js";
import { findingText } from "../schema/finding.js";
import { type Guide, mayUse } from "../schema/guide.js";
import { fileValue, GUIDE_FILE_CHARS_MAX, guideFile, parseGuide } from "../schema/read-guide.js";
import { validateGuide } from "../validation/validate.js";
import { type NameMatch, named } from "./naming.js";

/** Files of all networks at the most. */
export const GUIDES_MAX = 2_000;
/** What is wrong is told up to so many lines. */
const PROBLEMS_TOLD_MAX = 40;
const GUIDE_FILE = /\.(?:ya?ml|json)$/i;

/** Which of these documents, by their paths or ids, `access` may read now. Rejects with `SearchUnavailable`. */
export type ReadableDocuments = (
  documents: readonly string[],
  access: Access,
  signal: AbortSignal,
) => Promise<ReadonlySet<string>>;

/** What became of the version that a run began with. */
export type GuideState = "current" | "changed" | "withdrawn" | "gone";

interface Kept {
  readonly network: string;
  readonly path: string;
  readonly guide: Guide;
}

export class GuideLibrary {
  #kept: readonly Kept[] = [];

  private constructor(
    readonly folder: string,
    private readonly readableDocuments: ReadableDocuments,
  ) {}

  /** Reads the folder, which need not be there. Rejects with `UsageProblem`, which tells all that is wrong. */
  static async open(folder: string, readable: ReadableDocuments): Promise<GuideLibrary> {
    const library = new GuideLibrary(folder, readable);
    await library.reload();
    return library;
  }

  /** Reads the folder again. Rejects with `UsageProblem`: then what was read before stays in force. */
  async reload(): Promise<void> {
    const problems: string[] = [];
    const kept: Kept[] = [];
    for (const { network, path } of await filesIn(this.folder, problems)) {
      const guide = await readGuide(path, problems);
      if (guide === undefined) continue;
      const { id, version } = guide;
      const same = kept.find((one) => one.network === network && isSame(one.guide, guide));
      if (same === undefined) kept.push({ network, path, guide });
      else
        problems.push(
          `${path}: version ${version} of ${id} is in ${same.path} already; give it another version`,
        );
    }
    if (problems.length > 0)
      throw new UsageProblem(
        ["The guides cannot be used:", ...problems.slice(0, PROBLEMS_TOLD_MAX)].join("\n"),
      );
    this.#kept = kept;
  }

  /** What to look at to see that something changed. */
  get paths(): readonly string[] {
    const networks = new Set(this.#kept.map(({ network }) => folderOf(this.folder, network)));
    return [this.folder, ...networks, ...this.#kept.map(({ path }) => path)];
  }

  /** The newest published version of each guide that this access may use, by name; a draft of the next one hides none. */
  async list(access: Access, signal: AbortSignal): Promise<readonly Guide[]> {
    const finished = this.#of(access.network).filter(({ status }) => status !== "draft");
    const newest = new Map(finished.toReversed().map((guide) => [guide.id, guide]));
    const published = [...newest.values()].filter(({ status }) => status === "published");
    return this.#usable(published, access, signal);
  }

  /** All versions that this access may use, drafts and withdrawn ones too, by name and the newest first. */
  async versions(access: Access, signal: AbortSignal, id?: string): Promise<readonly Guide[]> {
    return this.#usable(this.#of(access.network, id), access, signal);
  }

  /** Those of `list` that somebody means by these words, or may mean. */
  async named(words: string, access: Access, signal: AbortSignal): Promise<NameMatch<Guide>> {
    const guides = await this.list(access, signal);
    const namesOf = ({ categories, name, tags }: Guide) => [name, ...tags, ...categories];
    return named(words, guides, namesOf, ({ language }) => language);
  }

  /** Whether this access may use a guide now, such as the one that its run began with. */
  async mayUse(guide: Guide, access: Access, signal: AbortSignal): Promise<boolean> {
    return (await this.#usable([guide], access, signal)).length > 0;
  }

  /** Of these guides, by their ids, those that this access may use in any version: who may be told of them again. */
  async readable(ids: readonly string[], access: Access, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const versions = await this.versions(access, signal);
    return new Set(versions.map(({ id }) => id).filter((id) => ids.includes(id)));
  }

  /** What became of a version since a run began with it. */
  stateOf(network: string, { id, version }: Pick<Guide, "id" | "version">): GuideState {
    const [newest] = this.#of(network, id);
    if (newest === undefined) return "gone";
    if (newest.status === "withdrawn") return "withdrawn";
    return newest.version === version || newest.status === "draft" ? "current" : "changed";
  }

  /**
   * Writes a version to the folder; the same version is replaced where it may be, and else nothing is written: false.
   * Rejects with `UsageProblem`, or as `writeFile` does.
   */
  async save(
    network: string,
    guide: Guide,
    mayReplace: (before: Guide) => boolean = () => true,
  ): Promise<boolean> {
    const problems = problemsOf(guide);
    if (problems.length > 0)
      throw new UsageProblem([`${guide.name} cannot be published:`, ...problems].join("\n"));
    const before = this.#kept.find((one) => one.network === network && isSame(one.guide, guide));
    if (before !== undefined && !mayReplace(before.guide)) return false;
    if (before === undefined && this.#kept.length >= GUIDES_MAX)
      throw new UsageProblem(`There are ${GUIDES_MAX} guides already: take some out of ${this.folder}.`);
    const folder = folderOf(this.folder, network);
    makePrivateFolder(folder);
    const path = join(folder, `${guide.id}-${guide.version}.json`);
    await writePrivateFile(`${path}.new`, `${JSON.stringify(guideFile(guide), undefined, 2)}\n`);
    await rename(`${path}.new`, path);
    // What an author wrote by hand under another name would be a second file of one version.
    if (before !== undefined && before.path !== path) await rm(before.path, { force: true });
    this.#kept = [...this.#kept.filter((one) => one !== before), { network, path, guide }];
    return true;
  }

  /** The newest first. */
  #of(network: string, id?: string): readonly Guide[] {
    return this.#kept
      .filter((one) => one.network === network && (id === undefined || one.guide.id === id))
      .map(({ guide }) => guide)
      .toSorted((a, b) => b.version - a.version);
  }

  async #usable(guides: readonly Guide[], access: Access, signal: AbortSignal): Promise<readonly Guide[]> {
    const documents = new Set(guides.flatMap(documentsOf));
    const readable =
      documents.size === 0 ? documents : await this.readableDocuments([...documents], access, signal);
    return guides
      .filter((guide) => mayUse(access, guide, access.network, readable))
      .toSorted((a, b) => a.name.localeCompare(b.name) || b.version - a.version);
  }
}

/** The documents that the steps of a guide say. */
export function documentsOf({ steps }: Guide): readonly string[] {
  return [...new Set(steps.flatMap(({ source }) => source?.document ?? []))];
}

function isSame(one: Guide, other: Guide): boolean {
  return one.id === other.id && one.version === other.version;
}

/** A network's name may hold anything: what no folder may be called is written as in an address. */
function folderOf(folder: string, network: string): string {
  return join(
    folder,
    encodeURIComponent(network).replace(/^\.+$/, (dots) => dots.replaceAll(".", "%2E")),
  );
}

async function filesIn(folder: string, problems: string[]) {
  const found: { readonly network: string; readonly path: string }[] = [];
  if (!existsSync(folder)) return found;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const names = (await readdir(path)).filter((name) => GUIDE_FILE.test(name)).toSorted();
      found.push(
        ...names.map((name) => ({ network: decodeURIComponent(entry.name), path: join(path, name) })),
      );
    } else if (GUIDE_FILE.test(entry.name))
      problems.push(
        `${path}: a guide belongs to a network; move it to a folder that is named after the network`,
      );
  }
  if (found.length > GUIDES_MAX)
    problems.push(
      `${folder}: there are ${found.length} guides; take some out, at most ${GUIDES_MAX} can be used`,
    );
  return found.slice(0, GUIDES_MAX);
}

async function readGuide(path: string, problems: string[]): Promise<Guide | undefined> {
  try {
    const text = await readFile(path, "utf8");
    const guide = parseGuide(fileValue(text.slice(0, GUIDE_FILE_CHARS_MAX + 1), path));
    const found = problemsOf(guide);
    problems.push(...found.map((problem) => `${path}: ${problem}`));
    return found.length === 0 ? guide : undefined;
  } catch (error) {
    problems.push(`${path}: ${(error as Error).message}`);
    return undefined;
  }
}

/** What keeps a guide from being published; a draft may break rules. */
function problemsOf(guide: Guide): readonly string[] {
  return guide.status === "published" ? validateGuide(guide).map(findingText) : [];
}
