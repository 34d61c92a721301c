/**
 * Copies of the data directory. One is taken while the service runs, and put back while none does: a tar archive of the
 * files (`data/`) and of a manifest, which tells their checksums, their layouts and the release that made it.
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { copyFile, mkdtemp, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { type Layouts, newestLayout } from "../lib/layouts.js";
import { makePrivateFile, makePrivateFolder, writePrivateFile } from "../lib/private-files.js";
import { runProgram } from "../lib/run-program.js";
import { shippedVersion } from "../lib/shipped-files.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { LAYOUTS as INDEX } from "../retrieval/embedded/database.js";
import { copyDatabase } from "../store/database.js";
import { LAYOUTS as DEAD_LETTERS } from "../store/embedded-dead-letters.js";
import { LAYOUTS as EVALUATIONS } from "../store/embedded-evaluation-runs.js";
import { LAYOUTS as GUIDE_RUNS } from "../store/embedded-guide-runs.js";
import { LAYOUTS as GUIDE_SESSIONS } from "../store/embedded-guide-sessions.js";
import { LAYOUTS as EMBEDDINGS } from "../store/embedding-cache.js";
import { LAYOUTS as ROUTES } from "../store/route-log.js";
import { LAYOUTS as UNANSWERED } from "../store/unanswered-log.js";
import { lockDataDirectory, prepareDataDirectory, SWAPPING } from "./data-directory.js";

const manifestSchema = z.object({
  format: z.literal(1),
  /** That made it. */
  release: z.string(),
  made_at: z.string(),
  /** By their paths in the data directory. */
  files: z.record(
    z.string(),
    z.object({ bytes: z.int(), sha256: z.string(), /** Of a database. */ layout: z.int().optional() }),
  ),
});

export type BackupManifest = z.infer<typeof manifestSchema>;

/** What can be made again, what belongs to a running process, and what was set aside, by us or as damaged. */
const LEFT_OUT = /(?:^|\/)\.|\.rebuild\/|\.(?:new|lock)$|\.damaged-|-(?:wal|shm)$/;

/** What is ours in the directory, and no data: the lock, and folders of restores. */
const NOT_DATA = /^\.|^service\.lock$/;

const RESTORING = ".restoring";

/** The databases of a data directory; all others are indices of networks. */
const STORES: Readonly<Record<string, Layouts>> = {
  "dead-letters.db": DEAD_LETTERS,
  "embeddings-1.db": EMBEDDINGS,
  "evaluations.db": EVALUATIONS,
  "guide-runs.db": GUIDE_RUNS,
  "guide-sessions.db": GUIDE_SESSIONS,
  "routes.db": ROUTES,
  "unanswered.db": UNANSWERED,
};

/** Tar tells nothing on standard output. */
const TAR_OUTPUT_BYTES_MAX = 4_096;

/**
 * Writes an archive of what the directory holds to a new file, for this user alone. Each database is copied as of one
 * moment. Rejects with a readable error, and leaves nothing behind then.
 */
