/** The only way to a tool of a site that reads. What comes back is readings, problems, or a failure. */
import type { Resource } from "../../domain/resource.js";
import type { Access } from "../../domain/user.js";
import type { ReadingToolOptions } from "../../sites/options.js";
import { type SiteArguments, SiteFailure } from "../../sites/port.js";
import { readingsOf } from "../../sites/readings.js";
import { judgeCommand } from "../../sites/shell/judge.js";
import type { KnownResources } from "../targets/registry.js";
import { isFor } from "./acting.js";
import { type ConfiguredSite, type SiteTool, SiteTools, toolsOn } from "./site-tools.js";

/** A tool that reads and may be called now. */
export type ReadingTool = SiteTool<ReadingToolOptions>;

/** One call: of a tool, about a resource or about the whole site. */
export interface ReadCall {
  readonly tool: ReadingTool;
  readonly resource?: Resource | undefined;
}

/** With a failure nothing was read. */
export interface SiteReadResult extends ReturnType<typeof readingsOf> {
  readonly call: ReadCall;
  readonly ms: number;
  readonly failure?: SiteFailure;
}

/** UTF-16 units of what changes rarely about one site, in a prompt. */
const STEADY_CHARS_MAX = 4_000;

export class SiteReader extends SiteTools {
  /** The tools that read and are on, of the sites that this access may ask. A kiosk asks about what it is granted only. */
  toolsFor({ kiosk, network }: Access): readonly ReadingTool[] {
    const tools = this.sitesOf(network).flatMap(toolsOn).filter(isReading);
    return kiosk ? tools.filter((tool) => !isOfSite(tool)) : tools;
  }

  /** Names of everything that those sites are there to tell, whether they can now or not. */
  signalsFor({ network }: Access): readonly string[] {
    const tools = this.sitesOf(network).flatMap(({ options }) => Object.values(options.tools));
    return [...new Set(tools.flatMap((tool) => (tool.effect === "read" ? Object.keys(tool.reads) : [])))];
  }

  /** Names of the sites that are a machine, for whom may ask about all of it. */
  machinesFor({ kiosk, network }: Access): readonly string[] {
    const sites = kiosk ? [] : this.sitesOf(network);
    return sites.flatMap(({ options }) => (options.server.type === "host" ? options.name : []));
  }

