/** `readback backup` and `restore`: all that is kept on disk, in one file, and back. */
import { relative } from "node:path";
import { Command } from "commander";
import { backUp, restore } from "../compose/backup.js";
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
      const parts = {
        "The ledger's key": config.operate.ledgerKeyFile,
        "The folder of guides": config.guides.dir,
      };
      for (const [what, path] of Object.entries(parts))
        if (path !== undefined && relative(config.dataDir, path).startsWith(".."))
          complain(`${what} is not in this file: keep a copy of ${path}, too.`);
    });
}

export function restoreCommand(signal: AbortSignal): Command {
  return new Command("restore")
    .argument("<file>", "an archive that `readback backup` wrote")
    .option("--force", "where there is data already: move it into a folder of its own there", false)
    .action(async (file: string, { force }: { force: boolean }) => {
      const { dataDir } = loadConfig().config;
      const at = new Date(systemClock.now());
      const { aside, manifest } = await restore(dataDir, file, { at, force }, signal);
      const { files, made_at, release } = manifest;
      say(`${Object.keys(files).length} files of ${made_at}, by release ${release}, are in ${dataDir}`);
      if (aside !== undefined)
        say(`What was there is in ${aside}: remove it when it is not needed any more.`);
    });
}
