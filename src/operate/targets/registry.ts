/** The resources of all sites, those that one access may know of, which is meant, and which ones a chat has dealt with. Values. */
import type { Resource } from "../../domain/resource.js";
import type { TargetContext } from "../../domain/target-context.js";
import type { Access } from "../../domain/user.js";
import { grouped } from "../../lib/grouped.js";
import { accessFingerprint, mayRead } from "../../retrieval/access.js";

/** Steps from a resource to the outermost one that it runs on. */
const DEPTH_MAX = 8;
/** Accesses whose resources are kept at once; the least recently used makes room. */
const ACCESSES_MAX = 64;

/** `{site}/{kind}/{name in the site}`. */
export const resourceId = (site: string, kind: string, name: string): string => `${site}/${kind}/${name}`;

export class Registry {
  static readonly EMPTY = new Registry(new Map());
  readonly #known = new Map<string, KnownResources>();

  private constructor(private readonly sites: ReadonlyMap<string, readonly Resource[]>) {}

  /** The registry with these as all resources of a site. */
  with(site: string, offered: readonly Resource[]): Registry {
    return new Registry(new Map([...this.sites, [site, offered]]));
  }

  /** A resource of any network: for what outlives the turn of somebody who was allowed to know of it. */
  find(id: string): Resource | undefined {
    return [...this.sites.values()].flat().find((one) => one.id === id);
  }

  /** All that this access may know of. What it gives is the same as if the others were not there. */
  knownTo(access: Access): KnownResources {
    const key = accessFingerprint(access);
    const known = this.#known.get(key) ?? this.#readable(access);
    this.#known.delete(key);
    this.#known.set(key, known);
    if (this.#known.size > ACCESSES_MAX) this.#known.delete(this.#known.keys().next().value!);
    return known;
  }

  /** Most users may know of the same: what is worked out of it once serves all of them. */
  #readable(access: Access): KnownResources {
    const all = [...this.sites.values()].flat().filter((one) => mayRead(access, one.access));
    const isSame = (own: KnownResources["all"]) =>
      own.length === all.length && own.every((one, i) => one === all[i]);
    return [...this.#known.values()].find((known) => isSame(known.all)) ?? new KnownResources(all);
  }

  /** Those of these ids that this access may know of: the rule for what is remembered (`AccessRules` in `recall.ts`). */
  readable(ids: readonly string[], access: Access): ReadonlySet<string> {
    const known = this.knownTo(access);
    return new Set(ids.filter((id) => known.byId(id) !== undefined));
  }
}

/** The resources that one access may know of. A parent that it may not know of is as good as none. */
export class KnownResources {
  readonly #byId: ReadonlyMap<string, Resource>;
  readonly #children: ReadonlyMap<string | undefined, readonly Resource[]>;

  constructor(readonly all: readonly Resource[]) {
    this.#byId = new Map(all.map((resource) => [resource.id, resource]));
    this.#children = grouped(all, ({ parent }) => parent);
  }

  byId(id: string): Resource | undefined {
    return this.#byId.get(id);
  }

  /** What is part of it, or runs on it, directly. */
  childrenOf(id: string): readonly Resource[] {
    return this.byId(id) === undefined ? [] : (this.#children.get(id) ?? []);
  }

  /** From the resource to the outermost one that it runs on. */
  chainOf(resource: Resource): readonly [Resource, ...Resource[]] {
    const chain: [Resource, ...Resource[]] = [resource];
    while (chain.length < DEPTH_MAX) {
      const parent = this.byId(chain.at(-1)!.parent ?? "");
      if (parent === undefined || chain.includes(parent)) break;
      chain.push(parent);
    }
    return chain;
  }

  /** Where it is: its own area, or that of what it runs on. */
  areaOf(resource: Resource): string | undefined {
    return this.chainOf(resource).find(({ area }) => area !== undefined)?.area;
  }

  /** Names that may be said, each once: first what each thing is called, then what else it is called, then where it is. */
  names(namesMax: number): readonly string[] {
    const first = this.all.map(({ names }) => names[0]);
    const others = this.all.flatMap(({ names }) => names.slice(1));
    const areas = this.all.flatMap(({ area = [] }) => area);
    return [...new Set([...first, ...others, ...areas])].slice(0, namesMax);
  }
}

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

/** How long a resolved resource counts since it was last used, in milliseconds. */
export const TARGET_MS_MAX = 2_700_000;
/** Resolved resources of a chat; the least recently used makes room. */
export const TARGETS_MAX = 500;
/** Turns of the user for which what was named counts, that turn included: a slow speaker loses nothing. */
const NAMED_TURNS_MAX = 3;

/** After the user said of what a turn is. What is not known, or not said, changes nothing. */
export function afterResolution(context: TargetContext, found: Resolution, nowMs: number): TargetContext {
  const { turn } = context;
  if (found.type === "ask") return { ...context, offered: { ids: found.between.map(({ id }) => id), turn } };
  const ids = resourcesOf(found).map(({ id }) => id);
  if (ids.length === 0) return context;
  const { offered: _chosen, ...rest } = afterUse(context, ids, nowMs);
  return { ...rest, named: { ids: ids.slice(0, TARGETS_MAX), turn } };
}

/** After resources were read or found without being named, one or many. */
export function afterUse(context: TargetContext, ids: readonly string[], usedMs: number): TargetContext {
  const used = new Set(ids);
  const left = context.resolved.filter((one) => !used.has(one.id) && usedMs - one.usedMs < TARGET_MS_MAX);
  return { ...context, resolved: [...left, ...[...used].map((id) => ({ id, usedMs }))].slice(-TARGETS_MAX) };
}

/** What the user speaks of, unless the conversation has moved on. */
export function spokenOf({ named, resolved, turn }: TargetContext, nowMs: number): readonly string[] {
  if (named === undefined || turn - named.turn >= NAMED_TURNS_MAX) return [];
  const isLive = (id: string) => resolved.some((one) => one.id === id && nowMs - one.usedMs < TARGET_MS_MAX);
  return named.ids.filter(isLive);
}

/** Between what the user may choose by "the second one": what was offered, or else what was named together. */
export function choices(context: TargetContext, nowMs: number): readonly string[] {
  const { offered, turn } = context;
  const isOpen = offered !== undefined && turn - offered.turn < NAMED_TURNS_MAX;
  return isOpen ? offered.ids : spokenOf(context, nowMs);
}
