/**
 * Makes documents of the reference's indices such as are written here. They had no `visibility`: a document with neither
 * list was everybody's, and so was one with an empty list, by mistake. And their text is in `semantic_text` alone, which
 * words do not search and which is not shown. What has both fields is left alone, so that a migration that was
 * interrupted goes on where it was.
 */
import { z } from "zod";
import type { Visibility } from "../../domain/passage.js";
import { type BulkAction, writeBulk } from "./bulk.js";
import type { ElasticsearchClient, estypes } from "./client.js";
import type { IndexDefinition } from "./definitions.js";
import { everyHit } from "./every-hit.js";
import type { IndexAdmin } from "./index-admin.js";
import type { ElasticsearchOptions } from "./options.js";
import { refresh } from "./revision-families.js";

export interface MigrationDeps {
  readonly client: ElasticsearchClient;
  readonly admin: IndexAdmin;
  readonly options: ElasticsearchOptions;
}

export interface MigrationRequest {
  /** The index, or an alias of one, with the fields that it should have. */
  readonly definition: IndexDefinition;
  /** Whether anything is written; otherwise it is only counted what would be. */
  readonly apply: boolean;
}

/** Why a document gets the visibility that it gets. */
export type Stamp = "open" | "granted" | "emptyList";

export interface MigrationCounts extends Readonly<Record<Stamp, number>> {
  /** Chunks that got their text from `semantic_text`. */
  readonly texts: number;
}

/** Fields that migration fills. */
const FILLED = ["visibility", "text"] as const;

/** In one answer: with each comes what an older server keeps of its meaning, some ten thousand bytes. */
const PAGE_SIZE = 100;

/** What a migration of this index is for. */
export function unmigrated({ role }: Pick<IndexDefinition, "role">): estypes.QueryDslQueryContainer {
  const without = (...fields: readonly string[]): estypes.QueryDslQueryContainer => ({
    bool: { must_not: fields.map((field) => ({ exists: { field } })) },
  });
  const textless = role === "embeddings" ? [without("text", "content")] : [];
  return { bool: { should: [without("visibility"), ...textless], minimum_should_match: 1 } };
}

const VISIBILITY: Readonly<Record<Stamp, Visibility>> = {
  open: "network",
  granted: "restricted",
  emptyList: "restricted",
};

/** Rejects with `ElasticsearchProblem`; what was written by then stays. `onProgress` is told the documents so far. */
export async function migrateIndex(
  { admin, ...deps }: MigrationDeps,
  { definition, apply }: MigrationRequest,
  onProgress: (documents: number) => void,
  signal: AbortSignal,
): Promise<MigrationCounts> {
  const { alias: index } = definition;
  if (apply) await admin.extend(definition, FILLED, signal);
  const counts: Record<Stamp | "texts", number> = { open: 0, granted: 0, emptyList: 0, texts: 0 };
  const request = {
    index,
    query: unmigrated(definition),
    // From the source: to a query an empty list looks like none.
    fields: ["visibility", "allowed_users", "allowed_groups", "text", "content", "semantic_text"],
    pageSize: PAGE_SIZE,
  };
  let documents = 0;
  for await (const page of everyHit<unknown>(deps.client, request, signal)) {
    const actions: BulkAction[] = [];
    for (const { _id, _source } of page) {
      const { stamp, text } = missingOf(_source);
      if (stamp !== undefined) counts[stamp] += 1;
      if (text !== undefined) counts.texts += 1;
      const document = {
        ...(stamp === undefined ? {} : { visibility: VISIBILITY[stamp] }),
        ...(text === undefined ? {} : { text }),
      };
      if (Object.keys(document).length > 0) actions.push({ type: "update", id: _id!, document });
    }
    if (apply) await writeBulk(deps, index, actions, signal);
    documents += page.length;
    onProgress(documents);
  }
  if (apply) await refresh(deps, [index], signal);
  return counts;
}

const semanticText = z.union([
  z.string(),
  // As servers before 8.18 store it: beside what the model made of it.
  z.object({ text: z.string() }).transform(({ text }) => text),
]);
const migrated = z.looseObject({
  visibility: z.string().nullish(),
  text: z.string().nullish(),
  content: z.string().nullish(),
  semantic_text: z
    .union([semanticText, z.array(semanticText).transform((texts) => texts.join("\n"))])
    .optional()
    .catch(undefined),
});

/** What of both fields a document lacks, and can be given. */
function missingOf(source: unknown): {
  readonly stamp: Stamp | undefined;
  readonly text: string | undefined;
} {
  const { visibility, text, content, semantic_text } = migrated.parse(source ?? {});
  return {
    stamp: typeof visibility === "string" ? undefined : stampOf(source),
    text: typeof (text ?? content) === "string" ? undefined : semantic_text,
  };
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
