/** `readback guide`: look after guides, the procedures and troubleshooting trees that people are led through. */
import { readFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { exportEnvelope, exportProcedure, exportTree } from "../guide/exchange/export-flow.js";
import { importFlow, isFlow } from "../guide/exchange/import-flow.js";
import { guideHtml, guideMarkdown } from "../guide/exchange/written-out.js";
import { findingText } from "../guide/schema/finding.js";
import type { Guide } from "../guide/schema/guide.js";
import { fileValue, guideFile, parseGuide } from "../guide/schema/read-guide.js";
import { validateGuide } from "../guide/validation/validate.js";
import { writePrivateFile } from "../lib/private-files.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { rehearse } from "./guide-rehearsal.js";
import { complain, say, sayJson, sayWritten } from "./output.js";

const FILE = "a guide as YAML or JSON, or a flow of ResolutionFlow (JSON or .rfflow)";

const JSON_FORMS = {
  procedural: exportProcedure,
  troubleshooting: exportTree,
  rfflow: exportEnvelope,
  guide: guideFile,
} as const;
const TEXT_FORMS = { markdown: guideMarkdown, html: guideHtml } as const;
type Form = keyof typeof JSON_FORMS | keyof typeof TEXT_FORMS;
const FORMS: readonly Form[] = ["markdown", "html", "procedural", "troubleshooting", "rfflow", "guide"];

export function guideCommand(): Command {
  return new Command("guide")
    .addCommand(
      new Command("check")
        .description("Hold a guide to its rules; exits with 1 where it breaks one")
        .argument("<file>", FILE)
        .option("--json", "print JSON")
        .action(check),
    )
    .addCommand(
      new Command("rehearse")
        .description("Go through a guide at the terminal, as its worker, its site and its colleague")
        .argument("<file>", FILE)
        .action(async (file: string) => rehearse(await readGuide(file))),
    )
    .addCommand(
      new Command("export")
        .description("Write a guide out for people, or for other programs")
        .argument("<file>", FILE)
        .addOption(new Option("--as <form>", "in which form").choices(FORMS).makeOptionMandatory())
        .option("--out <file>", "write to this file; otherwise to standard output")
        .action(exportTo),
    );
}

async function check(file: string, { json }: { readonly json?: true }): Promise<void> {
  const guide = await readGuide(file);
  const findings = validateGuide(guide);
  if (findings.length > 0) process.exitCode = 1;
  if (json) return sayJson({ guide: guide.id, steps: guide.steps.length, findings });
  say(...findings.map((finding) => `${file}: ${findingText(finding)}`));
  const found = findings.length === 0 ? "nothing is wrong" : `${findings.length} to correct`;
  say(`${guide.name}, version ${guide.version}: ${guide.steps.length} steps, ${found}.`);
}

async function exportTo(
  file: string,
  { as, out }: { readonly as: Form; readonly out?: string },
): Promise<void> {
  const guide = await readGuide(file);
  const isText = as === "markdown" || as === "html";
  const text = isText ? TEXT_FORMS[as](guide) : `${JSON.stringify(JSON_FORMS[as](guide), undefined, 2)}\n`;
  if (out !== undefined) {
    await writePrivateFile(out, text);
    return complain(`Written to ${out}.`);
  }
  if (isText) say(...text.trimEnd().split("\n"));
  else sayWritten(text);
}

async function readGuide(file: string): Promise<Guide> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new UsageProblem(`${file} cannot be read: ${error.message}`);
  });
  const value = fileValue(text, file);
  return isFlow(value) ? importFlow(value, { file }).guide : parseGuide(value);
}
