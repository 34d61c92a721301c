/** Orders to the example plant, by its settings alone: nothing is asked or done. */
import { fileURLToPath } from "node:url";
import { loadConfig } from "../../src/config/load.js";
import type { Resource } from "../../src/domain/resource.js";
import { NO_TARGETS, type TargetContext } from "../../src/domain/target-context.js";
import type { Access } from "../../src/domain/user.js";
import { atOnce } from "../../src/lib/steps.js";
import { type Order, type OrderFrom, orderIn } from "../../src/operate/orders/order.js";
import { SiteReader } from "../../src/operate/safety/site-reader.js";
import { GuardedSiteWriter } from "../../src/operate/safety/site-writer.js";
import { Registry, resourceId } from "../../src/operate/targets/registry.js";
import { commands } from "../../src/routing/commands.js";
import { type Site, SiteFailure } from "../../src/sites/port.js";
import { RecordedEvents } from "./events.js";
import { english } from "./locales.js";
import { VirtualClock } from "./virtual-clock.js";

const SETTINGS = fileURLToPath(new URL("../../examples/site/settings.json", import.meta.url));
export const { config: EXAMPLE } = loadConfig({ READBACK_CONFIG: SETTINGS });
const [plant] = EXAMPLE.sites as readonly [(typeof EXAMPLE.sites)[0]];

export const ANN: Access = { network: "acme", username: "ann", groups: [], kiosk: false };

/** The plant, and what its tools answered last; each call that came through. */
export class FakePlant implements Site {
  readonly calls: (readonly [tool: string, args: object])[] = [];
  state: "connected" | "failed" = "connected";
  /** Unix milliseconds of a reply. */
  nowMs = 0;
  /** By tool: what it answers, or throws. */
  readonly replies: Record<string, unknown> = {};
  async start() {}
  async close() {}
  status() {
    return { state: this.state, tools: Object.keys(plant.tools).map((name) => ({ name, isOn: true })) };
  }
  async call(tool: string, args: Readonly<Record<string, unknown>>) {
    this.calls.push([tool, args]);
    const reply = this.replies[tool] ?? new SiteFailure("NOT_FOUND", "no reply was planned");
    if (reply instanceof Error) throw reply;
    return { content: typeof reply === "function" ? await reply(args) : reply, takenAtMs: this.nowMs };
  }
}

/** All that the settings name, changed by `more` where it is this thing. */
export function exampleRegistry(more: Readonly<Record<string, Partial<Resource>>> = {}): Registry {
  const resources = plant.resources.map((one): Resource => {
    const { address, area, groups, kind, names, parent, users, visibility, lifeSafety, lockedOut } = one;
    return {
      ...{ id: resourceId("plant", kind, address), site: "plant", kind, address, paths: [] },
      ...{ names: names as readonly [string, ...string[]], lifeSafety, lockedOut },
      ...(area === undefined ? {} : { area }),
      ...(parent === undefined ? {} : { parent: `plant/${parent}` }),
      access: { network: "acme", visibility, allowedUsers: users, allowedGroups: groups },
      ...more[address],
    };
  });
  return Registry.EMPTY.with("plant", resources);
}

export interface ExampleWriter {
  /** Whether tools take an idempotency key, as they do unless given. */
  readonly takesKeys?: boolean;
  readonly site?: FakePlant;
  readonly registry?: Registry;
  readonly offFile?: string;
  readonly mode?: "off" | "dry_run" | "on";
  /** A site that stands before the plant in the settings, with the same tools. */
  readonly rival?: FakePlant;
}

export function exampleWriter({
  takesKeys = true,
  site = new FakePlant(),
  registry = exampleRegistry(),
  rival,
  ...more
}: ExampleWriter = {}) {
  const clock = new VirtualClock();
  site.nowMs = clock.now();
  const keyless = Object.entries(plant.tools).map(([name, tool]) => [
    name,
    { ...tool, keyArgument: undefined },
  ]);
  const options = takesKeys ? plant : { ...plant, tools: Object.fromEntries(keyless) };
  const others = rival === undefined ? [] : [{ options: { ...options, name: "rival" }, site: rival }];
  const sites = [...others, { options, site }];
  const telemetry = new RecordedEvents();
  const reader = new SiteReader(sites, { clock, telemetry });
  const deps = {
    clock,
    telemetry,
    reader,
    registry: () => registry,
    mode: "on",
    offFile: "/nonexistent/off",
    ...more,
  } as const;
  return { clock, site, writer: new GuardedSiteWriter(sites, deps) };
}

const commandsOf = new WeakMap<object, typeof commands>();

export function exampleOrder(
  question: string,
  {
    access = ANN,
    context = NO_TARGETS,
    registry = REGISTRY,
    ...more
  }: Partial<OrderFrom> & {
    access?: Access;
    context?: TargetContext;
    registry?: Registry;
  } = {},
): Order | { readonly type: "not_an_order" } {
  const known = registry.knownTo(access);
  const told = commandsOf.get(known) ?? atOnce(commands.with("equipment", known.names(5_000)));
  commandsOf.set(known, told);
  const actingTools = exampleWriter({ registry }).writer.toolsFor(access);
  const from = { question, mentions: [], commands: told, known, context, actingTools };
  const usual = { levels: EXAMPLE.operate.levels, isOff: false, locale: english, nowMs: 0 };
  return atOnce(orderIn({ ...from, ...usual, ...more })) ?? { type: "not_an_order" };
}

const REGISTRY = exampleRegistry();
