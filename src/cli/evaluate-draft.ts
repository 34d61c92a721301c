/** `readback evaluate --draft`: a data set drafted from a folder of documents, for a person to correct. */
import { basename, dirname, relative, resolve } from "node:path";
import { readDocuments, wholeSections } from "../compose/asked-documents.js";
import { COMMAND_DEPS } from "../compose/knowledge.js";
import { createModels } from "../compose/models.js";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { type DraftRow, draftedQuestions, draftRows } from "../evaluation/draft/draft.js";
import { modelQuestions } from "../evaluation/draft/model-questions.js";
import { type DraftedSection, sectionsOf } from "../evaluation/draft/sections.js";
import { Judge } from "../evaluation/judge/judge.js";
import { writePrivateFile } from "../lib/private-files.js";
import { loadPrompts } from "../llm/prompts.js";
import type { KnowledgeDocument } from "../retrieval/writer.js";
import { complain, say, sayWritten } from "./output.js";

/** The network that a drafted set says its documents belong to. */
const NETWORK = "draft";

/** Writes the rows to `out`, or prints them. Rejects when there is nothing to ask. */
export async function draft(folder: string, out: string | undefined, signal: AbortSignal): Promise<void> {
  const { config } = loadConfig();
  const documents = await readDocuments(wholeSections(config), folder, signal);
  const rows = await rowsOf(documents, config, signal);
  if (rows.length === 0) throw new Error(`there is nothing in ${folder} that a question can be drafted from`);
  if (rows.length > config.evaluation.rowsMax)
    complain(`${rows.length} questions were drafted; the first ${config.evaluation.rowsMax} are kept.`);
  const place = out === undefined ? resolve(folder) : relative(dirname(resolve(out)), resolve(folder));
  const header = { dataset: basename(resolve(folder)), documents: place || ".", network: NETWORK };
  const lines = [header, ...rows.slice(0, config.evaluation.rowsMax)].map((row) => JSON.stringify(row));
  const text = `${lines.join("\n")}\n`;
  if (out === undefined) return sayWritten(text);
  await writePrivateFile(out, text);
  say(
    `${lines.length - 1} questions are drafted in ${out}. Correct each one and take out "draft": true; then run ` +
      `readback evaluate ${out}`,
  );
}

async function rowsOf(
  documents: readonly KnowledgeDocument[],
  config: Config,
  signal: AbortSignal,
): Promise<DraftRow[]> {
  const drafted = [...draftedQuestions(documents)];
  const { main } = createModels(config, COMMAND_DEPS);
  if (main === undefined) return draftRows(drafted);
  const judge = new Judge({
    model: main.model,
    prompts: await loadPrompts(),
    judgements: { judgement: async () => undefined, keepJudgement: async () => undefined },
    clock: COMMAND_DEPS.clock,
    delayMs: 0,
  });
  const ofModel = async (section: DraftedSection) =>
    (await modelQuestions(section, judge, signal)).map((question) => [section, question] as const);
  for (const section of sectionsOf(documents)) drafted.push(...(await ofModel(section)));
  return draftRows(drafted);
}
