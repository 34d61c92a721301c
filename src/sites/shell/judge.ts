/**
 * Whether a shell command only reads: the whole syntax tree is walked, and what is not known is a write. It is judged as
 * text, so what a program does by its own settings (an alias of git, a pager) is not seen.
 */
import {
  type CommandNode,
  type CompoundList,
  type PipelineNode,
  parse,
  type Redirection,
  type Statement,
  type TestExpression,
  type Word,
  type WordPart,
} from "unbash";
import { judgeWords, type ShellWord, type Surroundings } from "./arguments.js";
import { namesUnreadable } from "./paths.js";
import { type CommandVerdict, everyOf, READS, refuse } from "./verdict.js";

const CHARS_MAX = 4_096;
const NESTING_MAX = 16;

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
  return new TreeJudge(around).all(commands);
}

/** Walks a syntax tree. Where a type of node is not known to it, that is a write. */
class TreeJudge {
  #depth = 0;

  constructor(private readonly around: Surroundings) {}

  all(statements: readonly Statement[]): CommandVerdict {
    return everyOf(statements.map((statement) => this.#statement(statement)));
  }

  #list({ commands }: CompoundList): CommandVerdict {
    if (this.#depth >= NESTING_MAX) return refuse("the command is nested too deeply");
    this.#depth++;
    const verdict = this.all(commands);
    this.#depth--;
    return verdict;
  }

  #statement({ command, background }: Statement): CommandVerdict {
    if (background) return refuse("a command in the background goes on after the call");
    if (command.type === "AndOr") return everyOf(command.commands.map((node) => this.#pipeline(node)));
    return this.#pipeline(command);
  }

  #pipeline(node: PipelineNode): CommandVerdict {
    return node.type === "Pipeline"
      ? everyOf(node.commands.map((command) => this.#command(command)))
      : this.#command(node);
  }

  #command(node: CommandNode): CommandVerdict {
    switch (node.type) {
      case "Command":
        return this.#simple(node);
      case "Redirected":
        return everyOf([...node.redirects.map(judgeRedirection), this.#command(node.command)]);
      case "Subshell":
      case "BraceGroup":
        return this.#list(node.body);
      case "If": {
        const branches = node.elif.flatMap(({ clause, then }) => [clause, then]);
        const lists = [node.clause, node.then, ...branches, ...(node.else === undefined ? [] : [node.else])];
        return everyOf(lists.map((list) => this.#list(list)));
      }
      case "TestCommand":
        return judgeTest(node.expression);
      default:
        return refuse(`${node.type} is not known to only read`);
    }
  }

  #simple({ name, prefix, suffix }: Extract<CommandNode, { type: "Command" }>): CommandVerdict {
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
    return everyOf([...verdicts, judgeWords(words, this.around)]);
  }
}

/** Variables that change how times, numbers and letters are shown. */
const HARMLESS_VARIABLES = /^(?:LC_[A-Z]+|LANG|TZ|COLUMNS|NO_COLOR|BLOCKSIZE|BLOCK_SIZE)$/;

function judgeAssignment({
  name,
  value,
  append,
  index,
}: Extract<Part, { type: "Assignment" }>): CommandVerdict {
  const isHarmless =
    HARMLESS_VARIABLES.test(name) && append !== true && index === undefined && value.type === "Word";
  const word = isHarmless ? argumentOf(value) : undefined;
  return word?.isFixed && /^[\w.@:+-]*$/.test(word.text)
    ? READS
    : refuse(`the variable ${name} may change what a program does`);
}

type Part = Extract<CommandNode, { type: "Command" }>["suffix"][number];

function judgeRedirection(node: Redirection): CommandVerdict {
  if (node.descriptor?.type === "FileDescriptorVariable") return refuse("a redirection sets a variable");
  if (node.type === "HereDoc") {
    const isPlain =
      node.delimiter !== undefined &&
      node.closing !== undefined &&
      fixedText(node.body.parts ?? []) !== undefined;
    return isPlain ? READS : refuse("a here-document has expansions, or no end");
  }
  const target = node.target === undefined ? undefined : argumentOf(node.target);
  if (target === undefined || !target.isFixed) return refuse("where a redirection goes to is not known");
  if (node.type === "HereString") return READS;
  const { operator } = node;
  const isCopied = /^[<>]&$/.test(operator) && /^(?:\d|-)$/.test(target.text);
  const isRead = operator === "<" && !namesUnreadable(target.text);
  const isDropped = operator !== "<>" && target.text === "/dev/null";
  return isCopied || isRead || isDropped ? READS : refuse(`a redirection (${operator}) may write`);
}

/** Comparisons of words and tests of files. Those of numbers are left out: `[[` computes what it compares. */
function judgeTest(expression: TestExpression): CommandVerdict {
  switch (expression.type) {
    case "TestUnary":
      return /^-[abcdefghkprstuwxzGLNOS]$|^-n$/.test(expression.operator)
        ? judgeTestWords(expression.operand)
        : refuse(`the test ${expression.operator} is not known to only read`);
    case "TestBinary":
      return /^(?:==?|!=|=~|<|>|-nt|-ot|-ef)$/.test(expression.operator)
        ? judgeTestWords(expression.left, expression.right)
        : refuse(`the test ${expression.operator} is not known to only read`);
    case "TestLogical":
      return everyOf(expression.operands.map(judgeTest));
    case "TestNot":
      return judgeTest(expression.operand);
    case "TestGroup":
      return judgeTest(expression.expression);
    default:
      return refuse("a test of this kind is not known to only read");
  }
}

function judgeTestWords(...words: readonly Word[]): CommandVerdict {
  return words.every((word) => argumentOf(word) !== undefined)
    ? READS
    : refuse("what a test compares is not known");
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
  let text = "";
  for (const part of parts) {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted")
      text += part.value;
    else if (part.type === "DoubleQuoted") {
      const inner = fixedText(part.parts);
      if (inner === undefined) return undefined;
      text += inner;
    } else return undefined;
  }
  return text;
}
