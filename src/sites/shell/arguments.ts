/** Whether a program with its arguments only reads, by what is written down of it. */
import { shippedRows } from "../../lib/shipped-files.js";
import { mayNameUnreadable, namesUnreadable } from "./paths.js";
import {
  type ProgramOption,
  type ProgramUsages,
  readPrograms,
  readUsage,
  type Surroundings,
  type Usage,
} from "./usages.js";
import { anyOf, type CommandVerdict, everyOf, READS, refuse } from "./verdict.js";

/** A word of a command as the program gets it. */
export interface ShellWord {
  readonly text: string;
  /** False: a pattern for names of files, or not known at all; there may be any number of them. */
  readonly isFixed: boolean;
}

/** What `xargs` puts behind its command. */
const APPENDED: ShellWord = { text: "", isFixed: false };

/** How many commands, scripts and groups a command may stand in. */
export const DEPTH_MAX = 16;

const PROGRAMS = readPrograms(shippedRows("src/sites/shell/programs.txt"));

/** Judges a command by its words, of which the first is the program. */
export function judgeWords(words: readonly ShellWord[], around: Surroundings): CommandVerdict {
  const [program, ...args] = words;
  if (around.depth > DEPTH_MAX) return refuse("the command is nested too deeply");
  if (program === undefined) return refuse("there is no command");
  const command = program.isFixed ? PROGRAMS.get(program.text) : undefined;
  if (command === undefined) return refuse(`nothing is known of the program ${shown(program)}`);
  return judgeUsages(command, { program: program.text, args, at: 0, inherited: new Map() }, around);
}

/** How far the arguments have been read. */
interface Call {
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly at: number;
  /** Options of the program, where this is a subcommand. */
  readonly inherited: Usage["options"];
}

const NO_USAGE = [readUsage()];

function judgeUsages(
  { usages, subcommands }: ProgramUsages,
  call: Call,
  around: Surroundings,
): CommandVerdict {
  const all = usages.length === 0 ? NO_USAGE : usages;
  return anyOf(all.map((usage) => new UsageJudge(usage, subcommands, call, around).judge()));
}

/** Reads the arguments by one usage. */
class UsageJudge {
  readonly #options: Usage["options"];
  readonly #given = new Set<string>();
  readonly #verdicts: CommandVerdict[] = [];
  readonly #operands: ShellWord[] = [];
  #at: number;

  constructor(
    private readonly usage: Usage,
    private readonly subcommands: ProgramUsages["subcommands"],
    private readonly call: Call,
    private readonly around: Surroundings,
  ) {
    this.#options = new Map([...call.inherited, ...usage.options]);
    this.#at = call.at;
  }

  judge(): CommandVerdict {
    const { isFree, isSingle, wraps, pattern } = this.usage;
    const { args, program } = this.call;
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
      else if (isSingle || word.text.startsWith("--")) this.#long(word.text);
      else this.#short(word.text);
    }
    return everyOf([...this.#verdicts, this.#needs(), this.#rest()]);
  }

  #long(text: string): void {
    const [, name, value] = /^([^=]*)(?:=(.*))?$/s.exec(text)!;
    this.#option(name!, value);
  }

  #short(text: string): void {
    if (/^-\d+$/.test(text) && this.#options.has("-#")) return;
    for (let i = 1; i < text.length; i++) {
      const name = `-${text[i]}`;
      const rest = text.slice(i + 1);
      const takesRest = rest !== "" && Boolean(this.#options.get(name)?.takes);
      this.#option(name, takesRest ? rest : undefined);
      if (takesRest) break;
    }
  }

  #option(name: string, attached: string | undefined): void {
    const option = this.#options.get(name);
    this.#given.add(name);
    if (option !== undefined)
      this.#verdicts.push(this.#valueOf(option, `${this.call.program} ${name}`, attached));
    else if (!this.usage.isFree) this.#verdicts.push(unknown(`${this.call.program} ${name}`));
  }

