/** `readback documents`: what a network holds, what became of a document, and why a user can or cannot see it. */
import { Command } from "commander";
import { type Knowledge, openKnowledge } from "../compose/knowledge.js";
import { loadConfig } from "../config/load.js";
import type { Access } from "../domain/user.js";
import { accessDecision } from "../retrieval/access.js";
import type { ChunkDetail, DocumentDetail, DocumentSummary } from "../retrieval/inspector.js";
import { compareRevisions, titleKey } from "../retrieval/revision.js";
import { say, sayJson } from "./output.js";
import { accessOf, type ReaderOptions, withReader } from "./reader-options.js";
import { describeAccess, describeDecision, describeReader } from "./reasons.js";

interface NetworkOption {
  readonly network: string;
}

export function documentsCommand(signal: AbortSignal): Command {
  const network = (command: Command) =>
    command.requiredOption("--network <name>", "the network whose documents these are");
  const list = network(new Command("list").description("List the documents of a network"))
    .option("--json", "print JSON")
    .action(({ network, json }: NetworkOption & { json?: true }) =>
      withKnowledge(async ({ inspector }) => {
        const documents = await inspector.documents(network, signal);
        if (json) sayJson(documents);
        else say(...listText(documents, network));
      }),
    );
  const show = network(new Command("show").description("Show a document with all its passages"))
    .argument("<document>", "its id, or its file as `list` shows it")
    .action((named: string, { network }: NetworkOption) =>
      withKnowledge(async (knowledge) => {
        say(...detailText(await find(named, network, knowledge, signal)));
      }),
    );
  const why = network(
    new Command("why").description("Tell why a user can or cannot see a document"),
  ).argument("<document>", "its id, or its file as `list` shows it");
  withReader(why).action((named: string, options: ReaderOptions) =>
    withKnowledge(async (knowledge) => {
      const document = await find(named, options.network, knowledge, signal);
      const access = await accessOf(options, knowledge.groups, signal);
      const documents = await knowledge.inspector.documents(options.network, signal);
      say(...whyText(document, access, documents));
    }),
  );
  return new Command("documents").addCommand(list).addCommand(show).addCommand(why);
}

async function withKnowledge(work: (knowledge: Knowledge) => Promise<void>): Promise<void> {
  const knowledge = await openKnowledge(loadConfig().config);
  try {
    await work(knowledge);
  } finally {
    await knowledge.close();
  }
}

async function find(
  named: string,
  network: string,
  { inspector }: Knowledge,
  signal: AbortSignal,
): Promise<DocumentDetail> {
  const documents = await inspector.documents(network, signal);
  const known = documents.find(({ documentId, sourceFile }) => [documentId, sourceFile].includes(named));
  const document = known && (await inspector.document(network, known.documentId, signal));
  if (document !== undefined) return document;
  const hint = `List them with: readback documents list --network ${network}`;
  throw new Error(`The network ${network} has no document ${JSON.stringify(named)}. ${hint}`);
}

export function listText(documents: readonly DocumentSummary[], network: string): readonly string[] {
  if (documents.length === 0) return [`The network ${network} holds no documents.`];
  const rows = documents.flatMap((document) => {
    const { sourceFile, title, revision, access, chunkCount, supersededBy } = document;
    const notes = [
      ...(revision === undefined ? [] : [`revision ${revision}`]),
      ...(supersededBy === undefined ? [] : ["superseded"]),
      `${chunkCount} ${chunkCount === 1 ? "passage" : "passages"}`,
      describeAccess(access) + (document.usesDefaultVisibility ? " (by default)" : ""),
    ];
    return [sourceFile, `    ${[title, ...notes].join(" · ")}`];
  });
  return [...rows, `${documents.length} documents`];
}

export function detailText(document: DocumentDetail): readonly string[] {
  const { documentId, path, supersededBy } = document;
  return [
    ...listText([document], "").slice(0, -1),
    `    id ${documentId}`,
    `    read from ${path}`,
    ...(supersededBy === undefined ? [] : [`    superseded by ${supersededBy}`]),
    ...document.chunks.flatMap(chunkText),
  ];
}

function chunkText({ chunkId, headings, page, kind, text, nearDuplicates }: ChunkDetail): readonly string[] {
  const place = [...headings, ...(page === undefined ? [] : [`page ${page}`])].join(" › ");
  const what = [kind.docType, kind.blockType, ...kind.tags].join(", ");
  return [
    "",
    `[${chunkId}] ${place}`,
    `    (${what})`,
    ...nearDuplicates.map((other) => `    says the same as ${other.title} [${other.chunkId}]`),
    ...text.split("\n").map((line) => `    ${line}`),
  ];
}

/** Permission first, then whether a newer revision that the user may read takes its place. */
export function whyText(
  document: DocumentSummary,
  access: Access,
  documents: readonly DocumentSummary[],
): readonly string[] {
  const decision = accessDecision(access, document.access);
  const lines = [
    `${document.sourceFile} (${document.title}) for ${describeReader(access)}:`,
    `  ${describeDecision(decision, access, document.access)}`,
    `  the document says: ${describeAccess(document.access)}${document.usesDefaultVisibility ? ", by default" : ""}`,
  ];
  if (!decision.readable) return lines;
  const newer = newerRevisions(document, documents);
  const current = newer.find((other) => accessDecision(access, other.access).readable);
  if (current !== undefined)
    return [
      ...lines,
      `  but searches bring revision ${current.revision} in its place (${current.sourceFile})`,
    ];
  return newer.length === 0
    ? lines
    : [...lines, `  and it answers: revision ${newer[0]!.revision} is newer, but not readable for this user`];
}

/** Newer revisions of the same title, the newest first. */
function newerRevisions(
  { title, revision }: DocumentSummary,
  documents: readonly DocumentSummary[],
): readonly DocumentSummary[] {
  if (revision === undefined) return [];
  return documents
    .filter((other) => titleKey(other.title) === titleKey(title) && other.revision !== undefined)
    .filter((other) => compareRevisions(other.revision!, revision) > 0)
    .sort((a, b) => compareRevisions(b.revision!, a.revision!));
}
