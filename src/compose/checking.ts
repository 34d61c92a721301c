/** What answers "what is it right now", put together: the sites of the settings, their resources, and the capability. */
import type { KnownThing } from "../answer/introduction.js";
import type { CheckCapability } from "../capability/capability.js";
import type { Config } from "../config/schema.js";
import type { Resource } from "../domain/resource.js";
import type { Access } from "../domain/user.js";
import type { KnownWord } from "../hearing/vocabulary.js";
import { CostCeiling } from "../llm/cost-ceiling.js";
import type { Prompts } from "../llm/prompts.js";
import type { Commands } from "../locale/commands/commands.js";
import { createCheck } from "../operate/check.js";
import { Writes } from "../operate/loop/fact-memory.js";
import type { LoopDeps } from "../operate/loop/loop.js";
import { isOfWholeSite, SiteReader, wholeSite } from "../operate/safety/site-reader.js";
import type { ConfiguredSite } from "../operate/safety/site-tools.js";
import { Registry, resourceId } from "../operate/targets/registry.js";
import type { UnderstandingDeps } from "../operate/wanted.js";
import type { Retrieval } from "../retrieval/port.js";
import type { AccessRules } from "../retrieval/recall.js";
import type { McpDeps } from "../sites/mcp/mcp-site.js";
import type { SiteOptions } from "../sites/options.js";
import type { SiteResource } from "../sites/port.js";
import { loadSqlParser } from "../sites/shell/sql.js";
import { modelOf } from "./capabilities.js";
import { createDocumentRules } from "./document-rules.js";
import type { Models } from "./models.js";
import { relatedTo } from "./related.js";
import { createSites, toolsOf } from "./sites.js";
import { commandsFor, hintsFor, oneOfEachKindFirst } from "./told-names.js";

/** What checks and operations share. */
export interface CheckedSites extends Omit<UnderstandingDeps, "clock"> {
  readonly connected: readonly ConfiguredSite[];
}

export interface Checking {
  readonly sites: CheckedSites;
  readonly check: CheckCapability;
  /** Who may know of which resource. */
  readonly rules: AccessRules;
  /** Things that an access may know of, one of each kind first. */
  things(access: Access): readonly KnownThing[];
  /** Names that a recogniser is told. */
  hints(access: Access): Promise<readonly KnownWord[]>;
  /** These were written to, or are about to be: nothing that was read of them, or of what depends on them, is known. */
  invalidate(targetIds: readonly string[]): void;
  /** The templates with all names. */
  commandsFor(access: Access): Promise<Commands>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export type CheckingDeps = McpDeps & {
  readonly prompts: Prompts;
  readonly models: Models;
  readonly retrieval: Retrieval;
};

/** Throws `UsageProblem`. */
export function createChecking(config: Config, deps: CheckingDeps): Checking {
  const { routing, sites: options } = config;
  const sites = createSites(options, deps);
  const connected = options.map((one) => ({
    options: { ...one, tools: toolsOf(one) },
    site: sites.get(one.name)!,
  }));
  const registry = new SiteRegistry(connected);
  const reader = new SiteReader(connected, deps);
  const route = routing.routes.find(({ capability }) => capability === "check")?.name ?? "check";
  const writes = new Writes(deps.clock);
  const byModel = modelCheckOf(config, writes, deps);
  const { clock } = deps;
  const shared: CheckedSites = {
    connected,
    reader,
    registry: () => registry.current,
    commandsFor,
  };
  return {
    sites: shared,
    check: createCheck({ ...shared, clock, route, byModel, rules: createDocumentRules(deps) }),
    rules: { resource: async (ids, access) => registry.readable(ids, access) },
    hints: (access) => hintsFor(registry.current.knownTo(access)),
    invalidate: (ids) => writes.invalidate(relatedTo(ids, registry.resources)),
    commandsFor: (access) => commandsFor(registry.current.knownTo(access)),
    things: (access) => oneOfEachKindFirst(registry.current.knownTo(access).all),
    start: async () => {
      await Promise.all([loadSqlParser(), ...[...sites.values()].map((site) => site.start())]);
    },
    close: async () => void (await Promise.all([...sites.values()].map((site) => site.close()))),
  };
}

/** Who reads what no template does: the main model, within what a network may spend on a day. */
function modelCheckOf(
  { llm }: Config,
  writes: Writes,
  { clock, models, prompts, random }: CheckingDeps,
): LoopDeps | undefined {
  if (models.main === undefined) return undefined;
  const model = { ...modelOf(models.main, random), clock };
  const { outputTokensMax } = models.main;
  const ceiling = new CostCeiling(
    () => llm.checkUsdPerDay,
    () => clock.now(),
  );
  return { model, outputTokensMax, prompts, ceiling, writes };
}

/** The registry of what is configured and what the sites tell of by themselves now. */
class SiteRegistry {
  #registry = Registry.EMPTY;
  readonly #told = new Map<string, unknown>();
  readonly #resources = new Map<string, readonly Resource[]>();

  constructor(private readonly sites: readonly ConfiguredSite[]) {}

  get current(): Registry {
    for (const { options, site } of this.sites) {
      const told = site.resources?.();
      if (this.#told.has(options.name) && this.#told.get(options.name) === told) continue;
      this.#told.set(options.name, told);
      const resources = options.networks.flatMap((network) => resourcesOf(options, told ?? [], network));
      this.#resources.set(options.name, resources);
      this.#registry = this.#registry.with(options.name, resources);
    }
    return this.#registry;
  }

  get resources(): readonly Resource[] {
    return this.current && [...this.#resources.values()].flat();
  }

  readable(ids: readonly string[], access: Access): ReadonlySet<string> {
    const known = this.current.readable(ids, access);
    const whole = this.sites
      .filter(({ options }) => !access.kiosk && options.networks.includes(access.network))
      .map(({ options }) => wholeSite(options.name));
    const isOfSite = (id: string) => isOfWholeSite(id) && whole.some((site) => id.startsWith(site));
    return new Set(ids.filter((id) => known.has(id) || isOfSite(id)));
  }
}

type ResourceOptions = SiteOptions["resources"][number];
type Names = Resource["names"];

/** What a site tells of by itself is kept from nobody who may ask it. */
const OPEN = { visibility: "network", users: [], groups: [] } as const;

function resourcesOf(
  { name: site, resources, tools }: SiteOptions,
  told: readonly SiteResource[],
  network: string,
): readonly Resource[] {
  const resource = (
    one: Omit<Resource, "id" | "site" | "access">,
    { groups, users, visibility }: Pick<ResourceOptions, "groups" | "users" | "visibility"> = OPEN,
  ): Resource => ({
    ...one,
    ...{ id: resourceId(site, one.kind, one.address), site },
    access: { network, visibility, allowedUsers: users, allowedGroups: groups },
  });
  const configured = resources.map(({ groups, names, parent, users, visibility, ...one }) => {
    const own = { ...one, names: names as Names, parent: parent && `${site}/${parent}` };
    return resource(own, { groups, users, visibility });
  });
  const ids = new Set(configured.map(({ id }) => id));
  const kinds = new Set(Object.values(tools).flatMap((tool) => tool.kinds));
  // Of a package nothing can be read: its name would only stand in the way of others.
  const readable = told.filter(({ kind }) => kinds.has(kind));
  const found = readable.map((one) => resource({ ...one, names: one.names as Names, paths: [] }));
  return [...configured, ...found.filter(({ id }) => !ids.has(id))];
}
