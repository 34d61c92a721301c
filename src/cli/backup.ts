/** `readback backup`: all that is kept on disk, in one file. */
import { Command } from "commander";
import { backUp } from "../compose/backup.js";
import { usesElasticsearch } from "../compose/knowledge.js";
import { loadConfig } from "../config/load.js";
import { systemClock } from "../lib/clock.js";
import { complain, say } from "./output.js";

export function backupCommand(signal: AbortSignal): Command {
  return new Command("backup")
    .argument("<file>", "the archive (tar, gzip), which must not exist")
    .action(async (file: string) => {
      const { config } = loadConfig();
      const { files } = await backUp(config.dataDir, file, new Date(systemClock.now()), signal);
      say(`${Object.keys(files).length} files of ${config.dataDir} are in ${file}`);
      if (usesElasticsearch(config))
        complain("The documents are in Elasticsearch, and not in this file: have it make snapshots.");
      if (config.operate.ledgerKeyFile !== undefined)
        complain(
          `The ledger's key is not in this file: keep a copy of ${config.operate.ledgerKeyFile}, too.`,
        );
    });
}
