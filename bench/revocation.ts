/**
 * How long a permission that is taken away still counts. A reader searches again and again while it is revoked: by the
 * document's own front matter (which an ingest has to read), by the index alone, and by the group file (whose delay is
 * a setting). Beside them stands the bare time of one search, below which nothing can be seen.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSource, withIngestion } from "../src/compose/ingestion.js";
import { openKnowledge } from "../src/compose/knowledge.js";
import { loadConfig } from "../src/config/load.js";
import { ingest } from "../src/ingest/ingest.js";
import { systemClock } from "../src/lib/clock.js";
import { FileGroups } from "../src/retrieval/groups/file-groups.js";
import { figures, summarize } from "./support/stats.js";

const NETWORK = "bench";
const DOCUMENTS = 1_000;
const ROUNDS = 20;
const GROUPS_REFRESH_MS = 500;
const SIGNAL = new AbortController().signal;
const ANN = { network: NETWORK, username: "ann", groups: ["crew"], kiosk: false };

export async function run(): Promise<void> {
  console.log(
    `Revocation: ${DOCUMENTS} documents, ${ROUNDS} rounds, milliseconds until the reader is refused\n`,
  );
  const base = mkdtempSync(join(tmpdir(), "readback-bench-"));
  try {
    const rows = [
      ...(await documents(base)),
      ["group file, refreshed every 500 ms", await groupFile(base)] as const,
    ];
    for (const [what, times] of rows) console.log(`${what.padEnd(44)} ${figures(summarize(times))}`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** The document that changes hands, among others that do not. */
async function documents(base: string): Promise<readonly (readonly [string, readonly number[]])[]> {
  const folder = join(base, "documents");
  mkdirSync(folder);
  for (let i = 0; i < DOCUMENTS; i++)
    writeFileSync(join(folder, `d${i}.md`), `# Document ${i}\n\nThe pump number ${i} is oiled every week.\n`);
  const path = join(folder, "gate.md");
  const write = (group: string) =>
    writeFileSync(path, `---\nallowed_groups: [${group}]\n---\nThe gate opens with a code.\n`);
  const { config } = loadConfig({}, { data_dir: join(base, "data") });
  const knowledge = await openKnowledge(config);
  const times = { folder: [] as number[], file: [] as number[], search: [] as number[] };
  await withIngestion(config, async (ingestion) => {
    const update = async (what: string) => {
      const request = { source: await openSource(what, config), network: NETWORK, options: config.ingest };
      await ingest(request, ingestion, () => {}, SIGNAL);
    };
    const mayRead = async () => {
      const found = await knowledge.retrieval.search({ query: "gate code", access: ANN, limit: 5 }, SIGNAL);
      return found.some(({ sourceFile }) => sourceFile.endsWith("gate.md"));
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [kind, what] of [
        ["folder", folder],
        ["file", path],
      ] as const) {
        write("crew");
        await update(folder);
        const searchStartMs = performance.now();
        if (!(await mayRead())) throw new Error("the reader was refused before anything was revoked");
        times.search.push(performance.now() - searchStartMs);
        const startMs = performance.now();
        write("office");
        const [refusedMs] = await Promise.all([untilRefused(mayRead, startMs), update(what)]);
        times[kind].push(refusedMs);
      }
    }
  });
  await knowledge.close();
  return [
    ["front matter, then `ingest` of the folder", times.folder],
    ["front matter, then `ingest` of the file", times.file],
    ["(one search)", times.search],
  ];
}

async function groupFile(base: string): Promise<readonly number[]> {
  const path = join(base, "groups.json");
  const write = (groups: readonly string[]) =>
    writeFileSync(path, JSON.stringify({ [NETWORK]: { ann: groups } }));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    write(["crew"]);
    const directory = new FileGroups(systemClock, path, GROUPS_REFRESH_MS);
    const isInCrew = async () => (await directory.groupsOf(ANN)).includes("crew");
    await isInCrew();
    const startMs = performance.now();
    write([]);
    times.push(await untilRefused(isInCrew, startMs));
  }
  return times;
}

async function untilRefused(mayRead: () => Promise<boolean>, startMs: number): Promise<number> {
  while (await mayRead()) await new Promise((resolve) => setImmediate(resolve));
  return performance.now() - startMs;
}
