/** `readback guide`: look after guides, the procedures and troubleshooting trees that people are led through. */
import { readFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { readDocuments, wholeSections } from "../compose/asked-documents.js";
import { loadConfig } from "../config/load.js";
import { draftGuide } from "../guide/document/draft-guide.js";
import { sourceFindings } from "../guide/document/source-rules.js";
import { guideOrFlow } from "../guide/exchange/import-flow.js";
import { exportedGuide, GUIDE_FORMS, type GuideForm } from "../guide/exchange/written-out.js";
import { findingText } from "../guide/schema/finding.js";
import type { Guide } from "../guide/schema/guide.js";
import { fileValue, guideFile } from "../guide/schema/read-guide.js";
import { validateGuide } from "../guide/validation/validate.js";
import { writePrivateFile } from "../lib/private-files.js";
import { UsageProblem } from "../lib/usage-problem.js";
import type { KnowledgeDocument } from "../retrieval/writer.js";
import { readOut, speakTo } from "./guide-aloud.js";
import { rehearse } from "./guide-rehearsal.js";
import { guideRuns, type RunsOptions } from "./guide-runs.js";
import { complain, say, sayJson, sayWritten } from "./output.js";

const FILE = "a guide as YAML or JSON, or a flow of ResolutionFlow (JSON or .rfflow)";

export function guideCommand(signal: AbortSignal): Command {
  return new Command("guide")
    .addCommand(
      new Command("check")
        .description("Hold a guide to its rules; exits with 1 where it breaks one")
        .argument("<file>", FILE)
        .option("--documents <folder>", "hold its steps to the documents that they name as well")
        .option("--aloud", "print it as it is heard as well, and how long each step takes to say")
        .option("--voice <file.ogg>", "speak all of it into this Ogg Opus file")
        .option("--json", "print JSON")
        .action((file: string, options: CheckOptions) => check(file, options, signal)),
    )
    .addCommand(
      new Command("draft")
        .description("Make a draft of a guide from the numbered steps and the warnings of a document")
        .argument("<document>", "a document as `readback ingest` reads it")
        .option("--section <heading>", "only the steps under this heading, or behind this lead-in")
        .option("--out <file>", "write to this file; otherwise to standard output")
        .action((path: string, options: DraftOptions) => draft(path, options, signal)),
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
        .addOption(new Option("--as <form>", "in which form").choices(GUIDE_FORMS).makeOptionMandatory())
        .option("--out <file>", "write to this file; otherwise to standard output")
        .action(exportTo),
    )
    .addCommand(
      new Command("runs")
        .description("Tell what became of the runs of guides, and which step is weak")
        .argument("[guide]", "the id of a guide; all of them unless given")
        .option("--network <name>", "the network; unless given, the one that has documents here")
        .option("--page <run>", "write the record of this run as an HTML page instead")
        .option("--out <file>", "write the page to this file; otherwise to <run>.html")
        .option("--json", "print JSON")
        .action((guide: string | undefined, options: RunsOptions) => guideRuns(guide, options)),
    );
}

interface CheckOptions {
  readonly aloud?: true;
  readonly voice?: string;
  readonly documents?: string;
  readonly json?: true;
}

async function check(
  file: string,
  { aloud, documents, json, voice }: CheckOptions,
  signal: AbortSignal,
): Promise<void> {
  const guide = await readGuide(file);
  const findings = [
    ...validateGuide(guide),
    ...(documents === undefined ? [] : sourceFindings(guide, await documentsIn(documents, signal))),
  ];
  if (findings.length > 0) process.exitCode = 1;
  if (voice !== undefined) await speakTo(voice, guide, loadConfig().config, signal);
  if (json) return sayJson({ guide: guide.id, steps: guide.steps.length, findings });
  if (aloud) await readOut(guide);
  say(...findings.map((finding) => `${file}: ${findingText(finding)}`));
  const found = findings.length === 0 ? "nothing is wrong" : `${findings.length} to correct`;
  say(`${guide.name}, version ${guide.version}: ${guide.steps.length} steps, ${found}.`);
}

interface DraftOptions {
  readonly out?: string;
  readonly section?: string;
}

async function draft(path: string, { out, section }: DraftOptions, signal: AbortSignal): Promise<void> {
  const [document, ...others] = await documentsIn(path, signal);
  if (document === undefined || others.length > 0)
    throw new UsageProblem(`${path} is not one document; name one, since a draft is made of one`);
  const guide = draftGuide(document, section);
  await written(`${JSON.stringify(guideFile(guide), undefined, 2)}\n`, out);
  const count = validateGuide(guide).length;
  complain(`${guide.steps.length} steps, ${count} to correct: readback guide check tells which.`);
}

async function documentsIn(path: string, signal: AbortSignal): Promise<readonly KnowledgeDocument[]> {
  return readDocuments(wholeSections(loadConfig().config), path, signal);
}

/** Written to a file, or printed. */
async function written(json: string, out: string | undefined): Promise<void> {
  if (out === undefined) return sayWritten(json);
  await writePrivateFile(out, json);
  complain(`Written to ${out}.`);
}

async function exportTo(
  file: string,
  { as, out }: { readonly as: GuideForm; readonly out?: string },
): Promise<void> {
  const { text, type } = exportedGuide(await readGuide(file), as);
  if (type !== "json" && out === undefined) say(...text.trimEnd().split("\n"));
  else await written(text, out);
}

async function readGuide(file: string): Promise<Guide> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new UsageProblem(`${file} cannot be read: ${error.message}`);
  });
  return guideOrFlow(fileValue(text, file), { file });
}
