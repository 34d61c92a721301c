/** `readback dead-letters`: what could not be ingested, why, and another try at it. */
import { Command } from "commander";
import { withIngestion } from "../compose/ingestion.js";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { systemClock } from "../lib/clock.js";
import { grouped } from "../lib/grouped.js";
import type { DeadLetter } from "../store/dead-letters.js";
import { type DeadLetters, openDeadLetters } from "../store/embedded-dead-letters.js";
import { ingestTold } from "./ingest-told.js";
import { complain, say } from "./output.js";

interface NetworkFlag {
  readonly network?: string;
}

export function deadLettersCommand(signal: AbortSignal): Command {
  const withNetwork = (command: Command) =>
    command.option("--network <name>", "this network's only; otherwise those of all networks");
  return new Command("dead-letters")
    .addCommand(
      withNetwork(new Command("list"))
        .description("One line for each file, with the reason")
        .action(({ network }: NetworkFlag) => list(network)),
    )
    .addCommand(
      withNetwork(new Command("show"))
        .description("Everything that is known of one or more files")
        .argument("<path...>", "paths as listed")
        .action((paths: string[], { network }: NetworkFlag) => show(paths, network)),
    )
    .addCommand(
      withNetwork(new Command("replay"))
        .description("Ingest exactly these files again, or all of them; what succeeds is struck off")
        .argument("[path...]", "paths as listed")
        .action((paths: string[], { network }: NetworkFlag) => replay(paths, network, signal)),
    );
}

async function list(network: string | undefined): Promise<void> {
  await withLetters(async (deadLetters) => {
    const letters = await deadLetters.list(network);
    for (const letter of letters) {
      const { path, reason, message } = letter;
      const where = network === undefined ? `${letter.network}  ` : "";
      say(`${where}${path}  ${reason}: ${message}`);
    }
    const dropped = await deadLetters.dropped(network);
    if (dropped > 0)
      say(`${dropped} older ones are no longer kept; an ingest of everything finds them again`);
    if (letters.length === 0) say("No dead letters.");
  });
}

async function show(paths: readonly string[], network: string | undefined): Promise<void> {
  await withLetters(async (deadLetters) => {
    for (const letter of chosen(await deadLetters.list(network), paths)) {
      say(
        letter.path,
        `  network   ${letter.network}`,
        `  source    ${letter.source}`,
        `  reason    ${letter.reason}: ${letter.message}`,
        `  first at  ${new Date(letter.firstAtMs).toISOString()}`,
        `  last at   ${new Date(letter.lastAtMs).toISOString()}`,
        `  attempts  ${letter.attempts}`,
      );
    }
  });
}

async function replay(
  paths: readonly string[],
  network: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { config } = loadConfig();
  const letters = await withLetters(async (deadLetters) => chosen(await deadLetters.list(network), paths));
  if (letters.length === 0) say("No dead letters.");
  let failed = 0;
  // Together what one ingest can try again.
  for (const some of grouped(letters, ({ network, source }) => JSON.stringify([network, source])).values()) {
    const only = some.map(({ path }) => path);
    failed += await replaySource(some[0]!, only, config, signal);
  }
  if (failed > 0) process.exitCode = 1;
}

/** Resolves with the number of files that failed again. */
function replaySource(
  { network, source: address }: DeadLetter,
  only: readonly string[],
  config: Config,
  signal: AbortSignal,
): Promise<number> {
  return withIngestion(config, async (ingestion) => {
    try {
      const report = await ingestTold({ address, network, only }, [address], config, ingestion, signal);
      return report.failed.length;
    } catch (error) {
      signal.throwIfAborted();
      // Another source may be well; this one's letters stay.
      complain(`readback: ${error instanceof Error ? error.message : String(error)}`);
      return only.length;
    }
  });
}

/** The letters of these paths, or all of them when no path is given. Throws when a path has none. */
export function chosen(letters: readonly DeadLetter[], paths: readonly string[]): readonly DeadLetter[] {
  const unknown = paths.find((path) => !letters.some((letter) => letter.path === path));
  if (unknown !== undefined) throw new Error(`There is no dead letter of ${unknown}.`);
  return paths.length === 0 ? letters : letters.filter(({ path }) => paths.includes(path));
}

async function withLetters<T>(work: (deadLetters: DeadLetters) => Promise<T>): Promise<T> {
  const deadLetters = await openDeadLetters(loadConfig().config.dataDir, systemClock);
  try {
    return await work(deadLetters);
  } finally {
    await deadLetters.close();
  }
}
