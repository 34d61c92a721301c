/** `readback restore`: puts back what a backup holds. */
import { Command } from "commander";
import { restore } from "../compose/backup.js";
import { loadConfig } from "../config/load.js";
import { systemClock } from "../lib/clock.js";
import { say } from "./output.js";

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
