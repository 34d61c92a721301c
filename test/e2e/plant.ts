/** The example plant as a site of the service in a test: a process of its own, with faults that a test plants in it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "./world.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SERVER = join(ROOT, "dist/examples/site/server.js");
const [SITE] = (
  JSON.parse(readFileSync(join(ROOT, "examples/site/settings.json"), "utf8")) as { sites: [SiteJson] }
).sites;

/** Settings of a resource as the file writes them. */
export interface ResourceJson {
  readonly address: string;
  readonly kind: string;
  readonly names: readonly [string, ...string[]];
  readonly parent?: string;
  readonly visibility?: string;
  readonly groups?: readonly string[];
}

interface SiteJson {
  readonly resources: readonly ResourceJson[];
}

export interface Plant {
  /** A site for the setting `sites`. */
  readonly site: object;
  /** Where it keeps what was done. */
  readonly directory: string;
  /** These faults count from now on, and no others; `examples/site/faults.ts` lists them. */
  fault(...lines: readonly string[]): void;
}

export interface PlantOptions {
  /** Settings of the site, besides those of the example. */
  readonly settings?: object;
  /** Of its command line. */
  readonly options?: readonly string[];
  /** What becomes of the resources of the example. */
  readonly resources?: (resources: readonly ResourceJson[]) => readonly object[];
}

/** Values stand still, so that two tests read the same. */
export function examplePlant({
  settings = {},
  options = [],
  resources = (all) => all,
}: PlantOptions = {}): Plant {
  const directory = temporaryDirectory();
  const command = [process.execPath, SERVER, "--state", directory, "--frozen", ...options];
  const server = { type: "mcp", command };
  return {
    site: { ...SITE, server, resources: resources(SITE.resources), ...settings },
    directory,
    fault: (...lines) => writeFileSync(join(directory, "faults"), lines.map((line) => `${line}\n`).join("")),
  };
}
