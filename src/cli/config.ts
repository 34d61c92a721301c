/** `readback config`: the settings in effect, secrets masked; with `--reference`, every setting explained. */
import { Command } from "commander";
import { loadConfig, printableConfig } from "../config/load.js";
import { settingsReference } from "../config/reference.js";
import { say } from "./output.js";

export function configCommand(): Command {
  return new Command("config")
    .option("--reference", "print every setting with its variable, its default and what it does, as Markdown")
    .action(({ reference }: { reference?: true }) => {
      say(...(reference ? settingsReference() : printableConfig(loadConfig().file)).split("\n"));
    });
}
