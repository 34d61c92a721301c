/** What is known to only read, as `programs.txt` says it; the notation is described there. */
import { judgeAwk, judgeSed } from "./content.js";
import { judgeSql, judgeSqlOfMysql } from "./sql.js";
import { anyOf, type CommandVerdict, everyOf, READS, READS_BY_CONTENT, refuse } from "./verdict.js";

/** A program, or a subcommand of one. It may be used by any of its usages. */
export interface ProgramUsages {
  readonly usages: Usage[];
  readonly subcommands: Map<string, ProgramUsages>;
}

/** One way of using it, as a row says it. */
export interface Usage {
  readonly options: ReadonlyMap<string, ProgramOption>;
  readonly isFree: boolean;
  readonly isSingle: boolean;
  readonly opensNothing: boolean;
  readonly operandsMin: number;
  readonly operandsMax: number;
  readonly pattern: RegExp | undefined;
  /** Which operands are judged by what they say. */
  readonly places: readonly [from: number, to?: number];
  readonly judge: TextJudge | undefined;
  /** One of `WRAPS`, or what judges the operands as one text. */
  readonly wraps: string | TextJudge | undefined;
}

export interface ProgramOption {
  /** `!`: one of the usage's options of this kind must be there. `^`: or it does not end. */
  readonly need: string;
  /** `:`: a value. `?`: a value that is attached. */
  readonly takes: string;
  readonly isEndless: boolean;
  /** Judges the value; absent: it may be anything. */
  readonly judge: TextJudge | undefined;
}

/** Judges a text by what it says. */
export type TextJudge = (text: string, around: Surroundings) => CommandVerdict;

/** What a command stands in. */
export interface Surroundings {
  /** Whether it is ended after a time. */
  readonly isBounded: boolean;
  /** How many commands, scripts and groups it stands in. */
  readonly depth: number;
  /** Judges what a shell reads. */
  readonly judgeScript: TextJudge;
}

type Judges = Map<string, readonly TextJudge[]>;

/** What the notation calls the judges that are no patterns. */
const JUDGES: Readonly<Record<string, readonly TextJudge[]>> = {
  awk: [judgeAwk],
  sed: [judgeSed],
  sql: [judgeSql],
  sqlOfMysql: [judgeSqlOfMysql],
  shell: [(text, around) => everyOf([READS_BY_CONTENT, around.judgeScript(text, around)])],
};

/** Reads rows of the notation: programs by their names. Throws where one is none. */
export function readPrograms(rows: readonly string[]): ReadonlyMap<string, ProgramUsages> {
  const programs = new Map<string, ProgramUsages>();
  const shared = new Map<string, string>();
  const judges: Judges = new Map(Object.entries(JUDGES));
  for (const row of rows.join("\n").replace(/\n +/g, " ").split("\n")) {
    const [, name, value] = /^([$@]\w+) = (.*)$/.exec(row) ?? [];
    const colon = row.search(/(?<! ):(?: |$)/);
    if (name?.startsWith("@")) addContent(judges, name.slice(1), value!);
    else if (name !== undefined) shared.set(name, value!);
    else if (colon < 0) throw new Error(`not a usage: ${row}`);
    else {
      const listed = row.slice(colon + 1).replace(/\$[a-z]+/g, (one) => shared.get(one) ?? one);
      addUsage(programs, row.slice(0, colon).split(" > "), readUsage(listed.trim(), judges));
    }
  }
  return programs;
}

function addContent(judges: Judges, name: string, value: string): void {
  const [, source, flags] = /^\/(.*)\/(\w*)$/.exec(value) ?? [];
  const known = source === undefined ? judgeOf(judges, value) : matching(name, new RegExp(source, flags));
  judges.set(name, [...(judges.get(name) ?? []), known]);
}

function matching(name: string, known: RegExp): TextJudge {
  return (text) =>
    known.test(text) ? READS_BY_CONTENT : refuse(`what is given for ${name} is not known to only read`);
}

function judgeOf(judges: Judges, name: string): TextJudge {
  const either = judges.get(name);
  if (either === undefined) throw new Error(`nothing judges ${name}`);
  return (text, around) => anyOf(either.map((judge) => judge(text, around)));
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

/** The operands that are judged by what they say: from which place on, and up to which. */
const PLACES: Readonly<Record<string, readonly [from: number, to?: number]>> = {
  first: [0, 1],
  all: [0],
  rest: [1],
};

/** What a wrapper does with the command that it is given. */
const WRAPS: ReadonlySet<string | undefined> = new Set([undefined, "command", "bounded", "appended"]);

/** The usage of one that is given nothing, or `text` in the notation. Throws where that is none. */
export function readUsage(text = "", judges: Judges = new Map()): Usage {
  const at = ` ${text}`.indexOf(" /^");
  const [listed, source] = at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1, -1)];
  const words = listed!.split(" ").filter(Boolean);
  const details = new Map<string, string>();
  const options = new Map<string, ProgramOption>();
  for (const word of words) {
    const [, key, value = ""] =
      /^(\*|single|any|(?:operands|first|all|rest|wraps)(?=:)):?(\S*)$/.exec(word) ?? [];
    if (key !== undefined) details.set(key, value);
    else
      for (const [name, option] of readOption(word, words.includes("single"), judges))
        options.set(name, option);
  }
  const [min = "0", max = min] = (details.get("operands") ?? "0-").split("-");
  const place = Object.keys(PLACES).find((one) => details.has(one)) ?? "all";
  const content = details.get(place);
  const wraps = details.get("wraps");
  return {
    options,
    isFree: details.has("*"),
    isSingle: details.has("single"),
    opensNothing: details.has("any"),
    operandsMin: Number(min),
    operandsMax: max === "" ? Number.POSITIVE_INFINITY : Number(max),
    pattern: source === undefined ? undefined : new RegExp(source),
    places: PLACES[place]!,
    judge: content === undefined ? undefined : judgeOf(judges, content),
    wraps: WRAPS.has(wraps) ? wraps : judgeOf(judges, wraps!),
  };
}

const OPTION = /^([!^]?)(--?[\w.#-]+?)(?:([:?])|=(\S+)|@(\w+))?(~?)$/;

function readOption(word: string, isSingle: boolean, judges: Judges): [string, ProgramOption][] {
  const form = OPTION.exec(word);
  if (form === null) throw new Error(`not an option: ${word}`);
  const [, need = "", name = "", takes = "", values, content, endless] = form;
  const judge = content !== undefined ? judgeOf(judges, content) : values && oneOf(values.split("|"));
  const option = { need, takes: judge ? ":" : takes, isEndless: endless === "~", judge: judge || undefined };
  const isGroup = !isSingle && /^-[^-]{2}/.test(name);
  return (isGroup ? [...name.slice(1)].map((letter) => `-${letter}`) : [name]).map((one) => [one, option]);
}

function oneOf(values: readonly string[]): TextJudge {
  return (text) => (values.includes(text) ? READS : refuse(`the value is none of ${values.join(", ")}`));
}
