/**
 * Which files a folder holds. Folders are read to the bottom; hidden entries are passed over. Symbolic links are
 * followed inside the folder only, and nothing is taken twice, so that loops end. Sockets, pipes and devices are
 * never opened.
 */
import { lstat, readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { formatOf } from "./read/read-file.js";
import { isManifestName, type Listing, PathProblem, type SourceEntry, type SourceProblem } from "./source.js";

/** Entries of all folders together, those of other kinds included. */
export const SCAN_ENTRIES_MAX = 2_000_000;

/** Said of a link that is no way in. */
export const LEADS_OUT = "the symbolic link leads out of the folder; put the file itself here";

/**
 * Looks through a folder, given by its real path. Rejects with `PathProblem` when the folder itself cannot be read,
 * and with the signal's reason.
 */
export function scan(root: string, signal: AbortSignal): Promise<Listing> {
  return new Scanner(root, signal).run();
}

interface Entry {
  readonly name: string;
  readonly kind: "folder" | "file" | "link" | "other";
  /** Its name as bytes is no UTF-8, so that it cannot be opened by it. */
  readonly misnamed: boolean;
}

class Scanner {
  readonly #entries: SourceEntry[] = [];
  readonly #problems: SourceProblem[] = [];
  /** Real paths that were taken: each at most once. */
  readonly #taken = new Set<string>();
  /** Looked at last, so that a link never takes a file away from its own place. */
  readonly #links: string[] = [];
  #ignoredCount = 0;
  #seenCount = 0;

  constructor(
    private readonly root: string,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<Listing> {
    await this.#folder(this.root, this.root);
    // Links found on the way are added at the end of the list.
    for (const link of this.#links) await this.#link(link);
    this.#entries.sort(byPath);
    this.#problems.sort(byPath);
    return { entries: this.#entries, ignoredCount: this.#ignoredCount, problems: this.#problems };
  }

  /** `path` is how it was reached, `real` where it lies. Folders wait in a list: no depth is too deep. */
  async #folder(path: string, real: string): Promise<void> {
    const waiting = [{ path, real }];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      this.signal.throwIfAborted();
      if (this.#taken.has(folder.real)) continue;
      this.#taken.add(folder.real);
      for (const { name, kind, misnamed } of await this.#read(folder.path)) {
        const below = { path: join(folder.path, name), real: join(folder.real, name) };
        if (misnamed) this.#misnamed(below.path, kind);
        else if (kind === "link") this.#links.push(below.path);
        else if (kind === "folder") waiting.push(below);
        else if (kind === "file") this.#file(below.path, below.real);
        else this.#ignoredCount += 1;
      }
    }
  }

  async #read(folder: string): Promise<readonly Entry[]> {
    try {
      const entries = (await entriesOf(folder)).filter(({ name }) => !name.startsWith("."));
      this.#seenCount += entries.length;
      if (this.#seenCount > SCAN_ENTRIES_MAX)
        throw new PathProblem(
          `${this.root} holds more than ${SCAN_ENTRIES_MAX} files; ingest its subfolders`,
        );
      return entries;
    } catch (error) {
      if (error instanceof PathProblem) throw error;
      if (folder === this.root)
        throw new PathProblem(`${folder} cannot be read: ${reasonOf(error)}`, { cause: error });
      // A folder that went away after its parent was read holds nothing.
      if (systemCode(error) !== "ENOENT")
        this.#problem("unreadable", folder, `the folder cannot be read: ${reasonOf(error)}`);
      return [];
    }
  }

  #file(path: string, real: string): void {
    if (formatOf(path) === undefined && !isManifestName(path)) {
      this.#ignoredCount += 1;
      return;
    }
    if (this.#taken.has(real)) return;
    this.#taken.add(real);
    this.#entries.push({ path, name: this.#name(path) });
  }

  #misnamed(path: string, kind: Entry["kind"]): void {
    if (kind === "file" && formatOf(path) === undefined) this.#ignoredCount += 1;
    else this.#problem("invalid", path, "its name is not UTF-8 text; give it another name");
  }

  async #link(path: string): Promise<void> {
    try {
      const real = await realpath(path);
      if (real !== this.root && !isBelow(real, this.root)) {
        this.#problem("invalid", path, LEADS_OUT);
        return;
      }
      const status = await lstat(real);
      if (status.isDirectory()) await this.#folder(path, real);
      else if (status.isFile()) this.#file(path, real);
      else this.#ignoredCount += 1;
    } catch (error) {
      const type = ["ENOENT", "ELOOP"].includes(systemCode(error) ?? "") ? "invalid" : "unreadable";
      this.#problem(type, path, `the symbolic link cannot be followed: ${reasonOf(error)}`);
    }
  }

  #problem(type: SourceProblem["type"], path: string, message: string): void {
    this.#problems.push({ type, path, name: this.#name(path), message });
  }

  #name(path: string): string {
    return relative(this.root, path).split(sep).join("/");
  }
}

/** What a name that is not UTF-8 becomes when it is decoded; a sound name may hold it too. */
const REPLACEMENT = "\ufffd";

async function entriesOf(folder: string): Promise<readonly Entry[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes(REPLACEMENT)))
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry), misnamed: false }));
  const exact = await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  return exact.map((entry) => ({ ...decodedName(entry.name), kind: kindOf(entry) }));
}

function kindOf(entry: {
  isSymbolicLink(): boolean;
  isDirectory(): boolean;
  isFile(): boolean;
}): Entry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "other";
}

/** Bytes that are no UTF-8 are shown as `\xFC`, so that two misnamed files keep two names. */
function decodedName(bytes: Buffer): Pick<Entry, "name" | "misnamed"> {
  const name = bytes.toString("utf8");
  if (Buffer.from(name).equals(bytes)) return { name, misnamed: false };
  const shown = [...bytes].map((byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase()}`,
  );
  return { name: shown.join(""), misnamed: true };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
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
  ENAMETOOLONG: "its path is too long",
  EMFILE: "too many files are open",
};
