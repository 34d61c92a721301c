/** `readback unanswered`: what was asked in vain, counted by meaning, for whoever looks after the documents. */
import { Command } from "commander";
import { unansweredBody, unansweredTopics } from "../answer/unanswered-topics.js";
import { loadConfig } from "../config/load.js";
import { systemClock } from "../lib/clock.js";
import { UnansweredLog } from "../store/unanswered-log.js";
import { complain, say, sayJson } from "./output.js";
import { ownNetwork } from "./own-network.js";

interface Flags {
  readonly network?: string;
  readonly json?: true;
  readonly clear?: true;
}

export function unansweredCommand(): Command {
  return new Command("unanswered")
    .option("--network <name>", "the network; unless given, the one that has documents here")
    .option("--json", "print JSON")
    .option("--clear", "delete what was kept of the network instead")
    .action((flags: Flags) => unanswered(flags));
}

async function unanswered({ network: named, json, clear }: Flags): Promise<void> {
  const { config } = loadConfig();
  const network = named ?? ownNetwork(config);
  const log = new UnansweredLog(config.dataDir, { clock: systemClock, telemetry: { emit: () => undefined } });
  try {
    if (clear === true) return await log.clear(network);
    const topics = await unansweredTopics(await log.list(network));
    if (json === true) sayJson(topics.map(unansweredBody));
    else
      for (const { question, count, lastAskedMs, outcome } of topics)
        say(`${String(count).padStart(5)}×  ${new Date(lastAskedMs).toISOString()}  ${outcome}  ${question}`);
    if (topics.length === 0 && !config.chat.logUnanswered)
      complain("None are kept: chat.log_unanswered is off (READBACK_CHAT_LOG_UNANSWERED).");
  } finally {
    await log.close();
  }
}
