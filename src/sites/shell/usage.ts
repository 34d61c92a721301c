/**
 * The notation in which `programs.ts` writes down what is known to only read. A line has names of programs, ` > ` names of
 * subcommands (`.` is none), a colon, and what they may be given; it goes on in lines that are indented. A program of two
 * lines may be used by either. `$name = …` is put in where `$name` stands. Options come in these forms:
 *
 * | | |
 * |---|---|
 * | `-abc` | three flags |
 * | `-n:`, `-p?` | takes a value; may have one attached |
 * | `-O=a\|b`, `-c@psql` | takes one of these values; one that `CONTENT` judges |
 * | `-#` | any number |
 * | `-f~` | does not end by itself |
 * | `!-c`, `^-n:` | one of those with `!` must be there; one of those with `^`, or it does not end |
 * | `*` | all options and operands only read, even those that are not listed |
 * | `single` | a word such as `-name` is one option, and there is no `--` |
 * | `/any` | files are looked at and not opened, so any may be named |
 * | `#1-2`, `#0` | how many operands |
 * | `/^…$/` | what the operands, joined by blanks, must match; of a wrapper, what stands before its command |
 * | `first:awk` | which operands are judged by what they say: `first`, `all` or `rest` |
 * | `wraps:command` | the operands are a command of its own; `bounded`: it is ended after a time; `appended`: words are added to |
 * | | it; `shell`: they are joined and read by a shell; `redis`: they are a command of Redis |
 */
import { CONTENT, type ContentName } from "./content.js";

export interface ProgramUsages {
  readonly usages: Usage[];
  readonly subcommands: Map<string, ProgramUsages>;
}

export interface Usage {
  readonly options: ReadonlyMap<string, ProgramOption>;
  readonly required: readonly string[];
  readonly requiredToEnd: readonly string[];
  readonly isFree: boolean;
  readonly isSingle: boolean;
  readonly opensNothing: boolean;
  readonly operandsMin: number;
  readonly operandsMax: number;
  readonly pattern: RegExp | undefined;
  readonly judged: { readonly from: number; readonly to: number; readonly by: ContentName } | undefined;
  readonly wraps: string | undefined;
}

export interface ProgramOption {
  readonly takes: "nothing" | "a value" | "an attached value";
  readonly isEndless: boolean;
  /** What it may be given; absent: anything. */
  readonly values: readonly string[] | undefined;
  readonly judge: ContentName | undefined;
}

/** Reads lines of the notation. Throws where one is none. */
export function readUsages(text: string): ReadonlyMap<string, ProgramUsages> {
  const programs = new Map<string, ProgramUsages>();
  const shared = new Map<string, string>();
  for (const line of text.replace(/\n +/g, " ").split("\n").filter(Boolean)) {
    const definition = /^(\$\w+) = (.*)$/.exec(line);
    const colon = line.search(/(?<! ):(?: |$)/);
    if (definition !== null) shared.set(definition[1]!, definition[2]!);
    else if (colon < 0) throw new Error(`not a usage: ${line}`);
    else {
      const listed = line.slice(colon + 1).replace(/\$[a-z]+/g, (name) => shared.get(name) ?? name);
      addUsage(programs, line.slice(0, colon).split(" > "), readUsage(listed.trim()));
    }
  }
  return programs;
}

function addUsage(
  commands: Map<string, ProgramUsages>,
  [names, ...path]: readonly string[],
  usage: Usage,
): void {
  for (const name of names!.split(" ")) {
    const command = commands.get(name) ?? { usages: [], subcommands: new Map<string, ProgramUsages>() };
    commands.set(name, command);
    if (path.length === 0) command.usages.push(usage);
    else addUsage(command.subcommands, path, usage);
  }
}

const MARKS: ReadonlySet<string> = new Set(["*", "single", "/any"]);

function readUsage(text: string): Usage {
  const at = ` ${text}`.indexOf(" /^");
  const source = at < 0 ? undefined : text.slice(at + 1, -1);
  const listed = at < 0 ? text : text.slice(0, at);
  const words = listed.split(" ").filter(Boolean);
  const isSingle = words.includes("single");
  const options = new Map<string, ProgramOption>();
  const needs: Record<string, string[]> = { "!": [], "^": [] };
  const [details, listedOptions] = [new Map<string, string>(), words.filter((word) => !MARKS.has(word))];
  for (const word of listedOptions) {
    const [, key, value] = /^(#|first|all|rest|wraps)[:]?([\w-]+)$/.exec(word) ?? [];
    if (key !== undefined) details.set(key, value!);
    else
      for (const [need, name, option] of readOption(word, isSingle)) {
        options.set(name, option);
        needs[need]?.push(name);
      }
  }
  const [min = "0", max = min] = (details.get("#") ?? "0-").split("-");
  const [which, by] = [...details].find(([key]) => ["first", "all", "rest"].includes(key)) ?? [];
  return {
    options,
    required: needs["!"]!,
    requiredToEnd: needs["^"]!,
    isFree: words.includes("*"),
    isSingle,
    opensNothing: words.includes("/any"),
    operandsMin: Number(min),
    operandsMax: max === "" ? Number.POSITIVE_INFINITY : Number(max),
    pattern: source === undefined ? undefined : new RegExp(source),
    judged:
      by === undefined
        ? undefined
        : {
            from: which === "rest" ? 1 : 0,
            to: which === "first" ? 1 : Number.POSITIVE_INFINITY,
            by: contentName(by),
          },
    wraps: details.get("wraps"),
  };
}

function readOption(word: string, isSingle: boolean): [need: string, name: string, option: ProgramOption][] {
  const form = /^([!^]?)(--?[\w.#-]+?)(?:([:?])|=(\S+)|@(\w+))?(~?)$/.exec(word);
  if (form === null) throw new Error(`not an option: ${word}`);
  const [, need = "", name = "", takes, values, judge, endless] = form;
  const hasValue = takes === ":" || values !== undefined || judge !== undefined;
  const option: ProgramOption = {
    takes: hasValue ? "a value" : takes === "?" ? "an attached value" : "nothing",
    isEndless: endless === "~",
    values: values?.split("|"),
    judge: judge === undefined ? undefined : contentName(judge),
  };
  const names =
    !isSingle && /^-[^-]{2}/.test(name) ? [...name.slice(1)].map((letter) => `-${letter}`) : [name];
  return names.map((one) => [need, one, option]);
}

function contentName(name: string): ContentName {
  if (!Object.hasOwn(CONTENT, name)) throw new Error(`nothing judges ${name}`);
  return name as ContentName;
}
