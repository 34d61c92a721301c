/** What could not be ingested, kept with its reason until it can: to be looked at and replayed. */

export interface DeadLetter {
  readonly network: string;
  /** What could not be ingested: an absolute path, or an address such as `s3://bucket/key`. */
  readonly path: string;
  /** The folder or bucket that was being ingested; replaying starts from there. */
  readonly source: string;
  /** A name for the kind of failure, such as `unreadable`. */
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since the Unix epoch. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** Ingests in a row in which it failed. */
  readonly attempts: number;
}

export type NewDeadLetter = Pick<DeadLetter, "path" | "source" | "reason" | "message">;

/** Every method rejects with `StoreUnusable`. */
export interface DeadLetters {
  /** Every letter of the network, or of all networks, by network and path. */
  list(network?: string): Promise<readonly DeadLetter[]>;
  /** Adds letters, or another attempt to those of the same path, all at once. The oldest go when there are too many. */
  record(network: string, letters: readonly NewDeadLetter[]): Promise<void>;
  /** Removes the letters of these paths; those that are not there are no error. */
  clear(network: string, paths: readonly string[]): Promise<void>;
  /** Letters that had to go because there were too many, since the store was made; of all networks unless one is named. */
  dropped(network?: string): Promise<number>;
  close(): Promise<void>;
}

/** What is kept on disk cannot be read or written; the message says why and what to do. */
export class StoreUnusable extends Error {
  override readonly name = "StoreUnusable";
  constructor(
    message: string,
    /** `damaged`: the file itself is at fault. */
    readonly code: "unusable" | "damaged" = "unusable",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
