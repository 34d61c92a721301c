/**
 * Leaves out what models leak into their text: calls of tools written as text, special tokens of their templates, and
 * signs that decorate. From a leaked call on nothing is an answer. Works piece by piece, as a text is streamed.
 */

import { pattern } from "../lib/pattern.js";

/** The text before the first leak, without decoration. `tools`: names of the tools that the model was told of. */
export function withoutArtifacts(text: string, tools: readonly string[]): string {
  return new DecorationFilter().take(new LeakFilter(tools).take(text, { isLast: true }), { isLast: true });
}

/** `<|DSML|function_calls>`, `</｜DSML｜`, `<|interpreter|>`, `<tool_calls>`, `minimax:tool_call`. */
const MARKER = pattern()`
  <\/?(?:[|｜]{1,8}\/?[A-Za-z][\w▁]{0,40}[|｜]|DSML\b|end▁of▁thinking>
  |(?:tool|function)_(?:calls?|results?|response)(?=[\s>]))|\bminimax:tool_call\b
`;

/** A call as a JSON object, in a fence or not: the name decides whether it is one of our tools. */
const JSON_CALL =
  /(?:```[a-z]{0,10}\s{0,20})?\{\s{0,20}"(?:name|tool|tool_name|function)"\s{0,20}:\s{0,20}"([\w.:-]{1,128})"/g;

/** What stands behind the name where it is called: `()`, `("x"`, `({`, `(a=`. */
const ARGUMENTS = /^\((?:\)|\s{0,20}[{["']|\s{0,20}\w{1,64}\s{0,20}=)/;

/** What may still become one of those, at the end of a piece. */
const BEGINNINGS: readonly RegExp[] = [
  /<\/?[|｜]{0,8}\/?[\w▁]{0,40}$/,
  /\bmini(?:m(?:a(?:x(?::[a-z_]{0,9})?)?)?)?$/,
  /(?:`{1,3}|```[a-z]{0,10}\s{0,20})$/,
  /(?:```[a-z]{0,10}\s{0,20})?\{\s{0,20}(?:"(?:[a-z_]{0,10}|[a-z_]{1,10}"\s{0,20}(?::\s{0,20}(?:"[\w.:-]{0,128})?)?))?$/,
];
/** The longest of them, in UTF-16 units. */
const BEGINNING_CHARS_MAX = 250;

/** A run of ASCII without a space that is as long is no word: a model that leaks a call may glue all before it together. */
const RUN_CHARS_MIN = 40;
/** So much of one is held back at the most, in UTF-16 units. */
const RUN_CHARS_MAX = 500;

export class LeakFilter {
  #held = "";
  #hasLeaked = false;

  constructor(private readonly tools: readonly string[]) {}

  /** Whether there was a leak: nothing comes behind it. */
  get hasLeaked(): boolean {
    return this.#hasLeaked;
  }

  /** What this piece adds to the answer. Holds back what may still become a leak. */
  take(piece: string, { isLast = false } = {}): string {
    if (this.#hasLeaked) return "";
    const text = this.#held + piece;
    const leak = leakIn(text, this.tools);
    if (leak !== undefined) {
      this.#hasLeaked = true;
      this.#held = "";
      return text.slice(0, leak).trimEnd();
    }
    const from = isLast ? text.length : heldFrom(text, this.tools);
    this.#held = text.slice(from);
    return text.slice(0, from);
  }
}

/** Where the first leak begins; `undefined` when there is none. */
function leakIn(text: string, tools: readonly string[]): number | undefined {
  const calls = tools.flatMap((tool) => calledAt(text, tool));
  const json = [...text.matchAll(JSON_CALL)].find(([, name]) => tools.includes(name!));
  const marker = MARKER.exec(text);
  const found = [...calls, ...[json, marker].flatMap((match) => match?.index ?? [])];
  return found.length === 0 ? undefined : Math.min(...found);
}

/** Where a tool is called as in a program, with the run of words that is glued to it. */
function calledAt(text: string, tool: string): number[] {
  for (let at = text.indexOf(tool); at >= 0; at = text.indexOf(tool, at + tool.length)) {
    if (isInWord(text, at) || !ARGUMENTS.test(text.slice(at + tool.length, at + tool.length + 128))) continue;
    const run = runBefore(text, at);
    return [at - run >= RUN_CHARS_MIN ? run : at];
  }
  return [];
}

function isInWord(text: string, at: number): boolean {
  return at > 0 && /[\w-]/.test(text[at - 1]!);
}

/** Where the run of printable ASCII begins that ends before `end`. */
function runBefore(text: string, end: number): number {
  let at = end;
  while (at > 0 && end - at < RUN_CHARS_MAX && /[!-~’]/.test(text[at - 1]!)) at -= 1;
  return at;
}

/** From where on the text is held back: it may become a leak once more of it is there. */
function heldFrom(text: string, tools: readonly string[]): number {
  const tail = Math.max(0, text.length - BEGINNING_CHARS_MAX);
  const end = text.slice(tail);
  const run = runBefore(text, text.length);
  const length = text.length - run;
  const begun = BEGINNINGS.flatMap((beginning) => beginning.exec(end)?.index ?? []).map((at) => tail + at);
  const named = tools.flatMap((name) => nameBegunAt(text, name, tail));
  const glued = length >= RUN_CHARS_MIN && length < RUN_CHARS_MAX ? [run] : [];
  return Math.min(text.length, ...begun, ...named, ...glued);
}

/** Where a name begins that is not whole yet, or whole with what may become its arguments. */
function nameBegunAt(text: string, name: string, from: number): number[] {
  for (let at = text.indexOf(name[0]!, from); at >= 0; at = text.indexOf(name[0]!, at + 1)) {
    const rest = text.slice(at);
    const isBegun =
      name.startsWith(rest) ||
      (rest.startsWith(name) && /^\(?\s{0,20}\w{0,64}\s{0,20}$/.test(rest.slice(name.length)));
    if (isBegun && !isInWord(text, at)) return [at];
  }
  return [];
}

/** Pictures, and what only belongs to them; not ©, ® and ™, and no arrows: they mean something. */
const GLYPH =
  /^(?:(?![©®™\u2190-\u21ff])\p{Extended_Pictographic}|\ufe0f|\u200d|\u20e3|[\u{1f3fb}-\u{1f3ff}])$/u;

/** Leaves decorating signs out, but for those in code; a space stands where they held words apart. */
export class DecorationFilter {
  /** The first characters of the line: they tell a fence. */
  #head = "";
  #isCode = false;
  #last = "\n";
  /** Signs were left out since the last character. */
  #isGap = false;
  /** The first half of a character that a piece has cut in two. */
  #half = "";

  take(piece: string, { isLast = false } = {}): string {
    const text = this.#half + piece;
    const isCut = !isLast && /[\ud800-\udbff]$/.test(text);
    this.#half = isCut ? text.slice(-1) : "";
    let kept = "";
    for (const character of isCut ? text.slice(0, -1) : text) kept += this.#one(character);
    return kept;
  }

  #one(character: string): string {
    if (character === "\n") this.#head = "";
    else if (this.#head.length < FENCE.length && (this.#head !== "" || character !== " ")) {
      this.#head += character;
      if (this.#head === FENCE) this.#isCode = !this.#isCode;
    }
    if (!this.#isCode && GLYPH.test(character)) {
      this.#isGap = true;
      return "";
    }
    const isApart = /\s/.test(this.#last);
    const wasGap = this.#isGap;
    if (wasGap && isApart && /[ \t]/.test(character)) return "";
    this.#isGap = false;
    this.#last = character;
    return wasGap && !isApart && /[\p{L}\p{N}]/u.test(character) ? ` ${character}` : character;
  }
}

const FENCE = "```";
