/** Sites of tests: real servers, declared as they are offered, on the real clock. */
import { systemClock } from "../../../src/lib/clock.js";
import { systemRandom } from "../../../src/lib/random.js";
import type { McpSiteOptions } from "../../../src/sites/mcp/mcp-site.js";
import { McpSite } from "../../../src/sites/mcp/mcp-site.js";
import type { SiteOptions, ToolOptions } from "../../../src/sites/options.js";
import type { SiteReply } from "../../../src/sites/port.js";
import { RecordedEvents } from "../events.js";

export interface OpenedSite {
  readonly site: McpSite;
  readonly events: RecordedEvents;
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<SiteReply>;
}

export type Given = Partial<Omit<McpSiteOptions, "server">> & {
  readonly server: Partial<McpSiteOptions["server"]>;
};

/** Sites that are open: the tests end them. */
const open = new Set<McpSite>();

export async function closeSites(): Promise<void> {
  await Promise.all([...open].map((site) => site.close()));
  open.clear();
}

/** Opens a site, and tells with it what happens to it. */
export async function opened(given: Given): Promise<OpenedSite> {
  const events = new RecordedEvents();
  const environment = { PATH: process.env.PATH ?? "", HOME: "/srv/of-the-service" };
  const site = new McpSite(optionsOf(given), {
    clock: systemClock,
    random: systemRandom,
    telemetry: events,
    environment,
  });
  open.add(site);
  await site.start();
  const { signal } = new AbortController();
  return { site, events, call: (tool, args = {}) => site.call(tool, args, signal) };
}

/** The same with every tool declared as it is offered now, as one that reads. */
export async function declared(given: Given, change: Partial<ToolOptions> = {}): Promise<OpenedSite> {
  const { site } = await opened(given);
  const tools = site
    .status()
    .tools.map(({ name, schema }): [string, ToolOptions] => [
      name,
      { effect: "read", reads: {}, arguments: {}, kinds: [], schema, ...change } as ToolOptions,
    ]);
  await site.close();
  return opened({ ...given, tools: Object.fromEntries(tools) });
}

function optionsOf({ server, ...more }: Given): McpSiteOptions {
  const common: Omit<SiteOptions, "server"> = {
    name: "plant",
    networks: ["acme"],
    callMsMax: 5_000,
    replyBytesMax: 262_144,
    tools: {},
    resources: [],
  };
  return { ...common, ...more, server: { type: "mcp", env: {}, headers: {}, ...server } } as McpSiteOptions;
}
