/** The settings of the example plant, for a service of a test: it starts the plant as a process of its own. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface ExampleSite {
  readonly [setting: string]: unknown;
  readonly name: string;
  readonly resources: readonly { readonly address: string; readonly names: readonly string[] }[];
}

/** Its values stand still; what it keeps is in `stateDir`. */
export function exampleSite(stateDir: string): ExampleSite {
  const { sites } = JSON.parse(readFileSync(`${ROOT}examples/site/settings.json`, "utf8")) as {
    sites: readonly [ExampleSite];
  };
  const command = [process.execPath, `${ROOT}dist/examples/site/server.js`, "--state", stateDir, "--frozen"];
  return { ...sites[0], server: { type: "mcp", command } };
}
