/** The ledger in the data folder: lines that one process appends, one after the other; one that fails takes back what it wrote. */
import type { KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Clock } from "../../lib/clock.js";
import { withDeadline } from "../../lib/deadline.js";
import { makePrivateFile, makePrivateFolder } from "../../lib/private-files.js";
import { type ProcessLock, takeProcessLock } from "../../lib/process-lock.js";
import type { Telemetry } from "../../telemetry/events.js";
import { type LedgerFiles, makeKey, readPrivateKey, writeHead } from "./files.js";
import { type Ledger, type LedgerEntry, type LedgerRow, LedgerUnusable, type RowMark } from "./port.js";
import { ENTRY_BYTES_MAX, type LedgerFlaw, lineOf, NO_ROW, rowAfter, rowsIn, verifyLedger } from "./rows.js";

/** Appends that wait for the disk; a further one is refused. */
const PENDING_MAX = 1_000;

/** A disk that takes longer has failed, in milliseconds. */
const WRITE_MS_MAX = 10_000;

export interface FileLedgerDeps {
  readonly clock: Clock;
  /** Told of each row that is not written, and of what is cut off at the end of the file: of a row never acknowledged. */
  readonly telemetry: Telemetry;
}

export class FileLedger implements Ledger {
  /** As the last row that was to be written left it. */
  state: "ready" | "unavailable" = "ready";
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** Why nothing is written any more. */
  #ended: LedgerUnusable | undefined;

  private constructor(
    private readonly files: LedgerFiles,
    private readonly deps: FileLedgerDeps,
    private readonly key: KeyObject,
    private readonly file: FileHandle,
    private readonly lock: ProcessLock,
    /** Of its rows as they are acknowledged. */
    private end: { readonly last: RowMark; readonly bytes: number },
  ) {}

  /** Opens the ledger, or begins one. Rejects with `LedgerUnusable`: it is held by another process, or damaged. */
  static async open(files: LedgerFiles, deps: FileLedgerDeps): Promise<FileLedger> {
    let lock: ProcessLock | undefined;
    let file: FileHandle | undefined;
    try {
      makePrivateFolder(files.folder);
      lock = await takeProcessLock(files.lock);
      const isNew = !existsSync(files.rows) && !existsSync(files.head);
      const makesKey = isNew && files.isOwnKey && !existsSync(files.key);
      const key = await (makesKey ? makeKey : readPrivateKey)(files.key);
      if (isNew) await writeHead(files.head, NO_ROW, key);
      makePrivateFile(files.rows);
      const { bytes, flaw, last, tornBytes } = await verifyLedger(files, key, "last");
      if (flaw !== undefined) throw damaged(files, flaw);
      file = await open(files.rows, "a");
      if (tornBytes > 0) {
        await file.truncate(bytes);
        const error = `${files.rows}: cut off ${tornBytes} bytes of no row`;
        deps.telemetry.emit({ type: "service_fault", where: "ledger", error });
      }
      await file.sync();
      if (isNew) await syncFolder(files.folder);
      return new FileLedger(files, deps, key, file, lock, { last, bytes });
    } catch (error) {
      await file?.close();
      lock?.release();
      throw unusable(files.folder, error);
    }
  }

  async append(entry: LedgerEntry): Promise<LedgerRow> {
    let row: Promise<LedgerRow> | undefined;
    this.#waiting += 1;
    try {
      if (this.#ended !== undefined) throw this.#ended;
      if (this.#waiting > PENDING_MAX)
        throw new LedgerUnusable(`more than ${PENDING_MAX} rows wait for the disk`);
      const [atMs, frozen] = [this.deps.clock.now(), plain(entry)];
      // Nothing comes behind a row that is not there: what waits for one that fails, fails.
      row = this.#last.then(() => this.#commit(atMs, frozen));
      this.#last = row;
      await row;
      this.state = "ready";
      return row;
    } catch (error) {
      if (this.#last === row) this.#last = Promise.resolve();
      this.state = "unavailable";
      const failure = unusable(this.files.rows, error);
      this.deps.telemetry.emit({ type: "ledger_failed", error: String(failure) });
      throw failure;
    } finally {
      this.#waiting -= 1;
    }
  }

  rows(): AsyncIterable<LedgerRow> {
    return rowsIn(this.files.rows, this.end.bytes);
  }

  /** After what waits is on disk. */
  async close(): Promise<void> {
    this.#ended ??= new LedgerUnusable("the ledger is closed");
    await Promise.allSettled([this.#last]);
    this.lock.release();
    await this.file.close();
  }

  async #commit(atMs: number, entry: LedgerEntry): Promise<LedgerRow> {
    const row = rowAfter(this.end.last, atMs, entry, this.key);
    const text = lineOf(row);
    const never = new AbortController().signal;
    const write = () => this.#write(text, row);
    const written = withDeadline(this.deps.clock, "writing to the ledger", WRITE_MS_MAX, never, write);
    const failure = await written.catch((error: unknown) => {
      this.#ended = unusable(this.files.rows, error);
      return this.#ended;
    });
    if (failure !== undefined) throw failure;
    this.end = { last: row, bytes: this.end.bytes + Buffer.byteLength(text) };
    return row;
  }

  /** Resolves with why it is not written, and the file as it was before. Rejects where nobody knows how the file is. */
  async #write(text: string, last: RowMark): Promise<Error | undefined> {
    const { size } = await this.file.stat();
    if (size !== this.end.bytes) throw new Error("another process has changed it");
    try {
      await this.file.appendFile(text);
      await this.file.datasync();
      await writeHead(this.files.head, last, this.key);
      return undefined;
    } catch (error) {
      await this.file.truncate(this.end.bytes);
      await this.file.datasync();
      return error as Error;
    }
  }
}

/** The entry as it is read again; throws where it cannot be written, or is too large. */
function plain(entry: LedgerEntry): LedgerEntry {
  const text = JSON.stringify(entry);
  if (Buffer.byteLength(text) > ENTRY_BYTES_MAX)
    throw new Error(`an entry is larger than ${ENTRY_BYTES_MAX} bytes`);
  return JSON.parse(text) as LedgerEntry;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

function unusable(path: string, error: unknown): LedgerUnusable {
  if (error instanceof LedgerUnusable) return error;
  const remedy = "Check that the disk has room and that this user may write to it.";
  const why = `${path} cannot be used: ${(error as Error).message}. ${remedy}`;
  return new LedgerUnusable(why, { cause: error });
}

function damaged({ folder, rows }: LedgerFiles, { line, why }: LedgerFlaw): LedgerUnusable {
  const where = line === undefined ? rows : `line ${line} of ${rows}`;
  return new LedgerUnusable(
    `${where} is damaged: ${why}. Nothing is executed until this is settled: keep ${folder} for whoever looks into it, ` +
      "and put back a copy that readback ledger verify finds good, or move the folder away to begin a new ledger.",
  );
}
