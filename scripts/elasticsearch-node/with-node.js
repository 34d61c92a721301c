#!/usr/bin/env node
// Runs a command beside a real Elasticsearch node that is made for it and ended with it:
//   node scripts/elasticsearch-node/with-node.js <command> [arguments]
// The command finds the node's address in ELASTICSEARCH_URL; its exit code is this one's.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const BUILD = fileURLToPath(new URL("build.sh", import.meta.url));
/** Enough for some ten thousand chunks. */
const HEAP = ["-Xms512m", "-Xmx1g"];

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error("Usage: with-node.js <command> [arguments]");
  process.exit(2);
}

const built = execFileSync(BUILD, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
const home = mkdtempSync(join(tmpdir(), "readback-elasticsearch-"));
mkdirSync(join(home, "config"));
// Its modules have to lie in its own folder.
cpSync(join(built, "modules"), join(home, "modules"), { recursive: true });
const classPath = `${join(built, "classes/node")}:${join(built, "lib/*")}`;
// It ends when its standard input does, however this process ends.
const node = spawn("java", [...HEAP, "-cp", classPath, "LocalNode", home], {
  stdio: ["pipe", "pipe", "inherit"],
});
const gone = new Promise((resolve) => node.once("close", resolve));

try {
  const url = await Promise.race([addressOf(node.stdout), gone.then(() => undefined)]);
  if (url === undefined) throw new Error("The Elasticsearch node ended before it was ready.");
  process.exitCode = await run(url);
} finally {
  node.stdin.end();
  await gone;
  rmSync(home, { recursive: true, force: true });
}

async function addressOf(output) {
  for await (const line of createInterface(output)) {
    const [, url] = /^ready (http\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  return undefined;
}

function run(url) {
  const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ELASTICSEARCH_URL: url } });
  // Ctrl-C reaches the command by itself; a signal that was sent to this process alone does not.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
