/** Which resource is meant, as a value. */
import type { Resource } from "../../domain/resource.js";

export type Resolution =
  | { readonly type: "one"; readonly resource: Resource; readonly how: ResolvedBy }
  /** A list: "all pumps". In the order of the words, else of the registry. */
  | { readonly type: "several"; readonly resources: readonly Resource[] }
  /** One of these, and nothing tells which. */
  | { readonly type: "ask"; readonly between: readonly Resource[] }
  /** These words name nothing that the user may know of. */
  | { readonly type: "unknown"; readonly words: string }
  /** No resource is spoken of. */
  | { readonly type: "none" };

/** By what a resource was found: the caller's own mark, its name, part of it, its sound, or what was spoken of before. */
export type ResolvedBy = "mention" | "name" | "part" | "sound" | "context";

/** What is meant, without what is only asked between. */
export function resourcesOf(found: Resolution): readonly Resource[] {
  return found.type === "one" ? [found.resource] : found.type === "several" ? found.resources : [];
}
