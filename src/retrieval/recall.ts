/**
 * What may be remembered. A line that rests on something which its reader may not read at this moment is left out, and
 * so is every line of which that cannot be found out.
 */
import { distinctSources, type SourceRef, type SourceType, sourceKey } from "../domain/source-ref.js";
import type { Access } from "../domain/user.js";
import { type Retrieval, SearchUnavailable } from "./port.js";

/**
 * Who may read what: for each type of source a function that gives those of these ids which `access` may read at this
 * moment, or rejects with `SearchUnavailable`. What has no rule is read by nobody.
 */
export type AccessRules = { readonly [type in SourceType]?: Retrieval["readable"] };

/** The rules where there are documents alone. */
export function documentRules(retrieval: Pick<Retrieval, "readable">): AccessRules {
  return { document: (ids, access, signal) => retrieval.readable(ids, access, signal) };
}

/** The lines of which `access` may read every source, in order. Rejects only with the signal's reason. */
export async function recall<T extends { readonly sources: readonly SourceRef[] }>(
  lines: readonly T[],
  access: Access,
  rules: AccessRules,
  signal: AbortSignal,
): Promise<readonly T[]> {
  const all = distinctSources(lines.flatMap(({ sources }) => sources));
  const types = [...new Set(all.map(({ type }) => type))];
  const readable = await Promise.all(
    types.map(async (type) => {
      const some = all.filter((source) => source.type === type);
      const ids = some.map(({ id }) => id);
      const allowed = await rules[type]?.(ids, access, signal).catch(noneIfUnavailable);
      return some.filter(({ id }) => allowed?.has(id)).map(sourceKey);
    }),
  );
  const keys = new Set(readable.flat());
  return lines.filter(({ sources }) => sources.every((source) => keys.has(sourceKey(source))));
}

function noneIfUnavailable(error: unknown): ReadonlySet<string> {
  if (error instanceof SearchUnavailable) return new Set();
  throw error;
}
