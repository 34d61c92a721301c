/**
 * Which files a path stands for. Folders are read to the bottom, in the order of names; hidden entries are passed
 * over. Symbolic links are followed inside the folder only, and nothing is taken twice, so that loops end.
 */
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, sep } from "node:path";
import type { Markup } from "./blocks.js";

export interface FoundFile {
  /** Absolute, without links in the folder that was asked for. */
  readonly path: string;
  readonly markup: Markup;
}

/** `unreadable`: what lies at or below the path is unknown. `invalid`: there is nothing to be read. */
export interface PathNote {
  readonly type: "unreadable" | "invalid";
  readonly path: string;
  readonly message: string;
}

export interface Scan {
  readonly files: readonly FoundFile[];
  /** Files of kinds that are not read. */
  readonly ignoredCount: number;
  readonly problems: readonly PathNote[];
}

/** A path that cannot be ingested at all. */
export class PathProblem extends Error {
  override readonly name = "PathProblem";
}

const MARKUP: Readonly<Record<string, Markup>> = {
  ".md": "markdown",
  ".markdown": "markdown",
  ".txt": "plain",
  ".text": "plain",
};

/** The kinds of file that are read, for messages. */
export const FILE_KINDS = Object.keys(MARKUP).join(", ");

/**
 * The path of a folder or a document, absolute and without links; a document that is itself a link keeps its own
 * name. Rejects with `PathProblem` when there is no such thing.
 */
export async function resolveRoot(path: string): Promise<string> {
  try {
    const status = await stat(path);
    if (status.isDirectory()) return await realpath(path);
    if (status.isFile() && markupOf(path) !== undefined) {
      return join(await realpath(dirname(path)), basename(path));
    }
  } catch (error) {
    throw new PathProblem(`${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  throw new PathProblem(`${path} is not a folder and not a document; documents are ${FILE_KINDS} files`);
}

/** Looks through a resolved root. */
export async function scan(root: string, signal: AbortSignal): Promise<Scan> {
  const markup = markupOf(root);
  if (markup !== undefined && (await stat(root)).isFile()) {
    return { files: [{ path: root, markup }], ignoredCount: 0, problems: [] };
  }
  return new Scanner(root, signal).run();
}

class Scanner {
  readonly #files: FoundFile[] = [];
  readonly #problems: PathNote[] = [];
  /** Real paths that were taken: each at most once. */
  readonly #taken = new Set<string>();
  /** Looked at last, so that a link never takes a file away from its own place. */
  readonly #links: string[] = [];
  #ignoredCount = 0;

  constructor(
    private readonly root: string,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<Scan> {
    await this.#folder(this.root, this.root);
    for (let link = this.#links.shift(); link !== undefined; link = this.#links.shift())
      await this.#link(link);
    this.#files.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { files: this.#files, ignoredCount: this.#ignoredCount, problems: this.#problems };
  }

  /** `path` is how it was reached, `real` where it lies. Folders wait in a list: no depth is too deep. */
  async #folder(path: string, real: string): Promise<void> {
    const waiting = [{ path, real }];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      this.signal.throwIfAborted();
      if (this.#taken.has(folder.real)) continue;
      this.#taken.add(folder.real);
      for (const entry of await this.#entries(folder.path)) {
        const below = { path: join(folder.path, entry.name), real: join(folder.real, entry.name) };
        if (entry.isSymbolicLink()) this.#links.push(below.path);
        else if (entry.isDirectory()) waiting.push(below);
        else if (entry.isFile()) this.#file(below.path, below.real);
        else this.#ignoredCount += 1;
      }
    }
  }

  async #entries(folder: string) {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.filter(({ name }) => !name.startsWith("."));
    } catch (error) {
      const message = `the folder cannot be read: ${reasonOf(error)}`;
      this.#problems.push({ type: "unreadable", path: folder, message });
      return [];
    }
  }

  #file(path: string, real: string): void {
    const markup = markupOf(path);
    if (markup === undefined) {
      this.#ignoredCount += 1;
      return;
    }
    if (this.#taken.has(real)) return;
    this.#taken.add(real);
    this.#files.push({ path, markup });
  }

  async #link(path: string): Promise<void> {
    try {
      const real = await realpath(path);
      if (real !== this.root && !isBelow(real, this.root)) {
        const message = "the symbolic link leads out of the folder; put the file itself here";
        this.#problems.push({ type: "invalid", path, message });
        return;
      }
      const status = await lstat(real);
      if (status.isDirectory()) await this.#folder(path, real);
      else if (status.isFile()) this.#file(path, real);
      else this.#ignoredCount += 1;
    } catch (error) {
      const type = ["ENOENT", "ELOOP"].includes(systemCode(error) ?? "") ? "invalid" : "unreadable";
      this.#problems.push({
        type,
        path,
        message: `the symbolic link cannot be followed: ${reasonOf(error)}`,
      });
    }
  }
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The system's code for what went wrong, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** What went wrong, in words, and without paths of this machine. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error) ?? "unknown error";
  return REASONS[code] ?? code;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "the links lead in a circle",
};

function markupOf(path: string): Markup | undefined {
  return MARKUP[extname(path).toLowerCase()];
}
