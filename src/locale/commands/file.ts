/** The commands of one language from its file: lists, rules, what is said around a command, sentences of each intent. */
import { z } from "zod";
import { parseYaml, type Yaml, YamlError } from "../../lib/yaml.js";
import { type Acceptance, type AutomatonState, Compiler, union } from "./automaton.js";
import {
  BUILD_ORDERS,
  type BuildOrder,
  INTENTS,
  type Intent,
  PHRASES,
  type Phrase,
  RUN_ORDERS,
  type RunOrder,
} from "./intents.js";
import { LISTS_NEEDED, OPEN_LISTS, PhraseList } from "./lists.js";
import { parseTemplate, type Template, TemplateError } from "./notation.js";
import { wordsOf } from "./words.js";

/** What can be said in one language. */
export interface Grammar {
  readonly language: string;
  /** Sentences that are all that was said. */
  readonly sentences: AutomatonState;
  /** Words that tell something wherever they stand. */
  readonly phrases: AutomatonState;
  /** What can be said to a guide that leads somebody. */
  readonly run: AutomatonState;
  /** What can be said to a guide that is written down. */
  readonly build: AutomatonState;
  readonly lists: ReadonlyMap<string, PhraseList>;
  readonly before: PhraseList;
  readonly after: PhraseList;
  /** What may stand between any two words and means nothing. */
  readonly within: PhraseList;
}

/** With the templates that it was made from. */
export interface WrittenGrammar extends Grammar {
  /** Every template with what it is for: tests make their samples of them. */
  readonly templates: readonly {
    readonly accepted: Acceptance;
    readonly template: Template;
    /** "intents", "phrases", "run" or "build". */
    readonly section: string;
  }[];
  readonly rules: ReadonlyMap<string, Template>;
}

const values = z.array(z.union([z.string(), z.strictObject({ in: z.string(), out: z.string() })]));
const blocks = z.array(
  z.union([
    z.string(),
    z.strictObject({ slots: z.record(z.string(), z.string()), sentences: z.array(z.string()).min(1) }),
  ]),
);
const file = z.strictObject({
  /** Lists whose nouns may end a longer word. */
  compounds: z.array(z.string()).default([]),
  lists: z.record(z.string(), values),
  rules: z.record(z.string(), z.string()).default({}),
  skip: z.strictObject({ before: values, after: values, within: values }),
  intents: z.record(z.enum(Object.keys(INTENTS) as [Intent, ...Intent[]]), blocks),
  phrases: z.record(z.enum(Object.keys(PHRASES) as [Phrase, ...Phrase[]]), blocks),
  run: z.record(z.enum(Object.keys(RUN_ORDERS) as [RunOrder, ...RunOrder[]]), blocks),
  build: z.record(z.enum(Object.keys(BUILD_ORDERS) as [BuildOrder, ...BuildOrder[]]), blocks),
});

type Blocks = z.infer<typeof blocks>;

/** Adds what is wrong to `problems`, each with `path` and its line. */
export function readGrammar(
  text: string,
  path: string,
  language: string,
  problems: string[],
): WrittenGrammar | undefined {
  const before = problems.length;
  try {
    const yaml = parseYaml(text);
    const parsed = file.safeParse(yaml.data);
    if (parsed.success) {
      const grammar = new Builder(yaml, path, problems).grammar(parsed.data, language);
      return problems.length === before ? grammar : undefined;
    }
    for (const { path: at, message } of parsed.error.issues)
      problems.push(`${path}:${yaml.lineOf(at)}: ${at.join(".")}: ${message}`);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    problems.push(`${path}:${error.line}: ${error.message}`);
  }
  return undefined;
}

/** Phrases that one entry of a list may be written as. */
const ENTRY_SPELLINGS_MAX = 2_000;
const RULE_DEPTH_MAX = 8;

class Builder {
  readonly #rules = new Map<string, Template>();
  readonly #compiler = new Compiler(this.#rules);
  readonly #lists = new Map<string, PhraseList>();
  readonly #templates: WrittenGrammar["templates"][number][] = [];

  constructor(
    private readonly yaml: Yaml,
    private readonly path: string,
    private readonly problems: string[],
  ) {}

