/** Failures on demand: what a request is answered with instead of its real answer, and how often. */
import type { BulkOperation } from "./bulk-api.js";
import { ElasticsearchError } from "./errors.js";
import type { Json } from "./json.js";

/** Which requests a fault is for. Everything given must hold. */
export interface FaultMatch {
  readonly method?: string;
  readonly path?: RegExp;
  /** The endpoint's name, such as `bulk` or `indices.create`. */
  readonly endpoint?: string;
  readonly body?: RegExp;
}

/** What happens to a request. */
export type FaultEffect =
  /** Answered with this; the request is not carried out. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body?: Json;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Held until the promise is settled, then carried out. */
  | { readonly kind: "hold"; readonly until: Promise<void> }
  /** The connection breaks, before the request is carried out or behind it. */
  | { readonly kind: "reset"; readonly when: "before" | "after" }
  /** Carried out, but half of the answer is all that arrives. */
  | { readonly kind: "half" };

export interface Fault {
  /** Requests (or bulk items) that were hit. */
  readonly hits: number;
}

interface Armed {
  readonly match: FaultMatch;
  readonly effect: FaultEffect;
  left: number;
  hits: number;
}

interface ArmedItem {
  readonly accepts: (operation: BulkOperation) => boolean;
  readonly error: ElasticsearchError;
  left: number;
  hits: number;
}

export interface RequestSeen {
  readonly method: string;
  readonly path: string;
  readonly endpoint: string | undefined;
  readonly body: string;
}

export class Faults {
  #armed: Armed[] = [];
  #items: ArmedItem[] = [];

  /** The next `times` requests that match fail in this way. */
  next(match: FaultMatch, effect: FaultEffect, times = 1): Fault {
    const armed = { match, effect, left: times, hits: 0 };
    this.#armed.push(armed);
    return armed;
  }

  /** The next `times` operations of bulk requests that `accepts` takes are refused, as a full write queue does. */
  nextItems(accepts: (operation: BulkOperation) => boolean, times = 1, error = queueFull()): Fault {
    const armed = { accepts, error, left: times, hits: 0 };
    this.#items.push(armed);
    return armed;
  }

  /** Forgets every fault that has not come yet. */
  clear(): void {
    this.#armed = [];
    this.#items = [];
  }

  /** The faults that were asked for and never came. */
  get unused(): string[] {
    return [
      ...this.#armed
        .filter(({ left }) => left > 0)
        .map(({ match }) => `a fault for ${describe(match)} never came`),
      ...this.#items.filter(({ left }) => left > 0).map(() => "a fault for a bulk item never came"),
    ];
  }

  take(request: RequestSeen): FaultEffect | undefined {
    const armed = this.#armed.find(({ left, match }) => left > 0 && isMatch(match, request));
    if (armed === undefined) return undefined;
    armed.left -= 1;
    armed.hits += 1;
    return armed.effect;
  }

  takeItem(operation: BulkOperation): ElasticsearchError | undefined {
    const armed = this.#items.find(({ left, accepts }) => left > 0 && accepts(operation));
    if (armed === undefined) return undefined;
    armed.left -= 1;
    armed.hits += 1;
    return armed.error;
  }
}

function isMatch({ method, path, endpoint, body }: FaultMatch, request: RequestSeen): boolean {
  return (
    (method === undefined || method === request.method) &&
    (path?.test(request.path) ?? true) &&
    (endpoint === undefined || endpoint === request.endpoint) &&
    (body?.test(request.body) ?? true)
  );
}

function describe({ method, path, endpoint, body }: FaultMatch): string {
  return [method, path, endpoint, body].filter((part) => part !== undefined).join(" ") || "any request";
}

/** What an item gets when the node's write queue is full. */
export function queueFull(): ElasticsearchError {
  return new ElasticsearchError(
    429,
    "es_rejected_execution_exception",
    "rejected execution of coordinating operation [coordinating_and_primary_bytes=0, replica_bytes=0, all_bytes=0, " +
      "coordinating_operation_bytes=1, max_coordinating_and_primary_bytes=0]",
  );
}
