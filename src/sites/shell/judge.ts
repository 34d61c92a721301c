/**
 * Whether a shell command only reads: the whole syntax tree is walked, and what is not known is a write. It is judged as
 * text, so what a program does by its own settings (an alias of git, a pager) is not seen.
 */
import { type CommandNode, parse, type Redirection, type Statement, type Word, type WordPart } from "unbash";
import { DEPTH_MAX, judgeWords, type ShellWord } from "./arguments.js";
import { namesUnreadable } from "./paths.js";
import type { Surroundings } from "./usages.js";
import { type CommandVerdict, everyOf, READS, refuse } from "./verdict.js";

const CHARS_MAX = 4_096;

/**
 * Judges a command of a POSIX shell or of bash. It never throws. SQL counts as a write until `loadSqlParser` has
 * finished.
 */
export function judgeCommand(command: string): CommandVerdict {
  return judgeScript(command, { isBounded: false, depth: 0, judgeScript });
}

function judgeScript(text: string, around: Surroundings): CommandVerdict {
  if (text.length > CHARS_MAX) return refuse("the command is too long to be judged");
  if (/[^\P{Cc}\n\t]|[^\P{Z} ]|\p{Cf}/u.test(text))
    return refuse("the command has a character that is not printed");
  const { commands, errors } = parse(text);
  if (errors !== undefined && errors.length > 0)
    return refuse(`the command is not understood: ${errors[0]!.message}`);
  if (commands.length === 0) return refuse("there is no command");
  return judgeList(commands, around);
}

function judgeList(statements: readonly Statement[], outside: Surroundings): CommandVerdict {
  if (outside.depth > DEPTH_MAX) return refuse("the command is nested too deeply");
  const around = { ...outside, depth: outside.depth + 1 };
  return everyOf(
    statements.map(({ command, background }) =>
      background ? refuse("a command in the background goes on after the call") : judgeNode(command, around),
    ),
  );
}

/** Where a type of node is not known, that is a write. */
function judgeNode(node: Statement["command"], around: Surroundings): CommandVerdict {
  switch (node.type) {
    case "AndOr":
    case "Pipeline":
      return everyOf(node.commands.map((command) => judgeNode(command, around)));
    case "Redirected":
      return everyOf([...node.redirects.map(judgeRedirection), judgeNode(node.command, around)]);
    case "Subshell":
    case "BraceGroup":
      return judgeList(node.body.commands, around);
    case "If": {
      const branches = node.elif.flatMap(({ clause, then }) => [clause, then]);
      const lists = [node.clause, node.then, ...branches, ...(node.else === undefined ? [] : [node.else])];
      return everyOf(lists.map(({ commands }) => judgeList(commands, around)));
    }
    case "Command":
      return judgeSimple(node, around);
    default:
      return refuse(`${node.type} is not known to only read`);
  }
}

type Simple = Extract<CommandNode, { type: "Command" }>;

function judgeSimple({ name, prefix, suffix }: Simple, around: Surroundings): CommandVerdict {
  const verdicts: CommandVerdict[] = [];
  const words: ShellWord[] = [];
  for (const part of [...prefix, ...(name === undefined ? [] : [name]), ...suffix]) {
    if (part.type === "Assignment") verdicts.push(judgeAssignment(part));
    else if (part.type !== "Word") verdicts.push(judgeRedirection(part));
    else {
      const word = argumentOf(part);
      if (word === undefined) return refuse(`what ${part.text.slice(0, 60)} stands for is not known`);
      words.push(word);
    }
  }
  return everyOf([...verdicts, judgeWords(words, around)]);
}

/** Variables that change how times, numbers and letters are shown. */
const HARMLESS_VARIABLES = /^(?:LC_[A-Z]+|LANG|TZ|COLUMNS|NO_COLOR|BLOCKSIZE|BLOCK_SIZE)$/;

type Assignment = Extract<Simple["prefix"][number], { type: "Assignment" }>;

function judgeAssignment({ name, value, append, index }: Assignment): CommandVerdict {
  const isPlain = append !== true && index === undefined && value.type === "Word";
  const word = isPlain && HARMLESS_VARIABLES.test(name) ? argumentOf(value) : undefined;
  return word?.isFixed && /^[\w.@:+-]*$/.test(word.text)
    ? READS
    : refuse(`the variable ${name} may change what a program does`);
}

function judgeRedirection(node: Redirection): CommandVerdict {
  const doubt = refuse(`the redirection ${node.operator} is not known to only read`);
  if (node.type !== "Redirect" || node.descriptor?.type === "FileDescriptorVariable") return doubt;
  const { operator, target } = node;
  const word = target === undefined ? undefined : argumentOf(target);
  if (word === undefined || !word.isFixed) return doubt;
  const isCopied = /^[<>]&$/.test(operator) && /^(?:\d|-)$/.test(word.text);
  const isRead = operator === "<" && !namesUnreadable(word.text);
  const isDropped = operator !== "<>" && word.text === "/dev/null";
  return isCopied || isRead || isDropped ? READS : doubt;
}

/** A word as a program gets it; `undefined` where that depends on variables or on other commands. */
function argumentOf({ parts, value }: Word): ShellWord | undefined {
  if (parts === undefined) return { text: value, isFixed: true };
  const text = fixedText(parts);
  if (text !== undefined) return { text, isFixed: true };
  const glob = parts.map((part) => (part.type === "Glob" ? part.text : fixedText([part])));
  return glob.includes(undefined) ? undefined : { text: glob.join(""), isFixed: false };
}

function fixedText(parts: readonly WordPart[]): string | undefined {
  const texts = parts.map((part) => {
    if (part.type === "DoubleQuoted") return fixedText(part.parts);
    return part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted"
      ? part.value
      : undefined;
  });
  return texts.includes(undefined) ? undefined : texts.join("");
}
