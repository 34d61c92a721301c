/**
 * Embeddings that were computed once, kept in a database file of the data folder by what was embedded and by which
 * model. Nothing is lost with it but time and money: a damaged file is thrown away, and the oldest entries go when it
 * grows too large.
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../lib/clock.js";
import { Database, type InStatement } from "./database.js";
import { StoreUnusable } from "./dead-letters.js";

/** What the vectors take on disk at the most: those of half a million texts at 256 dimensions. */
export const VECTOR_BYTES_MAX = 512 * 1_048_576;

/** The share of that which is left when the oldest have gone, so that they do not go one by one. */
const KEPT_SHARE = 0.9;

/** Entries in one statement; SQLite takes 32,766 parameters. */
const STATEMENT_ENTRIES_MAX = 500;

/** When an entry was used last is written down this exactly: reading shall not mean writing. */
const USED_STEP_MS = 24 * 3_600_000;

/** `used` is milliseconds since the Unix epoch; `vector` is 32-bit little-endian floats. */
const FIRST_LAYOUT = `
  CREATE TABLE vectors (
    key BLOB PRIMARY KEY,
    vector BLOB NOT NULL,
    used INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX vectors_by_use ON vectors (used);
  CREATE TABLE size (bytes INTEGER NOT NULL) STRICT;
  INSERT INTO size VALUES (0)
`;

export const LAYOUTS = { first: 1, steps: [FIRST_LAYOUT] };

export class EmbeddingCache {
  readonly path: string;
  #database: Promise<Database> | undefined;
  #lastCall: Promise<unknown> = Promise.resolve();

  /** Opens nothing yet: the first call does. */
  constructor(
    dataDirectory: string,
    private readonly clock: Pick<Clock, "now">,
    private readonly bytesMax: number = VECTOR_BYTES_MAX,
  ) {
    this.path = join(dataDirectory, "embeddings-1.db");
  }

  /** The vector of each text as this model made it, `undefined` where there is none. Rejects with `StoreUnusable`. */
  read(model: string, texts: readonly string[]): Promise<readonly (Float32Array | undefined)[]> {
    return this.#with(async (database) => {
      const keys = texts.map((text) => keyOf(model, text));
      const found = new Map<string, Float32Array>();
      for (const some of slices([...new Set(keys)])) {
        const sql = `SELECT hex(key) AS key, vector FROM vectors WHERE key IN (${some.map(() => "?").join()})`;
        for (const { key, vector } of await database.rows(sql, some.map(bytesOf)))
          found.set((key as string).toLowerCase(), new Float32Array(wholeFloats(vector as ArrayBuffer)));
      }
      await this.#noteUse(database, [...found.keys()]);
      return keys.map((key) => found.get(key));
    });
  }

  /** Keeps the vectors of these texts. Rejects with `StoreUnusable`. */
  write(model: string, texts: readonly string[], vectors: readonly Float32Array[]): Promise<void> {
    return this.#with(async (database) => {
      const added = texts.flatMap((text, i) => this.#put(keyOf(model, text), vectors[i]!));
      await database.writeAll(added);
      await this.#makeRoom(database);
    });
  }

  /** After the calls that are under way. */
  async close(): Promise<void> {
    await this.#lastCall;
    await this.#closeDatabase();
  }

  /** A vector that is there already stays, and adds nothing to the size. */
  #put(key: string, vector: Float32Array): InStatement[] {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    return [
      {
        sql: "UPDATE size SET bytes = bytes + ? WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE key = ?)",
        args: [bytes.length, bytesOf(key)],
      },
      {
        sql: "INSERT INTO vectors (key, vector, used) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
        args: [bytesOf(key), bytes, this.clock.now()],
      },
    ];
  }

  /** Removes what was not used for longest until enough is gone. */
  async #makeRoom(database: Database): Promise<void> {
    const keptBytes = this.bytesMax * KEPT_SHARE;
    for (let max = this.bytesMax; ; max = keptBytes) {
      const [size] = await database.rows(SIZE, []);
      const [bytes, vectors] = [Number(size?.bytes), Number(size?.vectors)];
      if (bytes <= max) return;
      // As many as are too many, if all are equally long.
      const args = [Math.max(PORTION_MIN, Math.ceil((vectors * (bytes - keptBytes)) / bytes))];
      await database.writeAll([
        { sql: SUBTRACT_OLDEST, args },
        { sql: DROP_OLDEST, args },
      ]);
    }
  }

  async #noteUse(database: Database, keys: readonly string[]): Promise<void> {
    const now = this.clock.now();
    const stale: string[] = [];
    for (const some of slices(keys)) {
      const sql = `SELECT hex(key) AS key FROM vectors WHERE used < ? AND key IN (${some.map(() => "?").join()})`;
      const rows = await database.rows(sql, [now - USED_STEP_MS, ...some.map(bytesOf)]);
      stale.push(...rows.map(({ key }) => (key as string).toLowerCase()));
    }
    if (stale.length === 0) return;
    const sql = "UPDATE vectors SET used = ? WHERE key = ?";
    await database.writeAll(stale.map((key) => ({ sql, args: [now, bytesOf(key)] })));
  }

  /** One call after the other: a connection has one transaction at a time. */
  #with<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const call = this.#lastCall.then(() => this.#attempt(work));
    this.#lastCall = Promise.allSettled([call]);
    return call;
  }

  async #attempt<T>(work: (database: Database) => Promise<T>): Promise<T> {
    this.#database ??= Database.open(this.path, LAYOUTS);
    try {
      return await work(await this.#database);
    } catch (error) {
      await this.#closeDatabase();
      if (error instanceof StoreUnusable && error.code === "damaged")
        for (const suffix of ["", "-wal", "-shm"]) rmSync(this.path + suffix, { force: true });
      throw error;
    }
  }

  async #closeDatabase(): Promise<void> {
    const opening = this.#database;
    this.#database = undefined;
    const [opened] = await Promise.allSettled([opening]);
    if (opened.status === "fulfilled") await opened.value?.close();
  }
}

/** Entries that are removed at a time, at the least. */
const PORTION_MIN = 64;

const SIZE = "SELECT bytes, (SELECT count(*) FROM vectors) AS vectors FROM size";

/** Runs before they go; where there are none, nothing is left. */
const SUBTRACT_OLDEST = `
  UPDATE size SET bytes = bytes - (
    SELECT coalesce(sum(length(vector)), bytes) FROM (SELECT vector FROM vectors ORDER BY used, key LIMIT ?)
  )`;

const DROP_OLDEST = "DELETE FROM vectors WHERE key IN (SELECT key FROM vectors ORDER BY used, key LIMIT ?)";

/** Hexadecimal; the name is never cut from the text, since it stands in JSON. */
function keyOf(model: string, text: string): string {
  return createHash("sha256")
    .update(JSON.stringify([model, text]))
    .digest("hex");
}

function bytesOf(key: string): Uint8Array {
  return Buffer.from(key, "hex");
}

/** A blob that is cut off holds no vector; whoever reads it sees that by its length. */
function wholeFloats(blob: ArrayBuffer): ArrayBuffer {
  return blob.slice(0, blob.byteLength - (blob.byteLength % Float32Array.BYTES_PER_ELEMENT));
}

function slices<T>(values: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < values.length; from += STATEMENT_ENTRIES_MAX)
    parts.push(values.slice(from, from + STATEMENT_ENTRIES_MAX));
  return parts;
}
