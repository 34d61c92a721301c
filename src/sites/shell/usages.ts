/** What is known to only read, as `programs.txt` says it; the notation is described there. */

/** Programs by their names, or the subcommands of one. Each may be used by any of its usages. */
export type Programs = Map<string, Program>;
type Program = { readonly usages: Usage[]; readonly subcommands: Programs };

export type Usage = ReturnType<typeof readUsage>;

/** Refuses a text that is not known to only read. */
export type TextJudge = (text: string, around: Surroundings) => void;

/** What a command stands in. */
export interface Surroundings {
  /** Whether it is ended after a time. */
  readonly isBounded: boolean;
  /** How many commands, scripts and groups it stands in. */
  readonly depth: number;
}

const DEPTH_MAX = 16;

export function deeper(around: Surroundings): Surroundings {
  if (around.depth >= DEPTH_MAX) refuse("the command is nested too deeply");
  return { ...around, depth: around.depth + 1 };
}

/** Reads rows of the notation. Throws where one is none. `known`: what judges contents by code. */
export function readPrograms(rows: readonly string[], known: Readonly<Record<string, TextJudge>>): Programs {
  const programs: Programs = new Map();
  const shared = new Map<string, string>();
  const judges = new Map(Object.entries(known));
  for (const written of rows.join("\n").replace(/\n +/g, " ").split("\n")) {
    const row = written.replace(/(?<!^)\$[a-z]+/g, (one) => shared.get(one) ?? one);
    const [, name, value] = /^([$@]\w+) = (.*)$/.exec(row) ?? [];
    const colon = row.search(/(?<! ):(?: |$)/);
    if (name?.startsWith("@")) addContent(judges, name.slice(1), value!);
    else if (name !== undefined) shared.set(name, value!);
    else if (colon < 0) throw new Error(`not a usage: ${row}`);
    else addUsage(programs, row.slice(0, colon).split(" > "), readUsage(row.slice(colon + 1).trim(), judges));
  }
  return programs;
}

function addUsage(known: Programs, [names = "", ...path]: readonly string[], usage: Usage): void {
  for (const name of names.split(" ")) {
    const program: Program = known.get(name) ?? { usages: [], subcommands: new Map() };
    known.set(name, program);
    if (path.length === 0) program.usages.push(usage);
    else addUsage(program.subcommands, path, usage);
  }
}

/** Of two rows either will do. */
function addContent(judges: Map<string, TextJudge>, name: string, value: string): void {
  const [, source, flags] = /^\/(.*)\/(\w*)$/.exec(value) ?? [];
  const added = source === undefined ? judgeOf(judges, value) : matching(name, new RegExp(source, flags));
  const known = judges.get(name) ?? added;
  judges.set(name, (text, around) => anyOf([() => known(text, around), () => added(text, around)]));
}

function matching(name: string, known: RegExp): TextJudge {
  return (text) => {
    if (!known.test(text)) refuse(`what is given for ${name} is not known to only read`);
  };
}

function judgeOf(judges: ReadonlyMap<string, TextJudge>, name: string): TextJudge {
  const judge = judges.get(name);
  if (judge === undefined) throw new Error(`nothing judges ${name}`);
  return judge;
}

/** A word that is no option, and what stands behind its colon. */
const DETAIL = /^(\*|single|any|wraps|bounded|appended|(?:first|all|rest|wraps)(?=:)):?(\S*)$/g;

/** The usage of one that is given nothing, or `text` in the notation. Throws where that is none. */
export function readUsage(text = "", judges: ReadonlyMap<string, TextJudge> = new Map()) {
  const at = ` ${text}`.indexOf(" /^");
  const [listed = "", source] = at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1, -1)];
  const words = listed.split(" ").filter(Boolean);
  /** What it says besides options, by the words of the notation: `single`, `any`, `first` with `awk`. */
  const found = words.flatMap((word) => [...word.matchAll(DETAIL)]);
  const details = new Map(found.map(([, key = "", value = ""]) => [key, value] as const));
  const written = words.filter((word) => word.search(DETAIL) < 0);
  const options = new Map(written.flatMap((word) => readOption(word, details.has("single"), judges)));
  const pattern = source === undefined ? undefined : new RegExp(source);
  const content = ["first", "all", "rest", "wraps"].map((key) => details.get(key)).find(Boolean);
  /** Judges operands; of a wrapper, all that it wraps as one text. */
  const judge = content === undefined ? undefined : judgeOf(judges, content);
  return { options, details, pattern, judge };
}

const OPTION = /^([!^]?)(--?[\w.#-]+?)(?:([:?])|=(\S+)|@(\w+))?(~?)$/;

/** By each name. `need`, `!`: one of the usage's options of this kind must be there; `^`: or it does not end. */
function readOption(word: string, isSingle: boolean, judges: ReadonlyMap<string, TextJudge>) {
  const form = OPTION.exec(word);
  if (form === null) throw new Error(`not an option: ${word}`);
  const [, need = "", name = "", mark = "", values, content, endless] = form;
  const ofValues = values === undefined ? undefined : matching(name, new RegExp(`^(?:${values})$`));
  /** Judges the value; absent: it may be anything. */
  const judge = content === undefined ? ofValues : judgeOf(judges, content);
  /** `:`: a value. `?`: a value that is attached. */
  const takes = judge ? ":" : mark;
  const option = { need, takes, isEndless: endless === "~", judge };
  const isGroup = !isSingle && /^-[^-]{2}/.test(name);
  const names = isGroup ? [...name.slice(1)].map((letter) => `-${letter}`) : [name];
  return names.map((one) => [one, option] as const);
}

/** Ends the judgement of a command, or of one way to take it; `why` names the part that decided. */
export function refuse(why: string): never {
  throw new Error(why);
}

/** Refuses what all of several judgements refuse, for the reason of the last one. */
export function anyOf(judgements: readonly (() => void)[]): void {
  let reason: unknown;
  for (const judge of judgements)
    try {
      return judge();
    } catch (error) {
      reason = error;
    }
  throw reason;
}