  #valueOf(
    { takes, isEndless, judge }: ProgramOption,
    named: string,
    attached: string | undefined,
  ): CommandVerdict {
    if (isEndless && !this.around.isBounded) return refuse(`${named} does not end by itself`);
    if (takes === "" && attached !== undefined) return refuse(`${named} takes no value`);
    if (takes !== ":") return READS;
    const value = attached ?? this.#nextValue();
    if (value === undefined) return refuse(`${named} lacks its value`);
    return judge === undefined ? READS : judge(value, this.around);
  }

  /** A value in a word of its own. One that looks like an option is none: the table could be wrong. */
  #nextValue(): string | undefined {
    const word = this.call.args[this.#at + 1];
    if (word === undefined || !word.isFixed || /^-(?!\d|$)/.test(word.text)) return undefined;
    this.#at++;
    return word.text;
  }

  #needs(): CommandVerdict {
    const lacks = (need: string): string | undefined => {
      const names = [...this.usage.options]
        .filter(([, option]) => option.need === need)
        .map(([name]) => name);
      const lacking = names.length > 0 && !names.some((name) => this.#given.has(name));
      return lacking ? `${this.call.program} without ${names.join(" or ")}` : undefined;
    };
    const [lacking, endless] = [lacks("!"), this.around.isBounded ? undefined : lacks("^")];
    if (lacking !== undefined) return unknown(lacking);
    return endless === undefined ? READS : refuse(`${endless} does not end by itself`);
  }

  #rest(): CommandVerdict {
    if (this.usage.wraps !== undefined) return this.#wrapped(this.usage.wraps);
    return this.subcommands.size > 0 ? this.#subcommand() : this.#ofOperands();
  }

  #subcommand(): CommandVerdict {
    const { text, isFixed } = this.call.args[this.#at] ?? { text: ".", isFixed: true };
    const command = isFixed ? this.subcommands.get(text) : undefined;
    const program = `${this.call.program} ${text}`;
    if (command === undefined) return unknown(program);
    const call = { ...this.call, program, at: this.#at + 1, inherited: this.#options };
    return judgeUsages(command, call, this.around);
  }

  #wrapped(wraps: NonNullable<Usage["wraps"]>): CommandVerdict {
    const { program, args } = this.call;
    const inner = args.slice(this.#at);
    if (inner.length === 0 || !this.#operands.every(({ text }) => this.usage.pattern?.test(text)))
      return refuse(`${program} is not given a command as it is known`);
    const isBounded = this.around.isBounded || wraps === "bounded";
    const around = { ...this.around, depth: this.around.depth + 1, isBounded };
    if (typeof wraps === "string")
      return judgeWords(wraps === "appended" ? [...inner, APPENDED] : inner, around);
    return inner.every(({ isFixed }) => isFixed)
      ? wraps(inner.map(({ text }) => text).join(" "), around)
      : refuse(`what ${program} is given is not known`);
  }

  #ofOperands(): CommandVerdict {
    const { pattern, places, judge, operandsMin, operandsMax, opensNothing } = this.usage;
    const { program, args } = this.call;
    const given = this.#operands;
    const isFixed = given.every((word) => word.isFixed);
    const isCounted = given.length >= operandsMin && given.length <= operandsMax;
    const isLimited = pattern !== undefined || operandsMax !== Number.POSITIVE_INFINITY;
    const hasPattern = pattern === undefined || pattern.test(given.map(({ text }) => text).join(" "));
    if (!isCounted || !hasPattern || (isLimited && !isFixed))
      return unknown(`${program} with these arguments`);
    const secret = opensNothing ? undefined : args.find(namesSecret);
    if (secret !== undefined) return refuse(`${shown(secret)} may show secrets, or is no file to be read`);
    if (judge === undefined) return READS;
    return everyOf(
      given
        .slice(...places)
        .map((word) =>
          word.isFixed ? judge(word.text, this.around) : refuse(`${shown(word)} is not known`),
        ),
    );
  }
}

function unknown(what: string): CommandVerdict {
  return refuse(`${what} is not known to only read`);
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
