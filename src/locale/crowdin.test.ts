/** What `crowdin.yml` names is what there is, and what translators' tools bring back changes no byte that they did not. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseYaml } from "../lib/yaml.js";
import { LOCALES_DIR } from "./load.js";

const ROOT = join(LOCALES_DIR, "..");
const LANGUAGES = readdirSync(LOCALES_DIR)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -".json".length));

interface CrowdinFile {
  readonly source: string;
  readonly translation: string;
  readonly type: string;
}

const crowdin = parseYaml(readFileSync(join(ROOT, "crowdin.yml"), "utf8")).data as {
  readonly project_id_env: string;
  readonly api_token_env: string;
  readonly files: readonly CrowdinFile[];
};

it("takes project and token from the environment, and holds neither", () => {
  expect(crowdin).toMatchObject({
    project_id_env: "CROWDIN_PROJECT_ID",
    api_token_env: "CROWDIN_PERSONAL_TOKEN",
  });
  expect(Object.keys(crowdin).filter((key) => /^(?:project_id|api_token)$/.test(key))).toEqual([]);
});

it("names the source and every translation of it, and nothing else", () => {
  const [file, ...others] = crowdin.files;
  expect(others).toEqual([]);
  expect(file).toMatchObject({ source: "/locales/en.json", type: "json" });
  const named = LANGUAGES.map((code) => file!.translation.replace("%two_letters_code%", code));
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(named).toContain(file!.source);
  expect(LANGUAGES.filter((code) => code.length !== 2)).toEqual([]);
});

it.each(LANGUAGES)("comes back from an export and an import of %s as it was", (language) => {
  const read = (code: string) => readFileSync(join(LOCALES_DIR, `${code}.json`), "utf8");
  const source = JSON.parse(read("en")) as Record<string, string>;
  const translated = JSON.parse(read(language)) as Record<string, string>;
  // An import writes the translations into the form of the source: its keys, in its order.
  const imported = Object.fromEntries(Object.keys(source).map((key) => [key, translated[key]]));
  expect(`${JSON.stringify(imported, null, 2)}\n`).toBe(read(language));
});
