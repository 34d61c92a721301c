/** Whether a program with its arguments only reads, by what is written down of it. */
import { CONTENT, judgeRedis } from "./content.js";
import { mayNameUnreadable, namesUnreadable } from "./paths.js";
import { PROGRAMS } from "./programs.js";
import { type ProgramOption, type ProgramUsages, readUsages, type Usage } from "./usage.js";
import { anyOf, type CommandVerdict, everyOf, READS, READS_BY_CONTENT, refuse } from "./verdict.js";

/** A word of a command as the program gets it. */
export interface ShellWord {
  readonly text: string;
  /** False: a pattern for names of files, or not known at all; there may be any number of them. */
  readonly isFixed: boolean;
}

export interface Surroundings {
  /** Whether it is ended after a time. */
  readonly isBounded: boolean;
  /** How many commands it stands in. */
  readonly depth: number;
  /** Judges what a shell reads. */
  readonly judgeScript: (text: string, around: Surroundings) => CommandVerdict;
}

const DEPTH_MAX = 8;

/** Judges a command by its words, of which the first is the program. */
export function judgeWords(words: readonly ShellWord[], around: Surroundings): CommandVerdict {
  const [program, ...args] = words;
  if (around.depth > DEPTH_MAX) return refuse("commands stand in commands too deeply");
  if (program === undefined) return refuse("there is no command");
  const command = program.isFixed ? PROGRAMS.get(program.text) : undefined;
  if (command === undefined) return refuse(`nothing is known of the program ${shown(program)}`);
  return judgeCommandOf(command, { program: program.text, args, at: 0, inherited: [], verdicts: [] }, around);
}

/** How far the arguments have been read. */
interface Reading {
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly at: number;
  /** Options of the program, where this is a subcommand. */
  readonly inherited: readonly Usage["options"][];
  readonly verdicts: readonly CommandVerdict[];
}

const NO_USAGE: readonly Usage[] = readUsages("x:").get("x")!.usages;

function judgeCommandOf(
  { usages, subcommands }: ProgramUsages,
  reading: Reading,
  around: Surroundings,
): CommandVerdict {
  const all = usages.length === 0 ? NO_USAGE : usages;
  return anyOf(all.map((usage) => new UsageJudge(usage, subcommands, reading, around).judge()));
}

/** Reads the arguments by one usage. */
class UsageJudge {
  readonly #given = new Set<string>();
  readonly #verdicts: CommandVerdict[];
  readonly #operands: ShellWord[] = [];
  #at: number;

  constructor(
    private readonly usage: Usage,
    private readonly subcommands: ProgramUsages["subcommands"],
    private readonly reading: Reading,
    private readonly around: Surroundings,
  ) {
    this.#verdicts = [...reading.verdicts];
    this.#at = reading.at;
  }

