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

/** What comes of `work`; `otherwise` where what is kept can be neither read nor written. */
export async function withStore<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StoreUnusable) return otherwise;
    throw error;
  }
}
