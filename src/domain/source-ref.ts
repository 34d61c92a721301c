/** What a line of a dialogue, or an answer, came from: a document, a resource of a site, a guide. Pure. */

export type SourceType = "document" | "resource" | "guide";

/** One source, as a value that can be written down. Each type has a rule of its own of who may know of it. */
export interface SourceRef {
  readonly type: SourceType;
  readonly id: string;
}

/** The same text for the same source, and for no other. */
export function sourceKey({ id, type }: SourceRef): string {
  return `${type} ${id}`;
}

/** Each source once, in the order in which they came first. */
export function distinctSources(sources: readonly SourceRef[]): readonly SourceRef[] {
  return [...new Map(sources.map((source) => [sourceKey(source), source])).values()];
}

/** The resources with these ids, as sources. */
export function resourceSources(ids: readonly string[]): readonly SourceRef[] {
  return distinctSources(ids.map((id) => ({ type: "resource", id })));
}

/** The documents with these ids, as sources. */
export function documentSources(ids: readonly string[]): readonly SourceRef[] {
  return ids.map((id) => ({ type: "document", id }));
}
