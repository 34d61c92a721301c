// The last step of the build: reads the commands of every language once, so that no start of the service has to. What it
// writes is used for a file whose text is still the same; see `src/locale/commands/read-ahead.ts`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseYaml } from "../dist/src/lib/yaml.js";
import { digestOf, READ_AHEAD } from "../dist/src/locale/commands/read-ahead.js";

const folder = new URL("../locales/commands/", import.meta.url);
const texts = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
writeFileSync(
  READ_AHEAD,
  JSON.stringify(Object.fromEntries(texts.map((text) => [digestOf(text), parseYaml(text).data]))),
);
