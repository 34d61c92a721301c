/** `readback sites`: the systems of the sites as their operator sees them: what may be asked, why not, and a try. */
import { Command } from "commander";
import { createSites, toolsOf } from "../compose/sites.js";
import { childEnvironment, type LoadedConfig, loadConfig } from "../config/load.js";
import { systemClock } from "../lib/clock.js";
import { columns } from "../lib/columns.js";
import { abortable } from "../lib/deadline.js";
import { systemRandom } from "../lib/random.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { refuseWrites } from "../operate/safety/site-reader.js";
import type { SiteOptions } from "../sites/options.js";
import type { Site } from "../sites/port.js";
import { isOld, READING_PROBLEMS, readingsOf } from "../sites/readings.js";
import { loadSqlParser } from "../sites/shell/sql.js";
import { complain, say } from "./output.js";

export function sitesCommand(signal: AbortSignal): Command {
  return new Command("sites")
    .addCommand(
      new Command("list")
        .description("Connect all sites, and show each tool: whether it may be called, and why not")
        .option("--declare", "print the tools as the settings would declare what is offered now")
        .action(({ declare }: { declare?: true }) => list(declare === true, signal)),
    )
    .addCommand(
      new Command("try")
        .description("Call one tool that reads, and show its readings")
        .argument("<site>", "name of the site")
        .argument("<tool>", "name of the tool, as its system has it")
        .option("--target <address>", "address of the resource")
        .action((site: string, tool: string, { target }: { target?: string }) =>
          tryTool(site, tool, target, signal),
        ),
    );
}

async function list(declare: boolean, signal: AbortSignal): Promise<void> {
  const { config, file } = loadConfig();
  if (config.sites.length === 0)
    return complain("There are no sites: see sites in readback config --reference.");
  await withSites(config.sites, signal, async (sites) => {
    for (const [at, options] of config.sites.entries()) {
      const site = sites.get(options.name)!;
      const { error, state } = site.status();
      if (state !== "connected") process.exitCode = 1;
      say(`${options.name}  ${state}${error === undefined ? "" : `: ${error}`}`);
      if (declare) say(...declaration(site, file.sites[at]!));
      else say(...toolLines(site, options));
    }
  });
}

function toolLines(site: Site, options: SiteOptions): readonly string[] {
  const tools = toolsOf(options);
  const rows = site
    .status()
    .tools.map(({ isOn, name, reason = "", schema = "-" }) => [
      isOn ? "  on" : "  off",
      name,
      tools[name]?.effect ?? "-",
      schema,
      reason,
    ]);
  return rows.length === 0 ? ["  no tools"] : columns(rows);
}

/** What to paste for `tools`: an effect that is not known has to be chosen before the settings are taken. */
function declaration(site: Site, { tools }: LoadedConfig["file"]["sites"][number]): readonly string[] {
  const declared = site.status().tools.flatMap(({ name, schema }): [string, object][] => {
    if (schema === undefined) return [];
    const known = tools[name] ?? { effect: "read | reversible | disruptive | irreversible", reads: {} };
    return [[name, { ...known, schema }]];
  });
  return `"tools": ${JSON.stringify(Object.fromEntries(declared), undefined, 2)}`.split("\n");
}

async function tryTool(
  siteName: string,
  toolName: string,
  target: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { config } = loadConfig();
  const options = config.sites.find(({ name }) => name === siteName);
  if (options === undefined) throw new UsageProblem(`There is no site ${siteName} in the settings.`);
  const tool = toolsOf(options)[toolName];
  if (tool?.effect !== "read")
    throw new UsageProblem(`${toolName} is no tool of ${siteName} that the settings say reads.`);
  if ((tool.target === undefined) !== (target === undefined))
    throw new UsageProblem(`${toolName} takes ${tool.target === undefined ? "no" : "a"} --target.`);
  const args = { ...tool.arguments, ...(tool.target !== undefined && { [tool.target]: target }) };
  await loadSqlParser();
  refuseWrites(tool, args);
  await withSites([options], signal, async (sites) => {
    const reply = await sites.get(siteName)!.call(toolName, args, signal);
    const targetOf = (name: string | undefined) => name ?? target ?? siteName;
    const context = { tool: `${siteName}.${toolName}`, reads: tool.reads, targetOf };
    const { problems, readings } = readingsOf(reply, context);
    const rows = readings.map((reading) => {
      const ageS = Math.round((reply.takenAtMs - reading.takenAtMs) / 1_000);
      const old = isOld(reading, tool.reads[reading.signal]!, reply.takenAtMs) ? ", old" : "";
      return [
        reading.target,
        reading.signal,
        [reading.value, reading.unit].join(" ").trim(),
        `${ageS} s ago${old}`,
      ];
    });
    if (rows.length > 0) say(...columns(rows));
    for (const { code, signal: what, target: of = siteName } of problems)
      say(`${of}  ${what}  no reading: ${READING_PROBLEMS[code]}`);
    if (rows.length === 0) process.exitCode = 1;
  });
}

/** Connects the sites, works with them, and closes them whatever comes of it. */
async function withSites(
  options: readonly SiteOptions[],
  signal: AbortSignal,
  work: (sites: ReadonlyMap<string, Site>) => Promise<void>,
): Promise<void> {
  const sites = createSites(options, {
    clock: systemClock,
    random: systemRandom,
    telemetry: { emit: () => undefined },
    environment: childEnvironment(),
  });
  const all = [...sites.values()];
  try {
    await abortable(Promise.all(all.map((site) => site.start())), signal);
    await work(sites);
  } finally {
    await Promise.all(all.map((site) => site.close()));
  }
}
