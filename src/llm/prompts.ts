/**
 * The prompts, one Markdown file each (`prompts/`), so that operators can replace them without touching code. Everything
 * about them is checked when they are loaded; rendering can no longer fail.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { FrontMatterError, parseFrontMatter } from "../lib/front-matter.js";
import { shippedPath } from "../lib/shipped-files.js";

/** Every prompt that the service uses, with the variables that it fills in. A file may use fewer of them, not others. */
const CATALOGUE = {
  default: ["output", "not_found", "language"],
  onboarding: ["output", "not_found", "language"],
  kiosk: ["output", "not_found", "language"],
  "output-audio": [],
  "output-text": [],
  "language-of-question": ["tag"],
  "language-given": ["tag"],
  "retrieve-tool": [],
  quoted: [],
  "retrieve-tool-query": ["search_language"],
  "emergency-argument": [],
  passage: ["number", "title", "revision", "replaces", "section", "page", "text"],
  "passage-code": [
    "number",
    "title",
    "revision",
    "chunk",
    "type",
    "block",
    "section",
    "source",
    "tags",
    "text",
  ],
  "passages-none": [],
  "passages-shown": [],
  "passages-unavailable": ["search_unavailable"],
  "judge-statements": [],
  "judge-verdicts": [],
  "judge-question": [],
  "judge-usefulness": [],
  "judge-attribution": [],
  "draft-questions": [],
  drafting: [],
  "passages-unfitting": [],
  "suggested-questions": ["count", "language", "search_language"],
  "suggest-tool": [],
  summary: ["what", "language"],
  verify: [],
  attached: ["kind", "text"],
  "attached-note": [],
  conversational: ["output", "not_found", "language"],
  platform: ["output", "not_found", "language"],
  check: ["output", "not_found", "facts", "language"],
  "loop-look": [],
  "loop-nudge": ["calls", "turns"],
  "loop-firm": ["calls", "turns"],
  route: ["history"],
  "route-tool": ["routes"],
  "route-tool-attached": [],
  "routes/knowledge": [],
  "routes/conversational": [],
  "routes/platform": [],
  "routes/check": [],
  "routes/operate": [],
  "routes/guide": [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PromptName = keyof typeof CATALOGUE;

type VariableOf<Name extends PromptName> = (typeof CATALOGUE)[Name][number];

/** The values that a prompt needs: no argument at all when it has no variables. */
type ValuesOf<Name extends PromptName> = [VariableOf<Name>] extends [never]
  ? []
  : [values: Readonly<Record<VariableOf<Name>, string>>];

/** A prompt is missing or not as it should be. The message lists all such files, for the operator. */
export class PromptError extends Error {
  override readonly name = "PromptError";
}

export class Prompts {
  constructor(private readonly texts: ReadonlyMap<PromptName, string>) {}

  /**
   * The prompt with its variables filled in; a line all of whose variables are empty is left out. What a value
   * contains is never taken for a placeholder.
   */
  render<Name extends PromptName>(name: Name, ...[values]: ValuesOf<Name>): string {
    const given: Readonly<Record<string, string>> = values ?? {};
    const lines = (this.texts.get(name) ?? "").split("\n").filter((line) => {
      const variables = Array.from(line.matchAll(PLACEHOLDER), ([, variable]) => variable!);
      return variables.length === 0 || variables.some((variable) => given[variable] !== "");
    });
    return lines.join("\n").replace(PLACEHOLDER, (whole, variable: string) => given[variable] ?? whole);
  }
}

/** What a persona is told of the language to answer in. */
export function languageOf(
  {
    language,
    locale,
  }: { readonly language?: string | undefined; readonly locale: { readonly language: string } },
  prompts: Prompts,
): string {
  if (language === undefined) return prompts.render("language-of-question", { tag: locale.language });
  return prompts.render("language-given", { tag: language });
}

/** The prompts that come with the service. */
export const PROMPTS_DIR = shippedPath("prompts/");

/** Loads every prompt from `directory`. Rejects with one `PromptError` about everything that is wrong there. */
export async function loadPrompts(directory: string = PROMPTS_DIR): Promise<Prompts> {
  const texts = new Map<PromptName, string>();
  const problems: string[] = [];
  if (existsSync(join(directory, "phrases")))
    problems.push(
      `${join(directory, "phrases")}: fixed phrases are no prompts any more; put yours into locale.dir`,
    );
  for (const name of Object.keys(CATALOGUE) as PromptName[]) {
    const path = join(directory, `${name}.md`);
    const loaded = await loadPrompt(path, CATALOGUE[name]);
    if (typeof loaded === "string") texts.set(name, loaded);
    else problems.push(...loaded.map((problem) => `${path}: ${problem}`));
  }
  if (problems.length > 0)
    throw new PromptError(`Prompts cannot be used (llm.prompts_dir):\n${problems.join("\n")}`);
  return new Prompts(texts);
}

const PLACEHOLDER = /%([a-z][a-z0-9_]*)%/g;

const header = z.strictObject({
  description: z.string().optional(),
  variables: z.array(z.string()).default([]),
});

/** The text of one prompt, or what is wrong with its file. */
async function loadPrompt(path: string, known: readonly string[]): Promise<string | string[]> {
  const file = await read(path);
  if (file === undefined) return ["the file is missing"];
  try {
    const { data, body } = parseFrontMatter(file);
    const parsed = header.safeParse(data);
    if (!parsed.success) return parsed.error.issues.map((issue) => `front matter: ${issue.message}`);
    const text = body.trim();
    const problems = variableProblems(text, parsed.data.variables, known);
    if (text === "") problems.push("there is no text");
    return problems.length > 0 ? problems : text;
  } catch (error) {
    if (error instanceof FrontMatterError) return [error.message];
    throw error;
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Declared, used and known variables have to agree. */
function variableProblems(text: string, declared: readonly string[], known: readonly string[]): string[] {
  const used = new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name!));
  const hint = known.length === 0 ? "this prompt has no variables" : `there are: ${known.join(", ")}`;
  return [
    ...[...used].filter((name) => !known.includes(name)).map((name) => `%${name}% is unknown here (${hint})`),
    ...[...used]
      .filter((name) => known.includes(name) && !declared.includes(name))
      .map((name) => `%${name}% is used, but not declared under "variables"`),
    ...declared
      .filter((name) => !used.has(name))
      .map((name) => `the variable "${name}" is declared, but %${name}% is not in the text`),
  ];
}
