/** Whether a shell command only reads, by its text: all of its syntax tree is walked, and what is not known is a write. */
import { posix } from "node:path";
import { forEachChild, parse, type Redirect, type SyntaxNode, type Word, type WordPart } from "unbash";
import { shippedRows } from "../../lib/shipped-files.js";
import { judgeSql } from "./sql.js";
import type { Programs, Surroundings, Usage } from "./usages.js";
import { anyOf, deeper, readPrograms, readUsage, refuse } from "./usages.js";

const CHARS_MAX = 4_096;

export interface CommandVerdict {
  /** `write` also where it is not known that it only reads. */
  readonly effect: "read" | "write";
  /** For a log or an operator: the part that decided. */
  readonly why: string;
}

/** Judges a command of a POSIX shell or of bash; never throws. Until `loadSqlParser` has finished, SQL is a write. */
export function judgeCommand(command: string): CommandVerdict {
  try {
    judgeScript(command, { isBounded: false, depth: 0 });
    return { effect: "read", why: "all of it only reads" };
  } catch (error) {
    return { effect: "write", why: error instanceof Error ? error.message : String(error) };
  }
}

function judgeScript(text: string, around: Surroundings): void {
  if (text.length > CHARS_MAX) refuse("the command is too long to be judged");
  if (/[^\P{Cc}\n\t]|[^\P{Z} ]|\p{Cf}/u.test(text)) refuse("the command has a character that is not printed");
  const script = parse(text);
  const [error] = script.errors ?? [];
  if (error !== undefined) refuse(`the command is not understood: ${error.message}`);
  if (script.commands.length === 0) refuse("there is no command");
  judgeNode(script, text, around);
}

/** Nodes that hold others together, each with what may stand between these besides remarks and ends of statements. */
const MARKS: Readonly<Record<string, RegExp>> = {
  ...{ Script: /^$/, CompoundList: /^$/, Statement: /^$/, Redirected: /^$/, Command: /^$/ },
  AndOr: /^(?:&&|\|\|)+$/,
  Pipeline: /^(?:\|&?)*$/,
  Subshell: /^\(\)$/,
  BraceGroup: /^\{\}$/,
  If: /^ifthen(?:else)?fi$/,
  Elif: /^elifthen$/,
};

/** Assignments that change how times, numbers and letters are shown. */
const HARMLESS =
  /^(?:LC_[A-Z]+|LANG|TZ|COLUMNS|NO_COLOR|BLOCKSIZE|BLOCK_SIZE)=(?:[\w.@:+-]*|"[\w.@:+-]*"|'[\w.@:+-]*')$/;

