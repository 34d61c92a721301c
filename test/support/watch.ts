/** Watches a promise without waiting for it. */

export type Settled<T> =
  | { readonly type: "pending" }
  | { readonly type: "resolved"; readonly value: T }
  | { readonly type: "rejected"; readonly error: unknown };

export interface Watched<T> {
  readonly now: Settled<T>;
}

/** What has come of `promise` so far; a rejection counts as handled. */
export function watch<T>(promise: Promise<T>): Watched<T> {
  const watched: { now: Settled<T> } = { now: { type: "pending" } };
  promise.then(
    (value) => {
      watched.now = { type: "resolved", value };
    },
    (error: unknown) => {
      watched.now = { type: "rejected", error };
    },
  );
  return watched;
}
