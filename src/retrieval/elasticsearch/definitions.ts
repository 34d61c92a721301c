/**
 * The indices as `deploy/elasticsearch/` defines them, with what the settings have a say in: names, the inference
 * endpoint, the length of vectors. What is documented there is what is made.
 */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { LayoutUnknown } from "../../lib/layouts.js";
import { shippedPath } from "../../lib/shipped-files.js";
import type { estypes } from "./client.js";
import type { ElasticsearchOptions } from "./options.js";

/**
 * The layout that stands in the mapping's `_meta`, raised whenever documents have to be written anew; 0 is that of the
 * reference's indices. What leads to the newest one: `index create` adds fields, `index migrate` the values that
 * documents lack, `index rebuild` writes the documents anew.
 */
const NEWEST_LAYOUT = 1;

export type IndexRole = "embeddings" | "metadata" | "sync";

export interface IndexDefinition {
  readonly role: IndexRole;
  /** The name that everybody uses: an alias of `<alias>-v<n>`. */
  readonly alias: string;
  readonly mappings: estypes.MappingTypeMapping;
}

/** What the vectors are made with. */
export interface VectorSettings {
  readonly dimensions: number;
  /** The name of the embedder, such as `text-embedding-3-small/256`; absent where none is configured. */
  readonly embedder?: string;
}

const FILES: Readonly<Record<IndexRole, string>> = {
  embeddings: "document-embeddings.json",
  metadata: "document-metadata.json",
  sync: "document-sync.json",
};

const definitionFile = z.strictObject({
  mappings: z.looseObject({
    _meta: z.looseObject({ schema_version: z.literal(NEWEST_LAYOUT) }),
    properties: z.record(z.string(), z.looseObject({ type: z.string() })),
  }),
});

/** The three indices. Rejects when a file of the installation is missing or damaged. */
export function indexDefinitions(
  options: ElasticsearchOptions,
  vectors: VectorSettings,
): Promise<readonly IndexDefinition[]> {
  const aliases: readonly (readonly [IndexRole, string])[] = [
    ["embeddings", options.embeddingsIndex],
    ["metadata", options.metadataIndex],
    ["sync", options.syncIndex],
  ];
  return Promise.all(
    aliases.map(async ([role, alias]) => {
      const text = await readFile(shippedPath(`deploy/elasticsearch/${FILES[role]}`), "utf8");
      const { mappings } = definitionFile.parse(JSON.parse(text));
      if (role === "embeddings") {
        mappings.properties.semantic_text = {
          ...mappings.properties.semantic_text!,
          inference_id: options.inferenceId,
        };
        mappings.properties.embedding = { ...mappings.properties.embedding!, dims: vectors.dimensions };
        mappings._meta = {
          ...mappings._meta,
          ...(vectors.embedder === undefined ? {} : { embedder: vectors.embedder }),
        };
      }
      // The files are written by us and checked by tests; their form is the server's to judge.
      return { role, alias, mappings: mappings as estypes.MappingTypeMapping };
    }),
  );
}

/** How a mapping differs from its definition: fields to add, and words on those that cannot be changed. */
export interface MappingDifference {
  readonly missing: Record<string, estypes.MappingProperty>;
  readonly conflicts: readonly string[];
  /** The stored vectors are of another length or embedder, and of no use. */
  readonly vectorsDiffer: boolean;
}

/** Compares the fields by type, and vectors by length. Throws `LayoutUnknown` where a later release made the mapping. */
export function compareMappings(
  wanted: estypes.MappingTypeMapping,
  stored: estypes.MappingTypeMapping,
): MappingDifference {
  const layout = Number(stored._meta?.schema_version ?? 0);
  if (layout > NEWEST_LAYOUT) throw new LayoutUnknown(layout, 0, NEWEST_LAYOUT);
  const missing: Record<string, estypes.MappingProperty> = {};
  const conflicts: string[] = [];
  const fieldsWithConflicts = new Set<string>();
  for (const [field, property] of Object.entries(wanted.properties ?? {})) {
    const present = stored.properties?.[field];
    if (present === undefined) missing[field] = property;
    else if (sortOf(present) !== sortOf(property)) {
      fieldsWithConflicts.add(field);
      conflicts.push(`the field ${field} is ${sortOf(present)}, not ${sortOf(property)}`);
    }
  }
  const [embedder, storedEmbedder] = [wanted._meta?.embedder, stored._meta?.embedder];
  const otherEmbedder = embedder !== undefined && storedEmbedder !== undefined && embedder !== storedEmbedder;
  if (otherEmbedder) {
    conflicts.push(`the vectors are those of ${String(storedEmbedder)}, not of ${String(embedder)}`);
  }
  const vectorsDiffer = otherEmbedder || fieldsWithConflicts.has("embedding");
  return { missing, conflicts, vectorsDiffer };
}

/** Left out by servers where it is the default. */
function sortOf(property: estypes.MappingProperty): string {
  const type = property.type ?? "object";
  if (type === "dense_vector" && "dims" in property) return `${type} of ${property.dims ?? "any"} dimensions`;
  if (type === "semantic_text" && "inference_id" in property) return `${type} of ${property.inference_id}`;
  return type;
}
