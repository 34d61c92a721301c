/** Loads the commands of every language: `locales/commands/<language>.yaml`. All of them are checked by the build. */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { LOCALES_DIR } from "../load.js";
import { compiledGrammars } from "./compiled.js";
import { type Grammar, readGrammar, type WrittenGrammar } from "./file.js";

/** Files of commands are not as they should be. The message lists all of it, each with its line. */
export class CommandsError extends Error {
  override readonly name = "CommandsError";
}

/** A file of commands, as it is written. */
interface CommandsFile {
  readonly path: string;
  readonly text: string;
}

/** Those that come with the service; compiled anew where their files are not those of the build. Rejects with `CommandsError`. */
export async function loadGrammars(): Promise<readonly Grammar[]> {
  const files = await commandsFiles();
  return compiledGrammars(files.map(({ text }) => text)) ?? grammarsOf(files);
}

/** The files of a directory, by name. */
export async function commandsFiles(
  directory = join(LOCALES_DIR, "commands"),
): Promise<readonly CommandsFile[]> {
  const names = (await readdir(directory)).filter((one) => one.endsWith(".yaml")).sort();
  const paths = names.map((name) => join(directory, name));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, "utf8") })));
}

/** Throws one `CommandsError` about everything that is wrong. */
export function grammarsOf(files: readonly CommandsFile[]): readonly WrittenGrammar[] {
  const problems: string[] = [];
  const read = files.flatMap(({ path, text }) => {
    const grammar = readGrammar(text, path, basename(path, ".yaml"), problems);
    return grammar === undefined ? [] : [{ grammar, path }];
  });
  const known = new Set(read.flatMap(({ grammar }) => intentsOf(grammar)));
  for (const { grammar, path } of read) {
    const own = new Set(intentsOf(grammar));
    for (const intent of known)
      if (!own.has(intent)) problems.push(`${path}: there is nothing for "${intent}"`);
  }
  if (problems.length > 0) throw new CommandsError(`Commands cannot be used:\n${problems.join("\n")}`);
  return read.map(({ grammar }) => grammar);
}

/** What a language has sentences for, with the arguments that they give: "intents operate action=open". */
export function intentsOf({ templates }: WrittenGrammar): readonly string[] {
  return templates.map(({ accepted: { intent, fixed }, section }) =>
    [section, intent, ...Object.entries(fixed).map(([name, value]) => `${name}=${value}`)].join(" "),
  );
}
