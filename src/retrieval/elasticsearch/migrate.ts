/**
 * Stamps `visibility` on documents of the reference's indices, which had no such field: there, a document with neither
 * list was everybody's, and so was one with an empty list, by mistake. Documents that have the field are left alone, so
 * that a migration that was interrupted goes on where it was.
 */
import type { Visibility } from "../../domain/passage.js";
import { writeBulk } from "./bulk.js";
import type { ElasticsearchClient } from "./client.js";
import { everyHit } from "./every-hit.js";
import type { ElasticsearchOptions } from "./options.js";

export interface MigrationRequest {
  /** The index, or an alias of one. */
  readonly index: string;
  /** Whether anything is written; otherwise it is only counted what would be. */
  readonly apply: boolean;
}

/** Why a document gets the visibility that it gets. */
export type Stamp = "open" | "granted" | "emptyList";

export type MigrationCounts = Readonly<Record<Stamp, number>>;

const VISIBILITY: Readonly<Record<Stamp, Visibility>> = {
  open: "network",
  granted: "restricted",
  emptyList: "restricted",
};

/** Rejects with `ElasticsearchProblem`; what was stamped by then stays. `onProgress` is told the documents so far. */
export async function migrateVisibility(
  client: ElasticsearchClient,
  options: ElasticsearchOptions,
  { index, apply }: MigrationRequest,
  onProgress: (documents: number) => void,
  signal: AbortSignal,
): Promise<MigrationCounts> {
  if (apply) {
    const properties = { visibility: { type: "keyword" as const } };
    await client.call(
      "add a field",
      (api, call) => api.indices.putMapping({ index, properties }, call),
      signal,
    );
  }
  const target = { index, actionsMax: options.bulkDocumentsMax, attemptsMax: options.attemptsMax };
  const counts: Record<Stamp, number> = { open: 0, granted: 0, emptyList: 0 };
  const request = {
    index,
    query: { bool: { must_not: [{ exists: { field: "visibility" } }] } },
    // From the source: to a query an empty list looks like none.
    fields: ["allowed_users", "allowed_groups"],
  };
  for await (const page of everyHit<unknown>(client, request, signal)) {
    const stamps = page.map(({ _id, _source }) => ({ id: _id!, stamp: stampOf(_source) }));
    for (const { stamp } of stamps) counts[stamp] += 1;
    if (apply) {
      const actions = stamps.map(({ id, stamp }) => ({
        type: "update" as const,
        id,
        document: { visibility: VISIBILITY[stamp] },
      }));
      await writeBulk(client, target, actions, signal);
    }
    onProgress(counts.open + counts.granted + counts.emptyList);
  }
  if (apply)
    await client.call("refresh an index", (api, call) => api.indices.refresh({ index }, call), signal);
  return counts;
}

/** A list that is there grants only what it says; `null` and an empty list say nobody. */
export function stampOf(source: unknown): Stamp {
  const { allowed_users, allowed_groups } = (source ?? {}) as Readonly<Record<string, unknown>>;
  if (allowed_users === undefined && allowed_groups === undefined) return "open";
  return [allowed_users, allowed_groups].some(namesSomebody) ? "granted" : "emptyList";
}

function namesSomebody(value: unknown): boolean {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  return names.some((name) => name !== undefined && name !== null);
}