/** Judges a node of the tree of `text`. Where a type of node is not known, that is a write. */
function judgeNode(node: SyntaxNode, text: string, around: Surroundings): void {
  if (node.type === "Word" || node.type === "Time" || node.type === "Negation") return;
  if (node.type === "Redirect") return judgeRedirection(node);
  if (node.type === "Assignment" && HARMLESS.test(node.text)) return;
  const marks = MARKS[node.type];
  if (marks === undefined) refuse(`${node.type} is not known to only read`);
  const parts: SyntaxNode[] = [];
  forEachChild(node, (part) => void parts.push(part));
  // The parser passes over some mistakes: what it left out would not be judged, so there may be nothing.
  const ends = [node.pos, ...parts.map(({ end }) => end)];
  const begins = [...parts.map(({ pos }) => pos), node.end];
  const between = ends.map((end, at) => text.slice(end, begins[at])).join("\n");
  if (!marks.test(between.replace(/#.*|\\\n|[\s;]/g, "")))
    refuse(`the command is not understood near ${text.slice(node.pos, node.pos + 60)}`);
  const inside = node.type === "Script" || node.type === "CompoundList" ? deeper(around) : around;
  for (const part of parts) judgeNode(part, text, inside);
  if (node.type === "Command")
    judgeWords(parts.filter((part) => part.type === "Word").map(argumentOf), around);
}

function judgeRedirection({ descriptor, operator, target }: Redirect): void {
  const isKnown = target !== undefined && descriptor?.type !== "FileDescriptorVariable";
  const { isFixed, text } = isKnown ? argumentOf(target) : { isFixed: false, text: "" };
  const isCopied = /^[<>]&$/.test(operator) && /^(?:\d|-)$/.test(text);
  const isRead = operator === "<" && !namesUnreadable(text);
  const isDropped = operator !== "<>" && text === "/dev/null";
  if (!isFixed || !(isCopied || isRead || isDropped))
    refuse(`the redirection ${operator} is not known to only read`);
}

function argumentOf({ parts, value }: Word): ShellWord {
  if (parts === undefined) return { text: value, isFixed: true };
  return { text: parts.map(textOf).join(""), isFixed: !parts.some(({ type }) => type === "Glob") };
}

/** Without its quotes; refused where it depends on variables or on other commands. */
function textOf(part: WordPart): string {
  if (part.type === "DoubleQuoted") return part.parts.map(textOf).join("");
  if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted")
    return part.value;
  return part.type === "Glob" ? part.text : refuse(`what ${part.text.slice(0, 60)} stands for is not known`);
}

/** A word of a command as the program gets it. */
interface ShellWord {
  readonly text: string;
  /** False: a pattern for names of files, or not known at all; there may be any number of them. */
  readonly isFixed: boolean;
}

/** What `xargs` puts behind its command. */
const APPENDED: ShellWord = { text: "", isFixed: false };
/** In place of a subcommand that is not there. */
const NO_SUBCOMMAND: ShellWord = { text: ".", isFixed: true };

const CONTENTS = { sql: judgeSql, shell: judgeScript };
const PROGRAMS = readPrograms(shippedRows("src/sites/shell/programs.txt"), CONTENTS);
const NO_USAGE = [readUsage()];

/** Words of a command, as far as they have been read. */
interface Call {
  readonly words: readonly ShellWord[];
  /** What has been read: the program with its subcommands. */
  readonly name: string;
  readonly left: readonly ShellWord[];
  /** Its own, and not those of a subcommand or of a command that it runs. */
  readonly operands: readonly ShellWord[];
  /** What it may be given, as far as it has been read: subcommands take options of their programs. */
  readonly options: Usage["options"];
}

function judgeWords(words: readonly ShellWord[], around: Surroundings): void {
  if (words.length === 0) refuse("there is no command");
  judgeProgram(PROGRAMS, { words, name: "", left: words, operands: [], options: new Map() }, around);
}

/** Judges the program, or the subcommand, that is the first of the words that are left. */
function judgeProgram(known: Programs, call: Call, around: Surroundings): void {
  const [word = NO_SUBCOMMAND, ...left] = call.left;
  const name = `${call.name} ${shown(word)}`.trim();
  const program = word.isFixed ? known.get(word.text) : undefined;
  if (program === undefined) refuse(`nothing is known of the program ${name}`);
  const { subcommands, usages } = program;
  const judgements = (usages.length === 0 ? NO_USAGE : usages).map((usage) => () => {
    const options = new Map([...call.options, ...usage.options]);
    const isOuter = subcommands.size > 0 || usage.details.has("wraps");
    const inner = readOptions(usage, isOuter, { ...call, name, left, options }, around);
    if (usage.details.has("wraps")) judgeWrapped(usage, inner, around);
    else if (isOuter) judgeProgram(subcommands, inner, around);
    else judgeOperands(usage, inner, around);
  });
  anyOf(judgements);
}

/** The call with its operands, and what is left for a subcommand or another command. Refuses options that may write. */
function readOptions(usage: Usage, isOuter: boolean, call: Call, around: Surroundings): Call {
  const { details, options, pattern } = usage;
  const left = [...call.left];
  const operands: ShellWord[] = [];
  const operandsMax = isOuter ? Number(pattern !== undefined) : left.length;
  const given = new Set<string>();
  const judgeOption = (name: string, attached: string | undefined): void => {
    const named = `${call.name} ${name}`;
    const option = call.options.get(name);
    if (option === undefined && !details.has("*")) refuse(`${named} is not known to only read`);
    const { isEndless = false, judge, takes } = option ?? {};
    if (isEndless && !around.isBounded) refuse(`${named} does not end by itself`);
    if (takes === "" && attached !== undefined) refuse(`${named} takes no value`);
    if (takes !== ":") return;
    const next = attached === undefined ? left.shift() : undefined;
    // A value that looks like an option is none: the table could be wrong.
    const value = next?.isFixed && !/^-(?!\d|$)/.test(next.text) ? next.text : attached;
    if (value === undefined) refuse(`${named} lacks its value`);
    judge?.(value, around);
  };
  let isEnded = false;
  for (let word = left[0]; word !== undefined; word = left[0]) {
    const isOperand = isEnded || !mayBeOption(word) || (details.has("*") && !word.isFixed);
    if (isOperand && operands.length === operandsMax) break;
    left.shift();
    if (isOperand) operands.push(word);
    else if (!word.isFixed) refuse(`${shown(word)} may stand for an option of ${call.name}`);
    else if (word.text === "--" && !details.has("single")) isEnded = true;
    else
      for (const [name, attached] of optionsIn(word.text, details.has("single"), call.options)) {
        given.add(name);
        judgeOption(name, attached);
      }
  }
  for (const need of around.isBounded ? ["!"] : ["!", "^"]) {
    const names = [...options].flatMap(([name, option]) => (option.need === need ? [name] : []));
    if (names.length > 0 && !names.some((name) => given.has(name)))
      refuse(`${call.name} without ${names.join(" or ")} is not known to only read, or to end`);
  }
  if (pattern !== undefined && !pattern.test(joined(operands, call.name)))
    refuse(`${call.name} with these arguments is not known to only read`);
  return { ...call, left, operands };
}

/** The options of a word, each with what is attached to it. */
function optionsIn(text: string, isSingle: boolean, options: Call["options"]): [string, string?][] {
  const [, name = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(text)!;
  if (isSingle || text.startsWith("--")) return value === undefined ? [[name]] : [[name, value]];
  if (/^-\d+$/.test(text) && options.has("-#")) return [];
  const letters = [...text.slice(1)].map((letter) => `-${letter}`);
  const last = letters.findIndex((letter) => options.get(letter)?.takes);
  const rest = text.slice(last + 2);
  if (last < 0 || rest === "") return letters.map((letter) => [letter]);
  return letters.slice(0, last + 1).map((letter, at) => (at === last ? [letter, rest] : [letter]));
}

function judgeWrapped({ details, judge }: Usage, { left, name }: Call, outside: Surroundings): void {
  if (left.length === 0) refuse(`${name} is not given a command`);
  const around = { ...deeper(outside), isBounded: outside.isBounded || details.has("bounded") };
  if (judge !== undefined) judge(joined(left, name), around);
  else judgeWords(details.has("appended") ? [...left, APPENDED] : left, around);
}

function judgeOperands({ details, judge }: Usage, call: Call, around: Surroundings): void {
  const { name, operands, words } = call;
  const isSecret = ({ isFixed, text }: ShellWord) => (isFixed ? namesUnreadable : mayNameUnreadable)(text);
  const secret = details.has("any") ? undefined : words.find(isSecret);
  if (secret !== undefined) refuse(`${shown(secret)} may show secrets, or is no file to be read`);
  if (judge === undefined) return;
  const judged = operands.slice(details.has("rest") ? 1 : 0, details.has("first") ? 1 : undefined);
  if (judged.length === 0 && !details.has("all")) refuse(`${name} lacks what it is to be judged by`);
  for (const word of judged) judge(joined([word], name), around);
}

function joined(words: readonly ShellWord[], name: string): string {
  if (words.some(({ isFixed }) => !isFixed)) refuse(`what ${name} is given is not known`);
  return words.map(({ text }) => text || "''").join(" ");
}

function mayBeOption({ text, isFixed }: ShellWord): boolean {
  if (isFixed) return text.startsWith("-") && text !== "-";
  return /^(?:[-*?[]|$)/.test(text);
}

const shown = ({ text }: ShellWord): string => text.slice(0, 60) || "a word that is not known yet";

/** Files that no command should open, and paths that a pattern of file names might stand for. */
const ROWS = shippedRows("src/sites/shell/unreadable.txt");
const UNREADABLE = new RegExp(ROWS.filter((row) => /^[(^]/.test(row)).join("|"));
const SAMPLES = ROWS.filter((row) => /^[~/]/.test(row));

/** Whether a word of a command names such a file, also behind `=`, `:`, `@` or `,`. */
function namesUnreadable(word: string): boolean {
  return word.split(/[=:@,]/).some((part) => UNREADABLE.test(posix.normalize(part)));
}

/** Whether a pattern for file names (`*`, `?`, `[…]`) might stand for such a file. Patterns of bare names are not. */
function mayNameUnreadable(glob: string): boolean {
  const before = /^[^*?[]*/.exec(glob)![0];
  const after = glob.slice(Math.max(...["*", "?", "]"].map((mark) => glob.lastIndexOf(mark))) + 1);
  if (namesUnreadable(glob) || namesUnreadable(before)) return true;
  return glob.includes("/") && SAMPLES.some((path) => path.startsWith(before) && path.endsWith(after));
}
