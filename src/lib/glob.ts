/**
 * Patterns for names with `/` between folders: `*` is any part of one name, `?` one character of it, `**` alone between
 * slashes any number of folders (at the end: everything below), `{a,b}` either, `\\` takes the next character as it is.
 * Everything else stands for itself, upper and lower case told apart; composed and decomposed letters are the same.
 *
 * A pattern becomes a small state machine, and matching takes time in proportion to the name's length times the
 * pattern's, whatever they are.
 */

/** Characters of a pattern at the most. */
export const GLOB_CHARS_MAX = 1_024;

/** It is no pattern; the message says what is wrong with it. */
export class GlobError extends Error {
  override readonly name = "GlobError";
}

export class Glob {
  /** What every match begins with; the whole of it when the pattern has no wildcard. */
  readonly literalPrefix: string;
  readonly isLiteral: boolean;
  readonly #states: readonly State[];

  /** Throws `GlobError`. */
  constructor(pattern: string) {
    if (pattern.length > GLOB_CHARS_MAX)
      throw new GlobError(`a pattern has at most ${GLOB_CHARS_MAX} characters`);
    const tokens = tokenize(pattern.normalize("NFC"));
    if (tokens.length === 0) throw new GlobError("a pattern is not empty");
    const { states } = new Compiler(tokens);
    this.#states = states;
    const end = tokens.findIndex(({ type }) => type !== "literal");
    this.isLiteral = end < 0;
    this.literalPrefix = tokens
      .slice(0, end < 0 ? tokens.length : end)
      .map(({ text }) => text)
      .join("");
  }

  matches(name: string): boolean {
    const text = name.normalize("NFC");
    if (this.isLiteral) return text === this.literalPrefix;
    if (!text.startsWith(this.literalPrefix)) return false;
    let active = this.#closure([0]);
    for (const character of text) {
      const next: number[] = [];
      for (const state of active) {
        const { on, to } = this.#states[state]!;
        if (on !== undefined && accepts(on, character)) next.push(to);
      }
      if (next.length === 0) return false;
      active = this.#closure(next);
    }
    return active.has(this.#states.length - 1);
  }

  /** The states that are reached without another character. */
  #closure(states: readonly number[]): ReadonlySet<number> {
    const reached = new Set<number>();
    const waiting = [...states];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (reached.has(state)) continue;
      reached.add(state);
      waiting.push(...this.#states[state]!.free);
    }
    return reached;
  }
}

interface GlobPart {
  readonly type: "literal" | "?" | "*" | "**" | "**/" | "{" | "," | "}";
  readonly text: string;
}

function tokenize(pattern: string): GlobPart[] {
  const tokens: GlobPart[] = [];
  const characters = [...pattern];
  let depth = 0;
  for (let i = 0; i < characters.length; i++) {
    const text = characters[i]!;
    if (text === "\\") {
      const escaped = characters[++i];
      if (escaped === undefined) throw new GlobError("a backslash stands before another character");
      tokens.push({ type: "literal", text: escaped });
    } else if (text === "*" && characters[i + 1] === "*") {
      const token = foldersAt(characters, i, depth);
      tokens.push(token);
      i += token.text.length - 1;
    } else if (text === "*" || text === "?") {
      tokens.push({ type: text, text });
    } else if (text === "{" || text === "}" || (text === "," && depth > 0)) {
      depth += text === "{" ? 1 : text === "}" ? -1 : 0;
      if (depth < 0) throw new GlobError('a "}" has no "{"; a backslash before it takes it as it is');
      tokens.push({ type: text, text });
    } else {
      tokens.push({ type: "literal", text });
    }
  }
  if (depth > 0) throw new GlobError('a "{" has no "}"; a backslash before it takes it as it is');
  return tokens;
}

function foldersAt(characters: readonly string[], at: number, depth: number): GlobPart {
  const before = characters[at - 1];
  const after = characters[at + 2];
  const startsSegment = before === undefined || before === "/" || (depth > 0 && /[{,]/.test(before));
  if (startsSegment && after === "/") return { type: "**/", text: "**/" };
  const endsSegment = after === undefined || (depth > 0 && /[,}]/.test(after));
  if (startsSegment && endsSegment) return { type: "**", text: "**" };
  throw new GlobError('"**" stands alone between slashes');
}

type CharacterTest =
  | { readonly type: "literal"; readonly text: string }
  | { readonly type: "in_name" | "any" };

interface State {
  /** What leads on to the state `to`. */
  readonly on: CharacterTest | undefined;
  readonly to: number;
  /** States that are reached for nothing. */
  readonly free: number[];
}

function accepts(accepted: CharacterTest, character: string): boolean {
  if (accepted.type === "literal") return character === accepted.text;
  return accepted.type === "any" || character !== "/";
}

/** Lays states out in the order of the pattern; the last one is the end. */
class Compiler {
  readonly states: State[] = [];
  #at = 0;

  constructor(private readonly tokens: readonly GlobPart[]) {
    this.#sequence();
    this.states.push({ on: undefined, to: -1, free: [] });
  }

  /** Up to the end, or to what ends one of several alternatives. */
  #sequence(): void {
    for (let token = this.tokens[this.#at]; token !== undefined; token = this.tokens[this.#at]) {
      if (token.type === "," || token.type === "}") return;
      this.#at += 1;
      this.#token(token);
    }
  }

  #token({ type, text }: GlobPart): void {
    switch (type) {
      case "literal":
        this.#add({ type: "literal", text });
        return;
      case "?":
        this.#add({ type: "in_name" });
        return;
      case "*":
        this.#loop(() => this.#add({ type: "in_name" }));
        return;
      case "**":
        this.#loop(() => this.#add({ type: "any" }));
        return;
      case "**/":
        this.#loop(() => {
          this.#add({ type: "in_name" });
          this.#loop(() => this.#add({ type: "in_name" }));
          this.#add({ type: "literal", text: "/" });
        });
        return;
      case "{":
        this.#alternatives();
    }
  }

  /** Any number of times what `body` lays out. */
  #loop(body: () => void): void {
    const start = this.#add(undefined);
    body();
    const end = this.#add(undefined);
    this.states[start]!.free.push(end);
    this.states[end]!.free.push(start);
  }

  #alternatives(): void {
    const start = this.#add(undefined);
    this.states[start]!.free.pop();
    const ends: number[] = [];
    do {
      this.states[start]!.free.push(this.states.length);
      this.#sequence();
      ends.push(this.#add(undefined));
      this.states[ends.at(-1)!]!.free.pop();
    } while (this.tokens[this.#at++]?.type === ",");
    for (const end of ends) this.states[end]!.free.push(this.states.length);
  }

  /** A state that leads on to the one after it, on a character or for nothing. */
  #add(on: CharacterTest | undefined): number {
    const index = this.states.length;
    this.states.push({ on, to: index + 1, free: on === undefined ? [index + 1] : [] });
    return index;
  }
}