  grammar(read: z.infer<typeof file>, language: string): WrittenGrammar {
    for (const [name, rule] of Object.entries(read.rules)) {
      const template = this.#parsed(rule, ["rules", name]);
      if (template !== undefined) this.#rules.set(name, template);
    }
    for (const [name, entries] of Object.entries(read.lists))
      this.#lists.set(name, this.#phrases(entries, ["lists", name], read.compounds.includes(name)));
    for (const name of LISTS_NEEDED)
      if (!this.#lists.has(name)) this.#complain(["lists"], `there is no list "${name}"`);
    const sentences = this.#states(read.intents, INTENTS, "intents");
    const phrases = this.#states(read.phrases, PHRASES, "phrases");
    const run = this.#states(read.run, RUN_ORDERS, "run");
    const build = this.#states(read.build, BUILD_ORDERS, "build");
    return {
      language,
      sentences,
      phrases,
      run,
      build,
      lists: this.#lists,
      before: this.#phrases(read.skip.before, ["skip", "before"], false),
      after: this.#phrases(read.skip.after, ["skip", "after"], false),
      within: this.#phrases(read.skip.within, ["skip", "within"], false),
      templates: this.#templates,
      rules: this.#rules,
    };
  }

  #states(
    read: Readonly<Record<string, Blocks | undefined>>,
    known: Readonly<Record<string, readonly string[]>>,
    section: string,
  ): AutomatonState {
    const states = Object.entries(known).flatMap(([intent, names]) =>
      (read[intent] ?? []).flatMap((block, i) => {
        const { slots, sentences } = typeof block === "string" ? { slots: {}, sentences: [block] } : block;
        const at = [section, intent, i];
        for (const name of Object.keys(slots))
          if (!names.includes(name)) this.#complain([...at, "slots", name], `${intent} takes no "${name}"`);
        return sentences.map((sentence, k) =>
          this.#state(
            sentence,
            { intent, fixed: slots },
            names,
            typeof block === "string" ? at : [...at, "sentences", k],
          ),
        );
      }),
    );
    return union(states);
  }

  #state(
    sentence: string,
    accepted: Acceptance,
    names: readonly string[],
    at: readonly PropertyKey[],
  ): AutomatonState {
    const accepting: AutomatonState = { words: new Map(), slots: [], accepts: [accepted] };
    const template = this.#parsed(sentence, at);
    if (template === undefined || !this.#isSound(template, names, at)) return accepting;
    this.#templates.push({ accepted, template, section: String(at[0]) });
    const state = this.#compiler.compile(template, accepting);
    if (state.accepts.length > 0) this.#complain(at, `"${sentence}" can be no words at all`);
    return state;
  }

  #isSound(
    template: Template,
    names: readonly string[] | undefined,
    at: readonly PropertyKey[],
    depth = 0,
  ): boolean {
    switch (template.type) {
      case "text":
        return true;
      case "slot": {
        const isList = this.#lists.has(template.list) || OPEN_LISTS.includes(template.list);
        if (!isList) this.#complain(at, `there is no list "${template.list}"`);
        const { name } = template;
        const isTaken = names === undefined || names.includes(name) || UNNAMED.has(name);
        if (!isTaken)
          this.#complain(at, `"${name}" is no argument here (there are: ${names.join(", ") || "none"})`);
        return isList && isTaken;
      }
      case "rule": {
        const rule = this.#rules.get(template.name);
        if (rule === undefined) this.#complain(at, `there is no rule "${template.name}"`);
        else if (depth >= RULE_DEPTH_MAX) this.#complain(at, `the rule "${template.name}" holds itself`);
        return rule !== undefined && depth < RULE_DEPTH_MAX && this.#isSound(rule, names, at, depth + 1);
      }
      case "sequence":
        return template.parts.every((part) => this.#isSound(part, names, at, depth));
      case "choice":
        return template.of.every((one) => this.#isSound(one, names, at, depth));
    }
  }

  #phrases(entries: z.infer<typeof values>, at: readonly PropertyKey[], compounds: boolean): PhraseList {
    const phrases = new PhraseList({ compounds, root: new Map(), nouns: new Set() });
    for (const [i, entry] of entries.entries()) {
      const { in: written, out } = typeof entry === "string" ? { in: entry, out: undefined } : entry;
      const template = this.#parsed(written, [...at, i]);
      if (template === undefined || !this.#isSound(template, [], [...at, i])) continue;
      for (const text of spelledOut(template, this.#rules))
        phrases.add(
          wordsOf(text).map(({ text: word }) => word),
          out,
        );
    }
    return phrases;
  }

  #parsed(written: string, at: readonly PropertyKey[]): Template | undefined {
    try {
      return parseTemplate(written);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.#complain(at, error.message);
      return undefined;
    }
  }

  #complain(at: readonly PropertyKey[], message: string): void {
    this.problems.push(`${this.path}:${this.yaml.lineOf(at)}: ${message}`);
  }
}

/** Arguments of any template that nobody asks for. */
const UNNAMED: ReadonlySet<string> = new Set(["rest", "also", "around", "verb", "word", "value"]);

/** All that a template without arguments stands for, the first two thousand. */
export function spelledOut(template: Template, rules: ReadonlyMap<string, Template>): readonly string[] {
  switch (template.type) {
    case "text":
      return [template.text];
    case "slot":
      return [];
    case "rule":
      return spelledOut(rules.get(template.name)!, rules);
    case "choice":
      return template.of.flatMap((one) => spelledOut(one, rules));
    case "sequence":
      return template.parts.reduce<readonly string[]>(
        (found, part) => {
          const endings = spelledOut(part, rules);
          return found
            .flatMap((text) => endings.map((ending) => `${text} ${ending}`.trim()))
            .slice(0, ENTRY_SPELLINGS_MAX);
        },
        [""],
      );
  }
}
