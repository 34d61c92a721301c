// Writes the golden vectors: one JSON file per case, bytes in hex and what they mean (README.md beside this file).
//   node protocol/golden/generate.mjs           writes them
//   node protocol/golden/generate.mjs --check   fails if the files differ from what would be written
//
// The bytes come from the naive encoder below and the meanings are written by hand: nothing here uses the package.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { envelopeCases } from "./cases-envelope.mjs";
import { relayCases } from "./cases-relay.mjs";
import { serviceCases } from "./cases-service.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const groups = { envelope: envelopeCases, relay: relayCases, service: serviceCases };
const check = process.argv.includes("--check");

let different = 0;
for (const [group, cases] of Object.entries(groups)) {
  const folder = join(here, group);
  const wanted = new Map(cases.map(({ name, ...rest }) => [`${name}.json`, `${JSON.stringify(rest, null, 2)}\n`]));
  if (wanted.size !== cases.length) throw new Error(`two cases of ${group} have one name`);
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) {
    if (wanted.has(file)) continue;
    different++;
    if (!check) rmSync(join(folder, file));
  }
  for (const [file, text] of wanted) {
    const path = join(folder, file);
    if (readIfThere(path) === text) continue;
    different++;
    if (!check) writeFileSync(path, text);
  }
}
console.log(`${check ? "differing" : "written or removed"}: ${different} files`);
if (check && different > 0) process.exitCode = 1;

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
