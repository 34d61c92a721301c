/** `readback ask`: puts one question to a running service as a relay would, and shows what comes back as it comes. */
import { writeFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { loadConfig } from "../config/load.js";
import { systemClock } from "../lib/clock.js";
import type { Answer } from "./answer-collector.js";
import { converse, type SpokenQuestion } from "./conversation.js";
import { type RelayAddress, relayAddress } from "./relay-address.js";
import { RelayClient, RelayError } from "./relay-client.js";

interface AskOptions {
  readonly network: string;
  readonly username: string;
  readonly voice?: string;
  readonly mode?: string;
  readonly features?: string;
  readonly groups?: string;
  readonly relay?: RelayAddress;
}

export function askCommand(signal: AbortSignal): Command {
  return new Command("ask")
    .description("Ask a running service one question, as a relay would")
    .argument("<question>", "the question, as text")
    .option("--network <name>", "the user's network", "demo")
    .option("--username <name>", "the user's name", "you")
    .option("--voice <file.ogg>", "ask for a spoken answer and write it to this Ogg Opus file")
    .option("--mode <mode>", "ai_onboarding for the trial persona")
    .option("--features <flags>", "feature flags, separated by commas, such as kiosk")
    .option("--groups <names>", "the user's groups, separated by commas")
    .addOption(
      new Option(
        "--relay <host:port>",
        "where the service listens; the configured address unless given",
      ).argParser(relayAddress),
    )
    .action((question: string, options: AskOptions) => ask(question, options, signal));
}

async function ask(question: string, options: AskOptions, signal: AbortSignal): Promise<void> {
  const { host, port } = options.relay ?? loadConfig().config.relay;
  const client = await RelayClient.connect(host, port, systemClock, signal).catch((error: unknown) => {
    if (!(error instanceof RelayError)) throw error;
    throw new RelayError(`${error.message}. Is the service running? Start it with: npm start`);
  });
  const onAbort = () => client.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const answer = await converse(client, spoken(question, options), (line) => console.log(line));
    if (options.voice !== undefined) await save(answer, options.voice);
    if (answer.error !== undefined) process.exitCode = 1;
  } finally {
    signal.removeEventListener("abort", onAbort);
    client.close();
  }
}

function spoken(text: string, options: AskOptions): SpokenQuestion {
  const { network, username, mode, voice } = options;
  const responseType = voice === undefined ? "text" : "audio";
  return {
    network,
    username,
    mode,
    text,
    responseType,
    groups: list(options.groups),
    features: list(options.features),
  };
}

async function save(answer: Answer, path: string): Promise<void> {
  const file = answer.oggFile();
  if (file === undefined) {
    console.log("No audio came, so nothing was written.");
    return;
  }
  await writeFile(path, file);
  console.log(`Wrote ${path}`);
}

function list(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
