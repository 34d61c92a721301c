/** Whether a shell command only reads, by its text: all of its syntax tree is walked, and what is not known is a write. */
import { forEachChild, parse, type Redirect, type SyntaxNode, type Word, type WordPart } from "unbash";
import { judgeWords, namesUnreadable, type ShellWord } from "./arguments.js";
import { deeper, refuse, type Surroundings } from "./usages.js";

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
    judgeScript(command, { isBounded: false, depth: 0, judgeScript });
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

/** A word as a program gets it. */
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
