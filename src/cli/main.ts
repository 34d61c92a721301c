/** The command line: `readback serve`, `ask`, `ingest` and so on, one file a command. Ctrl-C anywhere ends it cleanly. */
import { Command, CommanderError } from "commander";
import { ConfigError } from "../config/load.js";
import { ScenarioProblem } from "../sim/read-scenario.js";
import { askCommand } from "./ask.js";
import { benchmarkRetrievalCommand } from "./benchmark-retrieval.js";
import { configCommand } from "./config.js";
import { deadLettersCommand } from "./dead-letters.js";
import { documentsCommand } from "./documents.js";
import { evaluateCommand } from "./evaluate.js";
import { indexCommand } from "./index-command.js";
import { ingestCommand } from "./ingest.js";
import { Interrupted, listenForInterruption } from "./interruption.js";
import { COMMANDER_OUTPUT, complain } from "./output.js";
import { relaySimCommand } from "./relay-sim.js";
import { routesCommand } from "./routes.js";
import { searchCommand } from "./search.js";
import { serveCommand } from "./serve.js";
import { syncCommand } from "./sync.js";
import { VoiceFileProblem } from "./voice-file.js";

/** Exit codes: 1 the work failed, 2 it was asked for wrongly, 130 it was interrupted (128 + SIGINT). */
const EXIT = { failed: 1, usage: 2, interrupted: 130 } as const;

const program = new Command("readback")
  .description(
    "A push-to-talk voice assistant that answers from the company's own documents, and only from those.",
  )
  .showHelpAfterError()
  .configureOutput(COMMANDER_OUTPUT)
  .exitOverride();
const interruption = listenForInterruption();
const { signal } = interruption;
const commands = [
  serveCommand(signal),
  askCommand(signal),
  evaluateCommand(signal),
  ingestCommand(signal),
  syncCommand(signal),
  documentsCommand(signal),
  searchCommand(signal),
  benchmarkRetrievalCommand(signal),
  deadLettersCommand(signal),
  indexCommand(signal),
  routesCommand(signal),
  relaySimCommand(signal),
  configCommand(),
];
for (const command of commands) program.addCommand(withOurWays(command));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
} finally {
  interruption.dispose();
}

/** Commands throw what is wrong with their usage instead of ending the process, and so do theirs. */
function withOurWays(command: Command): Command {
  for (const part of command.commands) withOurWays(part);
  return command.exitOverride().configureOutput(COMMANDER_OUTPUT);
}

/** Says what went wrong, on standard error and without a stack, and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  if (error instanceof Interrupted) return EXIT.interrupted;
  const isUsage = [ConfigError, ScenarioProblem, VoiceFileProblem].some(
    (problem) => error instanceof problem,
  );
  if (isUsage && error instanceof Error) {
    complain(...error.message.split("\n"));
    return EXIT.usage;
  }
  complain(`readback: ${error instanceof Error ? error.message : String(error)}`);
  return EXIT.failed;
}
