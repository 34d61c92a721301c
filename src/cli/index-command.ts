/**
 * `readback index`: makes the indices in Elasticsearch and looks after them; embedded-index.ts is for the embedded
 * engine. Each command can be run again at any time.
 */
import { Command } from "commander";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { systemClock } from "../lib/clock.js";
import { systemRandom } from "../lib/random.js";
import { ElasticsearchClient } from "../retrieval/elasticsearch/client.js";
import { type IndexDefinition, indexDefinitions } from "../retrieval/elasticsearch/definitions.js";
import { IndexAdmin, type IndexCreation } from "../retrieval/elasticsearch/index-admin.js";
import { indexStatus, type StatusLine } from "../retrieval/elasticsearch/index-status.js";
import { type MigrationCounts, migrateIndex } from "../retrieval/elasticsearch/migrate.js";
import type { EmbeddingOptions } from "../retrieval/embedding/options.js";
import { StaticEmbedder } from "../retrieval/embedding/static.js";
import { checkIndex, rebuildIndex } from "./embedded-index.js";
import { ProgressLine, say } from "./output.js";

export function indexCommand(signal: AbortSignal): Command {
  const command = new Command("index")
    // Before the commands below it are made: they take it over.
    .exitOverride();
  command
    .command("create")
    .description("Make the indices and their aliases, or add the fields that they have not yet")
    .action(() => withIndices((indices) => create(indices, signal)));
  command
    .command("status")
    .description("Say what is there, and what is wrong with it")
    .action(() => withIndices((indices) => status(indices, signal)));
  command
    .command("check")
    .description("Embedded engine: read the whole index of a network and compare all checksums")
    .requiredOption("--network <name>", "the network whose index it is")
    .action(({ network }: { network: string }) => checkIndex(network, loadConfig().config, signal));
  command
    .command("rebuild")
    .description("Fill new versions of the indices and put them in the place of the old ones")
    .option("--network <name>", "embedded engine: the network whose index is built anew from its documents")
    .option(
      "--from <path...>",
      "embedded engine: folders or buckets; default: those that were ingested before",
    )
    .argument("[name]", "the alias of one index; default: the chunks and the documents")
    .option("--drop-old", "remove the old version afterwards", false)
    .action((name: string | undefined, { dropOld, network, from = [] }: RebuildFlags) =>
      network === undefined
        ? withIndices((indices) => rebuild(indices, name, dropOld, signal))
        : rebuildIndex(network, from, loadConfig().config, signal),
    );
  command
    .command("migrate")
    .description(
      "Give documents of the reference's indices what they lack: who may read them, and chunks their text; " +
        "counts them only, without --apply",
    )
    .option("--apply", "write it", false)
    .action(({ apply }: { apply: boolean }) => withIndices((indices) => migrate(indices, apply, signal)));
  return command;
}

interface RebuildFlags {
  readonly dropOld: boolean;
  readonly network?: string;
  readonly from?: string[];
}

interface Indices {
  readonly config: Config;
  readonly client: ElasticsearchClient;
  readonly admin: IndexAdmin;
  readonly definitions: readonly IndexDefinition[];
}

async function withIndices(work: (indices: Indices) => Promise<void>): Promise<void> {
  const { config } = loadConfig();
  const definitions = await indexDefinitions(config.elasticsearch, vectorsOf(config.embedding));
  const deps = { clock: systemClock, random: systemRandom };
  const client = new ElasticsearchClient(config.elasticsearch, deps);
  try {
    const admin = new IndexAdmin({ ...deps, client, options: config.elasticsearch });
    await work({ config, client, admin, definitions });
  } finally {
    await client.close();
  }
}

/** The vectors that an index has to take, and whose they are. */
function vectorsOf({ provider, model, dimensions }: EmbeddingOptions) {
  if (provider === "static") {
    const { dimensions, name: embedder } = new StaticEmbedder();
    return { dimensions, embedder };
  }
  return provider === "openai" ? { dimensions, embedder: `${model}/${dimensions}` } : { dimensions };
}

async function create({ config, client, admin, definitions }: Indices, signal: AbortSignal): Promise<void> {
  for (const definition of definitions) {
    say(`${definition.alias}: ${createdText(await admin.create(definition, signal))}`);
  }
  show(await indexStatus(statusDeps({ config, client, admin, definitions: [] }), signal));
}

function createdText(created: IndexCreation): string {
  switch (created.type) {
    case "created":
      return `made (${created.index})`;
    case "unchanged":
      return `is there (${created.index})`;
    case "extended":
      return `got the fields ${created.fields.join(", ")} (${created.index})`;
  }
}

function statusDeps({ config, ...rest }: Indices): Parameters<typeof indexStatus>[0] {
  // Unless they are named, the legs are chosen by what the cluster has.
  const semantic = config.retrieval.legs?.includes("semantic") ?? false;
  return { ...rest, options: config.elasticsearch, semantic };
}

async function status(indices: Indices, signal: AbortSignal): Promise<void> {
  const lines = await indexStatus(statusDeps(indices), signal);
  show(lines);
  if (lines.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
}

function show(lines: readonly StatusLine[]): void {
  for (const { name, state, problems } of lines) {
    say(`${name}: ${state}`);
    for (const problem of problems) say(`  ${problem}`);
  }
}

async function rebuild(
  { admin, definitions }: Indices,
  name: string | undefined,
  dropOld: boolean,
  signal: AbortSignal,
): Promise<void> {
  const chosen = definitions.filter(({ role, alias }) =>
    name === undefined ? role !== "sync" : alias === name && role !== "sync",
  );
  if (chosen.length === 0) {
    const names = definitions.filter(({ role }) => role !== "sync").map(({ alias }) => alias);
    throw new Error(`There is no index ${name} to rebuild. There are: ${names.join(", ")}.`);
  }
  for (const definition of chosen) {
    const progress = new ProgressLine();
    const onProgress = (done: number, total: number) =>
      progress.show(`${definition.alias}: ${done} of ${total} documents`);
    const { from, to, documents, dropped } = await admin.rebuild(definition, { dropOld, onProgress }, signal);
    progress.clear();
    const old = dropped ? `${from} is removed` : `${from} is kept; --drop-old removes it`;
    say(`${definition.alias}: now ${to} with ${documents} documents; ${old}`);
  }
}

async function migrate(
  { config, client, admin, definitions }: Indices,
  apply: boolean,
  signal: AbortSignal,
): Promise<void> {
  const deps = { client, admin, options: config.elasticsearch };
  for (const definition of definitions) {
    const { role, alias } = definition;
    if (role === "sync") continue;
    const progress = new ProgressLine();
    const onProgress = (documents: number) => progress.show(`${alias}: ${documents} documents`);
    const counts = await migrateIndex(deps, { definition, apply }, onProgress, signal);
    progress.clear();
    say(...migrationText(alias, apply, counts).split("\n"));
  }
  if (!apply) say("Nothing was changed. Run it with --apply to write this.");
}

function migrationText(
  alias: string,
  apply: boolean,
  { open, granted, emptyList, texts }: MigrationCounts,
): string {
  const will = apply ? "stamped" : "would be stamped";
  const given = apply ? "given" : "would be given";
  return [
    `${alias}: ${open + granted + emptyList} documents ${will}`,
    `  ${open} with neither users nor groups: network, everybody in it but kiosks`,
    `  ${granted} with users or groups: restricted to these`,
    `  ${emptyList} with an empty list: restricted to nobody`,
    ...(texts === 0 ? [] : [`${alias}: ${texts} chunks ${given} their text from semantic_text`]),
  ].join("\n");
}