export async function backUp(
  dataDir: string,
  file: string,
  at: Date,
  signal: AbortSignal,
): Promise<BackupManifest> {
  if (existsSync(file)) throw new UsageProblem(`${file} exists already: name a file that does not`);
  if (!relative(dataDir, file).startsWith(".."))
    throw new UsageProblem(`${file} lies in the directory that is to be copied: name a file elsewhere`);
  if (!existsSync(dataDir)) throw new UsageProblem(`There is nothing to copy: ${dataDir} does not exist`);
  const work = await mkdtemp(`${resolve(file)}.partial-`);
  try {
    const content = join(work, "content");
    const files: BackupManifest["files"] = {};
    makePrivateFolder(join(content, "data"));
    for (const path of keptPaths(dataDir)) {
      signal.throwIfAborted();
      files[path] = await copied(join(dataDir, path), join(content, "data", path));
    }
    const manifest = { format: 1 as const, release: shippedVersion(), made_at: at.toISOString(), files };
    await writePrivateFile(join(content, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
    const archive = join(work, "archive");
    makePrivateFile(archive);
    await tar(["--create", "--gzip", "--file", archive, "--directory", content, "."], signal);
    renameSync(archive, file);
    return manifest;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Puts the files of an archive in the place of what the directory holds, which it moves to a folder of its own there.
 * Rejects with a readable error, with everything as it was, while a service runs, where the archive is damaged or of a
 * later release, or where there is something already and `force` is not set. Returns the name of that folder, too.
 */
export async function restore(
  dataDir: string,
  file: string,
  { at, force }: { readonly at: Date; readonly force: boolean },
  signal: AbortSignal,
): Promise<{ readonly manifest: BackupManifest; readonly aside: string | undefined }> {
  if (!existsSync(file)) throw new UsageProblem(`${file} does not exist`);
  prepareDataDirectory(dataDir);
  if (statSync(dataDir).uid !== process.getuid?.())
    throw new UsageProblem(`${dataDir} belongs to another user: restore as the user of the service`);
  const lock = await lockDataDirectory(dataDir);
  const staging = join(dataDir, RESTORING);
  try {
    // With the logs of databases: one of another file would be taken for a part of what is restored.
    const present = readdirSync(dataDir).filter((name) => !NOT_DATA.test(name));
    if (present.length > 0 && !force)
      throw new UsageProblem(`${dataDir} holds data already: --force moves it aside, into a folder there`);
    rmSync(staging, { recursive: true, force: true });
    makePrivateFolder(staging);
    await tar(["--extract", "--gzip", "--file", file, "--directory", staging, "--no-same-owner"], signal);
    const manifest = await verified(staging);
    return { manifest, aside: swap(dataDir, staging, present, at) };
  } catch (error) {
    if (error instanceof UsageProblem) throw error;
    throw new Error(`${file} was not restored: ${(error as Error).message}`, { cause: error });
  } finally {
    rmSync(staging, { recursive: true, force: true });
    lock.release();
  }
}

/** Those that tell of others (`.json`) come first, so that none tells of more than there is. */
function keptPaths(dataDir: string): readonly string[] {
  const paths = regularFiles(dataDir).filter((path) => !LEFT_OUT.test(path));
  const tells = (path: string) => Number(path.endsWith(".json"));
  return paths.sort((a, b) => tells(b) - tells(a));
}

function regularFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function copied(from: string, to: string): Promise<BackupManifest["files"][string]> {
  makePrivateFolder(dirname(to));
  if (from.endsWith(".db")) return { layout: await copyDatabase(from, to), ...(await measured(to)) };
  await copyFile(from, to);
  return measured(to);
}

async function measured(path: string) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { bytes: statSync(path).size, sha256: hash.digest("hex") };
}

/** Rejects unless the folder holds what its manifest tells, and this release reads all of it. */
async function verified(folder: string): Promise<BackupManifest> {
  const manifest = await manifestIn(folder);
  const { files, release } = manifest;
  const found = regularFiles(join(folder, "data"));
  const strange = found.find((path) => !Object.hasOwn(files, path));
  if (strange !== undefined) throw new Error(`it is damaged: its manifest does not tell of ${strange}`);
  for (const [path, { layout = 0, sha256 }] of Object.entries(files)) {
    if (!found.includes(path)) throw new Error(`it is damaged: ${path} is missing`);
    if ((await measured(join(folder, "data", path))).sha256 !== sha256)
      throw new Error(`it is damaged: ${path} is not what it was`);
    const newest = newestLayoutOf(path);
    if (layout > newest)
      throw new Error(
        `release ${release} made it, with ${path} in layout ${layout}, and this release, ${shippedVersion()}, reads ` +
          `up to layout ${newest}. Use release ${release}`,
      );
  }
  return manifest;
}

/** 0 for a database that this release does not know. */
function newestLayoutOf(path: string): number {
  const layouts = path.startsWith("knowledge/") ? INDEX : STORES[path];
  return layouts === undefined ? 0 : newestLayout(layouts);
}

async function manifestIn(folder: string): Promise<BackupManifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`it is no backup that this release reads: ${why}`, { cause: error });
  }
}

/** Returns where the files are that were there, `undefined` where there were none. */
function swap(dataDir: string, staging: string, present: readonly string[], at: Date): string | undefined {
  const swapping = join(dataDir, SWAPPING);
  // Of a restore that was cut off; what it took away lies aside.
  rmSync(swapping, { recursive: true, force: true });
  renameSync(staging, swapping);
  const aside = join(dataDir, `.before-${at.toISOString().replaceAll(/[:.]/g, "-")}`);
  if (present.length > 0) makePrivateFolder(aside);
  for (const name of present) renameSync(join(dataDir, name), join(aside, name));
  const restored = join(swapping, "data");
  for (const name of readdirSync(restored)) renameSync(join(restored, name), join(dataDir, name));
  rmSync(swapping, { recursive: true });
  return present.length > 0 ? aside : undefined;
}

async function tar(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { exitCode } = await runProgram("tar", args, TAR_OUTPUT_BYTES_MAX, signal);
  if (exitCode === 0) return;
  const why = args[0] === "--create" ? "look whether the disk has room" : "it is damaged, or no backup";
  throw new Error(`${why} (tar ended with code ${exitCode})`);
}
