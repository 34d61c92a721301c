/** The command line: `readback serve`, `ask`, `ingest` and so on, one file a command. Ctrl-C anywhere ends it cleanly. */
import { Command, CommanderError } from "commander";
import { shippedVersion } from "../lib/shipped-files.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { commandsFor } from "./commands.js";
import { Interrupted, listenForInterruption } from "./interruption.js";
import { COMMANDER_OUTPUT, complain, outliveReaders } from "./output.js";

/** Exit codes: 1 the work failed, 2 it was asked for wrongly, 130 it was interrupted (128 + SIGINT). */
const EXIT = { failed: 1, usage: 2, interrupted: 130 } as const;

const program = new Command("readback")
  .description(
    "A push-to-talk voice assistant that answers from the company's own documents, and only from those.",
  )
  .version(shippedVersion(), "--version", "print the version")
  .showHelpAfterError()
  .configureOutput(COMMANDER_OUTPUT)
  .exitOverride();
const interruption = listenForInterruption();
outliveReaders();

try {
  const args = process.argv.slice(2);
  for (const command of await commandsFor(args, interruption.signal))
    program.addCommand(withOurWays(command));
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
  if (error instanceof UsageProblem) {
    complain(...error.message.split("\n"));
    return EXIT.usage;
  }
  complain(`readback: ${error instanceof Error ? error.message : String(error)}`);
  return EXIT.failed;
}
