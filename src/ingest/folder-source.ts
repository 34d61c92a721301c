/**
 * A folder, or a single file, as a source of documents. What lies where is scan.ts; here is how a file is read when
 * nothing about it can be trusted: it may have grown, gone, or turned into something else since it was listed.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { DocumentProblem } from "./problem.js";
import { FILE_KINDS, formatOf } from "./read/read-file.js";
import { isBelow, LEADS_OUT, reasonOf, scan, systemCode } from "./scan.js";
import {
  EntryGone,
  EntryUnreadable,
  type Listing,
  PathProblem,
  type Source,
  type SourceEntry,
  tooLarge,
} from "./source.js";

/**
 * Opens a folder or a document: its path, absolute and without links; a document that is itself a link keeps its own
 * name. Rejects with `PathProblem` when there is no such thing.
 */
export async function openFolderSource(path: string): Promise<FolderSource> {
  try {
    const status = await stat(path);
    if (status.isDirectory()) return new FolderSource(await realpath(path), "folder");
    if (status.isFile() && formatOf(path) !== undefined)
      return new FolderSource(join(await realpath(dirname(path)), basename(path)), "file");
  } catch (error) {
    throw new PathProblem(`${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  throw new PathProblem(`${path} is not a folder and not a document; documents are ${FILE_KINDS} files`);
}

export class FolderSource implements Source {
  /** The folder that names are below, and where a manifest would be. */
  readonly folder: string;

  constructor(
    readonly root: string,
    readonly kind: "folder" | "file",
  ) {
    this.folder = kind === "folder" ? root : dirname(root);
  }

  get name(): string {
    return this.root;
  }

  covers(path: string): boolean {
    return path === this.root || (this.kind === "folder" && isBelow(path, this.root));
  }

  async list(signal: AbortSignal): Promise<Listing> {
    if (this.kind === "folder") return scan(this.root, signal);
    const entry = { path: this.root, name: basename(this.root) };
    return { entries: [entry], ignoredCount: 0, problems: [] };
  }

  async read({ path }: SourceEntry, bytesMax: number, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    try {
      return await readFile(await this.#realPath(path), bytesMax, signal);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const message = `the file cannot be read: ${reasonOf(error)}`;
      if (GONE.has(systemCode(error)!)) throw new EntryGone(message, { cause: error });
      throw new EntryUnreadable(message, !LASTING.has(systemCode(error)!), { cause: error });
    }
  }

  readNamed(name: string, bytesMax: number, signal: AbortSignal): Promise<Uint8Array> {
    return this.read({ path: join(this.folder, name), name }, bytesMax, signal);
  }

  async above(names: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    for (let folder = this.folder; dirname(folder) !== folder; ) {
      signal.throwIfAborted();
      folder = dirname(folder);
      for (const name of names) if (await exists(join(folder, name))) return join(folder, name);
    }
    return undefined;
  }

  /** Links are looked at again: the listing may be older than they are. A file that was asked for may lie anywhere. */
  async #realPath(path: string): Promise<string> {
    const real = await realpath(path);
    const within = relative(this.folder, real).split(sep)[0] !== "..";
    if (!within && path !== this.root) throw new DocumentProblem(LEADS_OUT);
    return real;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** The path leads nowhere any more. */
const GONE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);
/** Waiting does not help. */
const LASTING: ReadonlySet<string> = new Set(["EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"]);

/** Opening must not wait for a pipe's other end, and must not follow a link that came since. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

const READ_BYTES = 1_048_576;

async function readFile(path: string, bytesMax: number, signal: AbortSignal): Promise<Uint8Array> {
  const handle = await open(path, OPEN_FLAGS);
  try {
    const before = await handle.stat();
    if (!before.isFile()) throw new EntryGone("it is no file any more");
    if (before.size > bytesMax) throw tooLarge(before.size, bytesMax);
    const bytes = await readUpTo(handle, before.size, signal);
    const after = await handle.stat();
    if (after.size !== bytes.byteLength || after.mtimeMs !== before.mtimeMs)
      throw new EntryUnreadable("the file is being written; it is taken when that is over", true);
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Reads so many bytes, or fewer where the file ends earlier. */
async function readUpTo(handle: FileHandle, size: number, signal: AbortSignal): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, length, Math.min(READ_BYTES, size - length), null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
