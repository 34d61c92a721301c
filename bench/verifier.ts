/**
 * What a second reader is worth: true and false sentences through the gate, by the rules alone and with the model that
 * the settings name for `llm.verifier`. Run by name, with a model: `npm run bench -- verifier [--rows N] [--slower N]`
 * (docs/models.md).
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { phrasesFor } from "../src/answer/phrases.js";
import type { DraftEvent } from "../src/capability/draft.js";
import { loadTexts } from "../src/compose/answering.js";
import { createModels } from "../src/compose/models.js";
import { createVerifying } from "../src/compose/verifying.js";
import { loadConfig } from "../src/config/load.js";
import { systemClock } from "../src/lib/clock.js";
import { createTelemetry, type EventOf } from "../src/telemetry/events.js";
import { Gate } from "../src/turn/gate.js";
import { SecondReader } from "../src/turn/second-reader.js";
import { passage } from "../test/support/fake-retrieval.js";
import { countOf } from "./support/count-option.js";
import { slowClock } from "./support/slow-clock.js";
import { figures, summarize } from "./support/stats.js";

interface Statement {
  readonly text: string;
  readonly question: string;
  readonly dangerous?: boolean;
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  readonly passage: string;
  readonly true: readonly Statement[];
  readonly false: readonly Statement[];
}

const SENTENCES = fileURLToPath(new URL("../../test/conformance/sentences-a.jsonl", import.meta.url));
const USER = { network: "bench", username: "bench" };

export function run(): Promise<void> {
  return runWith([]);
}

/** `--rows`: of the passages, so many at the most; `--slower`: every limit of time is so many times as long. */
export async function runWith(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rows: { type: "string" }, slower: { type: "string" } },
  });
  const clock = slowClock(systemClock, countOf("slower", values.slower) ?? 1);
  const { config } = loadConfig(process.env, {});
  const words: EventOf<"sentence_verified">[] = [];
  const telemetry = createTelemetry([(event) => event.type === "sentence_verified" && words.push(event)]);
  const { locales, prompts } = await loadTexts(config);
  const models = createModels(config, { clock, telemetry });
  const { verifying } = createVerifying(config, models, { clock, telemetry, prompts });
  if (verifying === undefined) {
    console.log("Second reader: no model is set for llm.verifier");
    return;
  }
  console.log(
    `Second reader: ${models.verifier?.model.name}, ${config.llm.verifier.timeoutMs} ms a sentence`,
  );
  const rows: readonly Row[] = readFileSync(SENTENCES, "utf8")
    .trim()
    .split("\n")
    .slice(0, countOf("rows", values.rows))
    .map((line) => JSON.parse(line));
  const phrases = phrasesFor("default", locales.of("en"));
  const isSaid = async (row: Row, { question, text }: Statement, reads: boolean) => {
    const signal = new AbortController().signal;
    const secondReader = reads
      ? new SecondReader({ clock, telemetry, ...verifying }, USER, signal)
      : undefined;
    const route = { route: "knowledge", layer: "default", confidence: 1 } as const;
    const gate = new Gate({ question, persona: "default", phrases, route, secondReader }, () => 0);
    for await (const event of gate.run(draft(row, text)))
      if (event.type === "answer") return event.answer.claims.some(({ said }) => said);
    return false;
  };
  for (const kind of ["true", "false"] as const) {
    const statements = rows.flatMap((row) => row[kind].map((statement) => ({ row, statement })));
    const said = { rules: 0, both: 0, dangerous: 0 };
    for (const { row, statement } of statements) {
      if (!(await isSaid(row, statement, false))) continue;
      said.rules += 1;
      if (!(await isSaid(row, statement, true))) continue;
      said.both += 1;
      if (statement.dangerous === true) said.dangerous += 1;
    }
    const danger = kind === "true" ? "" : `, ${said.dangerous} of them dangerous`;
    console.log(
      `  of ${statements.length} ${kind} sentences said by the rules ${said.rules}, with it ${said.both}${danger}`,
    );
  }
  const count = (result: string) => words.filter((word) => word.result === result).length;
  console.log(
    `  asked ${words.length}: yes ${count("yes")}, no ${count("no")}, late ${count("not_in_time")}`,
  );
  console.log(`  its word after, ms: ${figures(summarize(words.map(({ ms }) => ms)))}`);
}

async function* draft(row: Row, text: string): AsyncGenerator<DraftEvent> {
  const { heading, id, title } = row;
  yield { type: "passages", passages: [passage(id, row.passage, { title, headings: [heading] })] };
  yield { type: "text", text };
  yield { type: "end", searched: "found", degraded: false };
}
