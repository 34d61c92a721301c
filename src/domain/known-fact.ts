/** What is known of a site by a call of a tool, as a value that can be written down. */
import type { Reading } from "./reading.js";

export interface KnownFact {
  /** Names it: a fact of the same key takes its place. */
  readonly key: string;
  readonly value: string;
  /** Unix milliseconds. */
  readonly takenAtMs: number;
  /** After so long it is not known any more. */
  readonly maxAgeMs: number;
  /** Turn of the model in which it was read. */
  readonly turn: number;
  /** Id of the call that told it. */
  readonly call: string;
  /** Ids of what it is about: known to nobody who may not know of all of them, and to nobody once one was written to. */
  readonly about: readonly string[];
  /** As values, for the gate. */
  readonly readings?: readonly Reading[];
  /** Of a marker: the keys of all facts that the call told. It holds only as long as each of them does. */
  readonly tells?: readonly string[];
  /** Of a marker: why there is nothing. */
  readonly error?: ReadFault;
}

/** Why a call came to nothing. */
export interface ReadFault {
  readonly code: string;
  /** For a model, in words that quote nothing secret. */
  readonly message: string;
  /** It was not tried. */
  readonly blocked?: boolean;
  /** It was tried, and what came of it is an error. */
  readonly failed?: boolean;
  /** The same call may work in a moment. */
  readonly retryable?: boolean;
  /** JSON values, such as `recovery_hint`. */
  readonly details?: Readonly<Record<string, unknown>>;
}
