/** Sentences that templates stand for, made by chance from a seed, with arguments of the language's own lists. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../lib/random.js";
import { parseYaml } from "../../lib/yaml.js";
import { LOCALES_DIR } from "../load.js";
import { spelledOut, type WrittenGrammar } from "./file.js";
import { commandsFiles, grammarsOf } from "./load.js";
import { parseTemplate, type Template } from "./notation.js";

/** The grammars of all languages, with their templates. */
export const writtenGrammars = grammarsOf(await commandsFiles());

export interface UtteranceSample {
  readonly language: string;
  readonly intent: string;
  readonly fixed: Readonly<Record<string, string>>;
  readonly text: string;
  readonly section: string;
}

/** What open arguments are filled with. */
const OPEN: Readonly<Record<string, (lists: Lists, some: Some) => string>> = {
  target: (lists, some) => `${some(lists.equipment!)} 3`,
  thing: () => "skid 7",
  procedure: (lists, some) => some(lists.procedure!),
  value: (_, some) => some(["4", "4.5", "60"]),
  also: () => "skid 8",
  around: () => "skid 8",
  lesson: () => "skid 8",
  verb: () => "blix",
  word: () => "blix",
  topic: () => "skid 8",
  few: () => "skid 8",
  rest: () => "skid 8",
};

type Lists = Readonly<Record<string, readonly string[]>>;
type Some = <T>(of: readonly T[]) => T;

/** `each` samples of every sentence of a language. */
export function samplesOf(grammar: WrittenGrammar, each: number): readonly UtteranceSample[] {
  const random = seededRandom(7);
  const some: Some = (of) => of[Math.floor(random.fraction() * of.length)]!;
  const lists = listsOf(grammar);
  const said = (template: Template): string => {
    switch (template.type) {
      case "text":
        return template.text;
      case "rule":
        return said(grammar.rules.get(template.name)!);
      case "choice":
        return said(some(template.of));
      case "sequence":
        return template.parts
          .map(said)
          .filter((part) => part !== "")
          .join(" ");
      case "slot":
        return OPEN[template.list]?.(lists, some) ?? some(lists[template.list]!);
    }
  };
  const { language } = grammar;
  return grammar.templates.flatMap(({ accepted: { intent, fixed }, template, section }) =>
    Array.from({ length: each }, () => ({ language, intent, fixed, text: said(template), section })),
  );
}

/** The entries of every list of a language, spelled out. */
export function listsOf({ language, rules }: WrittenGrammar): Lists {
  const text = readFileSync(join(LOCALES_DIR, "commands", `${language}.yaml`), "utf8");
  const { lists } = parseYaml(text).data as {
    lists: Readonly<Record<string, readonly (string | { readonly in: string })[]>>;
  };
  return Object.fromEntries(
    Object.entries(lists).map(([name, entries]) => [
      name,
      entries.flatMap((entry) =>
        spelledOut(parseTemplate(typeof entry === "string" ? entry : entry.in), rules),
      ),
    ]),
  );
}
