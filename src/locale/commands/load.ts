/** Loads the commands of every language: `locales/commands/<language>.yaml`. All of them are checked here, at the start. */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { LOCALES_DIR } from "../load.js";
import { type Grammar, readGrammar } from "./file.js";

/** Files of commands are not as they should be. The message lists all of it, each with its line. */
export class CommandsError extends Error {
  override readonly name = "CommandsError";
}

/** Rejects with one `CommandsError` about everything that is wrong. */
export async function loadGrammars(directory = join(LOCALES_DIR, "commands")): Promise<readonly Grammar[]> {
  const problems: string[] = [];
  const grammars: Grammar[] = [];
  for (const name of (await readdir(directory)).filter((one) => one.endsWith(".yaml")).sort()) {
    const path = join(directory, name);
    const grammar = readGrammar(await readFile(path, "utf8"), path, basename(name, ".yaml"), problems);
    if (grammar !== undefined) grammars.push(grammar);
  }
  const known = new Set(grammars.flatMap(intentsOf));
  for (const grammar of grammars) {
    const own = new Set(intentsOf(grammar));
    for (const intent of known)
      if (!own.has(intent))
        problems.push(`${join(directory, grammar.language)}.yaml: there is nothing for "${intent}"`);
  }
  if (problems.length > 0) throw new CommandsError(`Commands cannot be used:\n${problems.join("\n")}`);
  return grammars;
}

/** What a language has sentences for, with the arguments that they give: "intents operate action=open". */
export function intentsOf({ templates }: Grammar): readonly string[] {
  return templates.map(({ accepted: { intent, fixed }, section }) =>
    [section, intent, ...Object.entries(fixed).map(([name, value]) => `${name}=${value}`)].join(" "),
  );
}
