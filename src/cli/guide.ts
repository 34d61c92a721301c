/** `readback guide`: look after guides, the procedures and troubleshooting trees that people are led through. */
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { indexGuide, reached } from "../guide/schema/graph.js";
import type { Guide } from "../guide/schema/guide.js";
import { fileValue, parseGuide } from "../guide/schema/read-guide.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { say } from "./output.js";

export function guideCommand(): Command {
  return new Command("guide").addCommand(
    new Command("check")
      .description("Read a guide and say how many steps it has, or what is wrong with it")
      .argument("<file>", "a guide, as YAML or JSON")
      .action(check),
  );
}

async function check(file: string): Promise<void> {
  const guide = await readGuide(file);
  const steps = reached(indexGuide(guide)).size;
  say(`${guide.name}: ${guide.steps.length} steps, ${steps} of which can be reached.`);
}

async function readGuide(file: string): Promise<Guide> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new UsageProblem(`${file} cannot be read: ${error.message}`);
  });
  return parseGuide(fileValue(text, file));
}
