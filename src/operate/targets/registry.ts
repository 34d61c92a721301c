/** All resources of all sites, and those that one access may know of. Values. */
import type { Resource } from "../../domain/resource.js";
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
