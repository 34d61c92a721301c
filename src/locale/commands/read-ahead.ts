/** Files of commands as the build has read them: reading YAML took a tenth of the time of a start. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { shippedPath } from "../../lib/shipped-files.js";
import { parseYaml, type Yaml } from "../../lib/yaml.js";

/** What `scripts/read-commands.js` writes: values by the digest of the text that they were read from. */
export const READ_AHEAD = shippedPath("dist/src/locale/commands/read-ahead.json");

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

let read: Readonly<Record<string, unknown>> | undefined;

/** As `parseYaml`, which is asked for a text that the build did not have, and where a line has to be told. */
export function commandsIn(text: string): Yaml {
  read ??= existsSync(READ_AHEAD) ? JSON.parse(readFileSync(READ_AHEAD, "utf8")) : {};
  const data = read![digestOf(text)];
  return data === undefined ? parseYaml(text) : { data, lineOf: (path) => parseYaml(text).lineOf(path) };
}
