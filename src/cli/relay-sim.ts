/** `readback relay-sim`: plays a scenario of many users against a service, and says what was wrong with it. */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { loadConfig } from "../config/load.js";
import { systemClock } from "../lib/clock.js";
import type { ListenAddress } from "../lib/listen.js";
import { scaledClock } from "../lib/scaled-clock.js";
import { measure } from "../sim/measures.js";
import { measureOperations } from "../sim/operations.js";
import { planOf, type ScenarioPlan } from "../sim/plan.js";
import { readScenario, ScenarioProblem } from "../sim/read-scenario.js";
import { isGood, type Report, reportJson, reportText } from "../sim/report.js";
import { type RunObservations, type SimulationDeps, simulate } from "../sim/run.js";
import { type Scenario, SPEED_MAX } from "../sim/scenario.js";
import { affordableSpeed, voiceSpeedOf } from "../sim/speed.js";
import { Utterances } from "../sim/voice.js";
import { ProgressLine, say, sayWritten } from "./output.js";
import { ownToken } from "./own-token.js";
import { relayAddress } from "./relay-address.js";
import { withMouth } from "./relay-sim-mouth.js";
import { type Served, type ServiceRequest, withService } from "./relay-sim-service.js";
import { type TlsFlags, tlsOf, withTlsOptions } from "./relay-tls.js";

interface SimFlags extends TlsFlags {
  readonly server?: ListenAddress;
  readonly speed?: number;
  readonly seed?: number;
  readonly model?: string;
  readonly json?: true;
}

export function relaySimCommand(signal: AbortSignal): Command {
  return withTlsOptions(new Command("relay-sim"))
    .argument("<scenario...>", "who says what when, and expects what: YAML, such as examples/shift.yaml")
    .option(
      "--server <host:port>",
      "a running service, in real time; unless given, one is started here, offline",
      relayAddress,
    )
    .option(
      "--speed <times>",
      "exactly so many times as fast as the clock; unless given, at most as the scenario says",
      speed,
    )
    .option(
      "--seed <number>",
      "of everything that is left to chance; the scenario says unless given",
      wholeNumber,
    )
    .option(
      "--model <url>",
      "an OpenAI API that the service which is started here asks; unless given, it has no model",
    )
    .option("--json", "print the whole result as JSON")
    .addHelpText("after", "\nThe exit code is 1 when a rule was violated or an expectation was not met.")
    .action(async (files: readonly string[], flags: SimFlags) => {
      for (const file of files) await run(file, flags, signal);
    });
}

async function run(file: string, flags: SimFlags, signal: AbortSignal): Promise<void> {
  const scenario = readScenario(await contentOf(file), file);
  const report = await play(scenario, resolve(dirname(file)), flags, signal);
  if (flags.json === true) sayWritten(reportJson(report));
  else say(...reportText(report).split("\n"));
  if (!isGood(report)) process.exitCode = 1;
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new ScenarioProblem(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** `folder`: where the scenario's files and folders are looked for. */
async function play(
  scenario: Scenario,
  folder: string,
  flags: SimFlags,
  signal: AbortSignal,
): Promise<Report> {
  const { server } = flags;
  const seed = flags.seed ?? scenario.seed;
  const askedSpeed = flags.speed ?? (server === undefined ? scenario.speed : 1);
  if (server !== undefined && askedSpeed !== 1)
    throw new ScenarioProblem("A running service keeps its own time: with --server the speed is 1.");
  const tls = tlsOf(flags);
  if (tls !== undefined && server === undefined)
    throw new ScenarioProblem(
      "The service that is started here speaks no TLS: name a running one with --server.",
    );
  const plan = planOf(scenario, seed);
  const { utterances, voiceSpeed } = await withMouth(systemClock, folder, signal, async (mouth) => ({
    utterances: await Utterances.prepare(plan, mouth),
    voiceSpeed: askedSpeed === 1 ? 1 : await voiceSpeedOf(mouth, systemClock),
  }));
  const speedUp = flags.speed ?? affordableSpeed(plan, voiceSpeed, askedSpeed);
  const clock = speedUp === 1 ? systemClock : scaledClock(systemClock, speedUp);
  const deps = { clock, speed: speedUp, utterances, seed, ...progress(plan) };
  const against = (
    service: Pick<SimulationDeps, "address" | "repeatable" | "token" | "service">,
  ): Promise<RunObservations> => simulate(plan, scenario, { ...deps, ...service }, signal);
  const networks = [...new Set(plan.users.map(({ network }) => network))];
  const token = server && (await ownToken(loadConfig().config.relay, networks));
  const own = { ...serviceOf(scenario, plan, folder, flags.model), clock };
  const { result: seen, ledger }: Served<RunObservations> = server
    ? { result: await against({ address: { ...server, tls }, repeatable: false, token }) }
    : await withService(own, signal, (address, service) => against({ address, repeatable: true, service }));
  return {
    title: scenario.title,
    users: plan.users.length,
    relays: Object.keys(scenario.relays).length,
    speed: speedUp,
    askedSpeed,
    seed,
    measures: measure(seen, scenario.speech_recognition),
    operations: ledger && measureOperations(ledger, plan.users, seen.exchanges),
    seen,
  };
}

/** What the service is started with. */
function serviceOf(
  { documents, guides, settings, sites }: Scenario,
  plan: ScenarioPlan,
  folder: string,
  model: string | undefined,
): Omit<ServiceRequest, "clock"> {
  const steps = plan.users.flatMap(({ activities }) => activities.flatMap((one) => one.steps));
  const folders = Object.entries(documents).map(
    ([network, path]) => [network, resolve(folder, path)] as const,
  );
  return {
    documents: Object.fromEntries(folders),
    guides: Object.fromEntries(
      Object.entries(guides).map(([network, files]) => [network, files.map((one) => resolve(folder, one))]),
    ),
    settings: { ...settings, ...(model !== undefined && modelAt(model)) },
    sites: sites && { ...sites, file: resolve(folder, sites.file) },
    isMortal: steps.some(({ action }) => action.type === "do" && action.command === "kill_service"),
  };
}

/** Such a server wants a key, and takes any. */
function modelAt(url: string) {
  return { "llm.provider": "openai", "llm.base_url": url, "llm.api_key": "simulated" };
}

/** Lines that are printed of a run where nobody sees one that is drawn over. */
const PROGRESS_LINES = 10;

function progress({ durationMs }: ScenarioPlan): { onProgress: (elapsedMs: number) => void } {
  const line = new ProgressLine();
  return {
    onProgress: (elapsedMs) => {
      if (elapsedMs >= durationMs) return line.clear();
      const text = `${Math.round(elapsedMs / 1_000)} s of ${Math.round(durationMs / 1_000)} s`;
      line.show(text, Math.floor((PROGRESS_LINES * elapsedMs) / durationMs));
    },
  };
}

function speed(text: string): number {
  const times = wholeNumber(text);
  if (times < 1 || times > SPEED_MAX) throw new InvalidArgumentError(`Expected 1 to ${SPEED_MAX}.`);
  return times;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}
