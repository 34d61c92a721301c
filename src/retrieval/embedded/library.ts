/** The networks' indices that are open for reading, opened when first asked for. */
import { statSync } from "node:fs";
import { damageOf, databasePath } from "./database.js";
import { IndexDamaged } from "./index-damaged.js";
import { refuseEmptied } from "./index-record.js";
import { NetworkIndex } from "./network-index.js";
import { VectorsUnfit } from "./vector-search.js";

/** Indices open at once; the one that was used least recently is closed for the next. */
export const OPEN_INDICES_MAX = 64;

interface OpenIndex {
  readonly index: NetworkIndex;
  /** Which file this is: a path may come to name another one. */
  readonly file: string;
}

export class Library {
  /** In order of use, the least recent first. */
  readonly #open = new Map<string, OpenIndex>();

  constructor(private readonly directory: string) {}

  /**
   * Runs `work` on a network's index; a network without a file gets `whenMissing`. An index that fails is closed, so
   * that the next call opens the file anew; the error then says what is wrong and what to do.
   */
  async use<T>(network: string, whenMissing: T, work: (index: NetworkIndex) => Promise<T>): Promise<T> {
    const path = databasePath(this.directory, network);
    try {
      const index = this.#index(network, path);
      return index === undefined ? whenMissing : await work(index);
    } catch (error) {
      if (error instanceof VectorsUnfit)
        throw new Error(
          `The vectors of network ${JSON.stringify(network)} cannot be searched: ${error.message}`,
        );
      this.#close(network);
      throw damageOf(path, network, error);
    }
  }

  close(): void {
    for (const network of [...this.#open.keys()]) this.#close(network);
  }

  #index(network: string, path: string): NetworkIndex | undefined {
    const status = statSync(path, { throwIfNoEntry: false });
    const file = status === undefined ? undefined : `${status.dev}:${status.ino}:${status.birthtimeMs}`;
    const known = this.#open.get(network);
    if (known !== undefined && known.file !== file) this.#close(network);
    if (status === undefined || file === undefined) {
      refuseEmptied(this.directory, network, undefined);
      return undefined;
    }
    if (!status.isFile()) throw new IndexDamaged("it is no file");
    const opened = this.#open.get(network) ?? {
      index: new NetworkIndex(path, this.directory, network, file),
      file,
    };
    this.#open.delete(network);
    this.#open.set(network, opened);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= OPEN_INDICES_MAX) break;
      this.#close(oldest);
    }
    return opened.index;
  }

  #close(network: string): void {
    this.#open.get(network)?.index.close();
    this.#open.delete(network);
  }
}