  /** A process of a machine, which no list has, by its name, where nothing of the machine is kept from anybody. */
  unlisted(name: string, { kiosk, network }: Access): Resource | undefined {
    const open = this.sitesOf(network).filter(isOpen);
    const machine = open.find(({ options }) => options.server.type === "host")?.options.name;
    if (kiosk || machine === undefined || !/^[a-z][\w.-]{0,63}$/i.test(name)) return undefined;
    const access = { network, visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
    const about = { site: machine, kind: "service", address: name.toLowerCase(), paths: [], access };
    return { id: `${wholeSite(machine)}${about.address}`, names: [name], ...about };
  }

  /** What changes rarely of the sites that this access may ask, for a prompt: of those of which all may be told. */
  steadyState({ kiosk, network }: Access): string {
    const open = kiosk ? [] : this.sitesOf(network).filter(isOpen);
    return open.flatMap(({ site }) => site.steadyState?.text(STEADY_CHARS_MAX) ?? []).join("\n");
  }

  /** Rejects only with the signal's reason. `known`: what the values of the reply may be about. */
  async read(call: ReadCall, known: KnownResources, signal: AbortSignal): Promise<SiteReadResult> {
    const { resource, tool } = call;
    const { arguments: fixed, reads, target } = tool.options;
    const args = target && resource ? { ...fixed, [target]: resource.address } : fixed;
    const { name: site, server } = this.site(tool.site)!.options;
    // A name that the reply has is one of a resource that may be known of, or, of the machine itself, of a part of it.
    const targetOf = (name: string | undefined, read: string) => {
      const isNamed = (one: Resource) => one.address === name || one.names.some((called) => called === name);
      const own = name === undefined ? resource : known.all.find((one) => one.site === site && isNamed(one));
      if (own !== undefined) return own.allowed?.includes(read) === false ? undefined : own.id;
      return name === undefined || server.type === "host" ? `${wholeSite(site)}${name ?? ""}` : undefined;
    };
    const startMs = this.deps.clock.monotonic();
    const ms = () => this.deps.clock.monotonic() - startMs;
    try {
      refuseWrites(tool.options, args);
      if (resource && !isFor(tool, resource)) throw new SiteFailure("NOT_FOUND", "it has no such thing");
      const reply = await this.call(tool, args, signal);
      const { problems, readings } = readingsOf(reply, { tool: tool.id, reads, targetOf });
      // That there is something which may not be told of is not told either.
      const told = problems.filter(({ code }) => code !== "unknown_target");
      return { call, ms: ms(), readings, problems: told };
    } catch (error) {
      signal.throwIfAborted();
      const failure = SiteFailure.of(error, "EXECUTION_FAILED");
      return { call, ms: ms(), readings: [], problems: [], failure };
    }
  }
}

/** The pseudo resource that whole sites are: values of the machine, or of all of a plant. */
export const wholeSite = (site: string): string => `${site}/`;

/** Whether an id is no resource's: that of a whole site, or of a part of a machine such as `host//boot`. */
export const isOfWholeSite = (id: string): boolean => !/^[^/]+\/[^/]+\//.test(id);

/** Whether nothing that the settings name there is kept from anybody: what is told of all of a machine names it, too. */
function isOpen({ options }: ConfiguredSite): boolean {
  return options.resources.every(({ visibility }) => visibility === "network");
}

export const isReading = (tool: SiteTool): tool is ReadingTool => tool.options.effect === "read";

/** A tool that takes a shell command reads only where the command does. Throws `SiteFailure`. */
export function refuseWrites({ command }: Pick<ReadingToolOptions, "command">, args: SiteArguments): void {
  if (command === undefined) return;
  const { effect, why } = judgeCommand(String(args[command] ?? ""));
  if (effect === "write") throw new SiteFailure("POLICY_BLOCKED", why);
}

export const READS_AT_ONCE = 4;
/** Tools that are asked for one signal of one thing: two that differ are told apart. */
const WITNESSES_MAX = 2;

/** All calls that would tell it. */
export function readsFor(asked: readonly string[], all: readonly Resource[], tools: readonly ReadingTool[]) {
  const tells = ({ reads }: ReadingToolOptions) => asked.some((signal) => Object.hasOwn(reads, signal));
  const telling = tools.filter(({ options }) => tells(options));
  if (all.length === 0) return telling.filter(isOfSite).map((tool): ReadCall => ({ tool }));
  const calls = all.flatMap((resource) => callsFor(resource, asked, telling));
  return [...new Map(calls.map((call) => [`${call.tool.id} ${call.resource?.id}`, call])).values()];
}

/** A thing is asked by its own tools, or else by one that lists things. */
function callsFor(resource: Resource, asked: readonly string[], telling: readonly ReadingTool[]): ReadCall[] {
  const { allowed = asked } = resource;
  const may = (signal: string) => asked.includes(signal) && allowed.includes(signal);
  const own = telling.filter((tool) => isFor(tool, resource) && Object.keys(tool.options.reads).some(may));
  const targeted = own.filter((tool) => !isOfSite(tool)).slice(0, WITNESSES_MAX);
  if (targeted.length > 0) return targeted.map((tool) => ({ tool, resource }));
  // Its values have names of their own.
  const list = own.find(({ options }) => Object.values(options.reads).some(({ name }) => name !== undefined));
  return list === undefined ? [] : [{ tool: list }];
}

const isOfSite = ({ options }: ReadingTool): boolean => options.target === undefined;
