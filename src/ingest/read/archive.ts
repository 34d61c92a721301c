/**
 * A ZIP file (APPNOTE.TXT 6.3.10) to the entries that are wanted, with bounded memory: what is unpacked is counted as
 * it comes out, since the sizes that an archive states may lie.
 */
import { Unzip, type UnzipFile, UnzipInflate, Zip, ZipPassThrough } from "fflate";
import { DocumentProblem } from "../problem.js";

export interface ArchiveLimits {
  /** Of all wanted entries together. */
  readonly unpackedBytesMax: number;
}

/** Entries of all kinds. A long Word document has some hundreds, most of them pictures. */
export const ARCHIVE_ENTRIES_MAX = 10_000;

/** So much is unpacked at a time, at most a thousandfold in memory: deflate packs no tighter than 1,032 to 1. */
const STEP_BYTES = 4_096;

/** Entries by their names. Throws `DocumentProblem` when the archive is damaged or holds too much. */
export function unpack(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  limits: ArchiveLimits,
): Map<string, Uint8Array> {
  requireDirectory(bytes);
  const unpacking = new Unpacking(isWanted, limits);
  const unzip = new Unzip((file) => unpacking.take(file));
  unzip.register(UnzipInflate);
  try {
    for (let from = 0; from < bytes.length; from += STEP_BYTES)
      unzip.push(bytes.subarray(from, from + STEP_BYTES), from + STEP_BYTES >= bytes.length);
  } catch (error) {
    throw error instanceof DocumentProblem ? error : damaged(error);
  }
  return unpacking.end();
}

/** An archive of the entries as they are, for a reader that takes nothing else. */
export function pack(entries: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  for (const [name, content] of entries) {
    const entry = new ZipPassThrough(name);
    zip.add(entry);
    entry.push(content, true);
  }
  zip.end();
  return Buffer.concat(pieces);
}

class Unpacking {
  readonly #entries = new Map<string, Uint8Array>();
  #entryCount = 0;
  #unfinishedCount = 0;
  #unpackedBytes = 0;

  constructor(
    private readonly isWanted: (name: string) => boolean,
    private readonly limits: ArchiveLimits,
  ) {}

  take(file: UnzipFile): void {
    this.#entryCount += 1;
    if (this.#entryCount > ARCHIVE_ENTRIES_MAX)
      throw new DocumentProblem(`the file is packed from more than ${ARCHIVE_ENTRIES_MAX} entries`);
    if (!this.isWanted(file.name)) return;
    // A second entry of a name that counts: which one is meant, nobody knows.
    if (this.#entries.has(file.name)) throw damaged(undefined);
    const pieces: Uint8Array[] = [];
    this.#entries.set(file.name, new Uint8Array());
    this.#unfinishedCount += 1;
    file.ondata = (error, piece, isLast) => {
      // What is thrown below comes back here, by way of the library.
      if (error !== null) throw error instanceof DocumentProblem ? error : damaged(error);
      this.#count(piece.length);
      pieces.push(piece);
      if (!isLast) return;
      this.#unfinishedCount -= 1;
      this.#entries.set(file.name, Buffer.concat(pieces));
    };
    file.start();
  }

  end(): Map<string, Uint8Array> {
    if (this.#unfinishedCount > 0) throw damaged(undefined);
    return this.#entries;
  }

  #count(bytes: number): void {
    this.#unpackedBytes += bytes;
    const { unpackedBytesMax } = this.limits;
    if (this.#unpackedBytes > unpackedBytesMax)
      throw new DocumentProblem(
        `the file unpacks to more than the ${unpackedBytesMax} bytes that are allowed (\`ingest.file_unpacked_bytes_max\`)`,
      );
  }
}

/** An archive ends with its directory, and a comment of up to 65,535 bytes (4.3.16); one that was cut off has none. */
function requireDirectory(bytes: Uint8Array): void {
  const tail = Buffer.from(bytes.subarray(-(22 + 65_535)));
  if (!tail.includes(Buffer.from([0x50, 0x4b, 5, 6]))) throw damaged(undefined);
}

function damaged(cause: unknown): DocumentProblem {
  return new DocumentProblem("the file is damaged: it cannot be unpacked; get a new copy", { cause });
}