  judge(): CommandVerdict {
    const { isFree, isSingle, wraps, pattern } = this.usage;
    const { args, program } = this.reading;
    const isOuter = this.subcommands.size > 0 || wraps !== undefined;
    const before = wraps !== undefined && pattern !== undefined ? 1 : 0;
    let isEnded = false;
    for (; this.#at < args.length; this.#at++) {
      const word = args[this.#at]!;
      const isOperand = isEnded || !mayBeOption(word) || (isFree && !word.isFixed);
      if (isOperand && isOuter && this.#operands.length === before) break;
      if (isOperand) this.#operands.push(word);
      else if (!word.isFixed) return refuse(`${shown(word)} may stand for an option of ${program}`);
      else if (word.text === "--" && !isSingle) isEnded = true;
      else this.#verdicts.push(isSingle || word.text.startsWith("--") ? this.#long(word) : this.#short(word));
    }
    return everyOf([...this.#verdicts, this.#needs(), this.#rest()]);
  }

  #rest(): CommandVerdict {
    if (this.usage.wraps !== undefined) return this.#wrapped(this.usage.wraps);
    return this.subcommands.size > 0 ? this.#subcommand() : this.#ofOperands();
  }

  #lookUp(name: string): ProgramOption | undefined {
    return [this.usage.options, ...this.reading.inherited].map((options) => options.get(name)).find(Boolean);
  }

  #long({ text }: ShellWord): CommandVerdict {
    const equals = text.indexOf("=");
    const name = equals < 0 ? text : text.slice(0, equals);
    return this.#option(name, equals < 0 ? undefined : text.slice(equals + 1));
  }

  #short({ text }: ShellWord): CommandVerdict {
    if (/^-\d+$/.test(text) && this.#lookUp("-#") !== undefined) return READS;
    const verdicts: CommandVerdict[] = [];
    for (let i = 1; i < text.length; i++) {
      const name = `-${text[i]}`;
      const rest = text.slice(i + 1);
      const takesRest = rest !== "" && (this.#lookUp(name)?.takes ?? "nothing") !== "nothing";
      verdicts.push(this.#option(name, takesRest ? rest : undefined));
      if (takesRest) break;
    }
    return everyOf(verdicts);
  }

  #option(name: string, attached: string | undefined): CommandVerdict {
    const option = this.#lookUp(name);
    if (option === undefined)
      return this.usage.isFree ? READS : refuse(`${this.reading.program} ${name} is not known to only read`);
    this.#given.add(name);
    if (option.isEndless && !this.around.isBounded)
      return refuse(`${this.reading.program} ${name} does not end by itself`);
    if (option.takes === "nothing" && attached !== undefined)
      return refuse(`${this.reading.program} ${name} takes no value`);
    if (option.takes !== "a value") return READS;
    const value = attached ?? this.#nextValue();
    if (value === undefined) return refuse(`${this.reading.program} ${name} lacks its value`);
    if (option.values !== undefined && !option.values.includes(value))
      return refuse(`${this.reading.program} ${name} ${value} is not known to only read`);
    return option.judge === undefined ? READS : CONTENT[option.judge](value);
  }

  /** A value in a word of its own. One that looks like an option is none: the table could be wrong. */
  #nextValue(): string | undefined {
    const word = this.reading.args[this.#at + 1];
    if (word === undefined || !word.isFixed || /^-(?!\d|$)/.test(word.text)) return undefined;
    this.#at++;
    return word.text;
  }

  #needs(): CommandVerdict {
    const { required, requiredToEnd } = this.usage;
    const lacks = (names: readonly string[]) =>
      names.length > 0 && !names.some((name) => this.#given.has(name));
    const { program } = this.reading;
    if (lacks(required))
      return refuse(`${program} without ${required.join(" or ")} is not known to only read`);
    return lacks(requiredToEnd) && !this.around.isBounded
      ? refuse(`${program} without ${requiredToEnd.join(" or ")} does not end by itself`)
      : READS;
  }

  #subcommand(): CommandVerdict {
    const word = this.reading.args[this.#at];
    const name = word === undefined ? "." : word.text;
    const command = word?.isFixed === false ? undefined : this.subcommands.get(name);
    const program = `${this.reading.program} ${name}`;
    if (command === undefined) return refuse(`${program} is not known to only read`);
    const inherited = [this.usage.options, ...this.reading.inherited];
    const verdicts = [...this.#verdicts, this.#needs()];
    return judgeCommandOf(
      command,
      { ...this.reading, program, at: this.#at + 1, inherited, verdicts },
      this.around,
    );
  }

  #wrapped(wraps: string): CommandVerdict {
    const { program, args } = this.reading;
    const inner = args.slice(this.#at);
    if (inner.length === 0 || !this.#operands.every(({ text }) => this.usage.pattern?.test(text)))
      return refuse(`${program} is not given a command as it is known`);
    const isBounded = this.around.isBounded || wraps === "bounded";
    const around = { ...this.around, depth: this.around.depth + 1, isBounded };
    if (wraps === "appended") return judgeWords([...inner, { text: "", isFixed: false }], around);
    if (wraps !== "shell" && wraps !== "redis") return judgeWords(inner, around);
    if (inner.some(({ isFixed }) => !isFixed)) return refuse(`what ${program} is given is not known`);
    const texts = inner.map(({ text }) => text);
    if (wraps === "redis") return judgeRedis(texts);
    return everyOf([READS_BY_CONTENT, around.judgeScript(texts.join(" "), around)]);
  }

  #ofOperands(): CommandVerdict {
    const { pattern, judged, operandsMin, operandsMax, opensNothing } = this.usage;
    const { program, args } = this.reading;
    const given = this.#operands;
    const isFixed = given.every((word) => word.isFixed);
    const isCounted = given.length >= operandsMin && given.length <= operandsMax;
    const hasPattern =
      pattern === undefined || (isFixed && pattern.test(given.map(({ text }) => text).join(" ")));
    if (!isCounted || !hasPattern || (!isFixed && operandsMax !== Number.POSITIVE_INFINITY))
      return refuse(`${program} is not known to only read with these arguments`);
    const contents = judged === undefined ? [] : given.slice(judged.from, judged.to);
    const secret = opensNothing ? undefined : args.find(namesSecret);
    if (secret !== undefined) return refuse(`${shown(secret)} may show secrets, or is no file to be read`);
    return everyOf(
      contents.map((word) =>
        word.isFixed ? CONTENT[judged!.by](word.text) : refuse(`${shown(word)} is not known`),
      ),
    );
  }
}

function namesSecret({ text, isFixed }: ShellWord): boolean {
  return isFixed ? namesUnreadable(text) : mayNameUnreadable(text);
}

function mayBeOption({ text, isFixed }: ShellWord): boolean {
  if (isFixed) return text.startsWith("-") && text !== "-";
  return /^(?:[-*?[]|$)/.test(text);
}

const SHOWN_CHARS_MAX = 60;

function shown({ text }: ShellWord): string {
  return text === "" ? "a word that is not known yet" : text.slice(0, SHOWN_CHARS_MAX);
}
