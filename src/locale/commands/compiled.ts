/** Grammars as the build compiled them: to read and compile six languages took a fifth of the time of a start. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { shippedPath } from "../../lib/shipped-files.js";
import type { Grammar, WrittenGrammar } from "./file.js";
import { PhraseList } from "./lists.js";

/** What `scripts/compile-commands.js` writes. */
const COMPILED = shippedPath("dist/src/locale/commands/compiled.bin");

/** Those that the build compiled from these texts; undefined: it did not, or with other code, or for another Node. */
export function compiledGrammars(texts: readonly string[]): readonly Grammar[] | undefined {
  try {
    const { digest, grammars } = deserialize(readFileSync(COMPILED)) as Compiled;
    return digest === digestOf(texts) ? grammars.map(grammarOf) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps grammars for every start from these texts. */
export function keepCompiled(texts: readonly string[], written: readonly WrittenGrammar[]): void {
  const grammars = written.map(({ rules: _rules, templates: _templates, ...grammar }) => grammar);
  writeFileSync(COMPILED, serialize({ digest: digestOf(texts), grammars } satisfies Compiled));
}

interface Compiled {
  readonly digest: string;
  readonly grammars: readonly Grammar[];
}

/** Of what was read the lists have lost their methods. */
function grammarOf({ after, before, lists, within, ...grammar }: Grammar): Grammar {
  const list = ({ data }: PhraseList) => new PhraseList(data);
  const listOf = new Map([...lists].map(([name, one]) => [name, list(one)]));
  return { ...grammar, lists: listOf, before: list(before), after: list(after), within: list(within) };
}

/** Of the texts, of the code here, and of the engine. Hexadecimal digits. */
function digestOf(texts: readonly string[]): string {
  const folder = dirname(fileURLToPath(import.meta.url));
  const code = readdirSync(folder).filter((name) => /\.(?:js|ts)$/.test(name) && !name.endsWith(".d.ts"));
  const hash = createHash("sha256").update(process.versions.v8);
  for (const text of [...code.sort().map((name) => readFileSync(join(folder, name))), ...texts])
    hash.update(text).update("\0");
  return hash.digest("hex");
}
