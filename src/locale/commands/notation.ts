/**
 * One sentence template, from text to a tree. The notation is that of Home Assistant's intents (hassil): `(a|b)` for
 * alternatives, `[a]` for what may be left out, `{list}` or `{list:slot}` for an argument, `<rule>` for a part that has
 * a name. A bracket that touches letters varies the word: `valve[s]`, `pomp(a|ę)`.
 */

export type Template =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "sequence"; readonly parts: readonly Template[] }
  | { readonly type: "choice"; readonly of: readonly Template[] }
  | { readonly type: "slot"; readonly list: string; readonly name: string }
  | { readonly type: "rule"; readonly name: string };

/** A template is not written as it should be; the message says what and where in it. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** Throws `TemplateError`. Brackets may nest to `DEPTH_MAX`. */
export function parseTemplate(source: string): Template {
  const reader = new Reader(source);
  const template = reader.choice("");
  if (!reader.isAtEnd) throw reader.problem(`"${source[reader.at]}" closes nothing`);
  return template;
}

const DEPTH_MAX = 12;

/** Spellings of one word, or words that one bracket stands for. */
const SPELLINGS_MAX = 500;

const EMPTY: Template = { type: "sequence", parts: [] };
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };
const NAME = /^[a-z][a-z_]{0,31}$/;

class Reader {
  at = 0;
  #depth = 0;

  constructor(private readonly source: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  problem(what: string): TemplateError {
    return new TemplateError(`${what}, at character ${this.at + 1} of "${this.source}"`);
  }

  /** Alternatives up to `closing`, which is taken too; "" is the end of the template. */
  choice(closing: string): Template {
    if (++this.#depth > DEPTH_MAX) throw this.problem(`brackets nest more than ${DEPTH_MAX} deep`);
    const of = [this.#sequence()];
    while (this.source[this.at] === "|") {
      this.at++;
      of.push(this.#sequence());
    }
    if (closing !== "") {
      if (this.source[this.at] !== closing) throw this.problem(`"${closing}" is missing`);
      this.at++;
    }
    this.#depth--;
    return of.length === 1 ? of[0]! : { type: "choice", of };
  }

  #sequence(): Template {
    const parts: Template[] = [];
    let glued: Template[] = [];
    const flush = () => {
      if (glued.length > 0) parts.push(glued.length === 1 ? glued[0]! : this.#word(glued));
      glued = [];
    };
    for (; !this.isAtEnd; ) {
      const character = this.source[this.at]!;
      if (character === "|" || character === ")" || character === "]") break;
      if (character === " ") {
        this.at++;
        flush();
      } else glued.push(this.#item(character));
    }
    flush();
    return parts.length === 1 ? parts[0]! : { type: "sequence", parts };
  }

  #item(character: string): Template {
    const closing = CLOSING[character];
    if (closing === undefined) return this.#text();
    this.at++;
    if (character === "(") return this.choice(closing);
    if (character === "[") return { type: "choice", of: [this.choice(closing), EMPTY] };
    const end = this.source.indexOf(closing, this.at);
    if (end < 0) throw this.problem(`"${closing}" is missing`);
    const [list = "", name = list, ...rest] = this.source.slice(this.at, end).split(":");
    if (!NAME.test(list) || !NAME.test(name) || rest.length > 0)
      throw this.problem("a name has small letters and _ only");
    this.at = end + 1;
    return character === "{" ? { type: "slot", list, name } : { type: "rule", name: list };
  }

  #text(): Template {
    const from = this.at;
    while (!this.isAtEnd && !" |()[]{}<>".includes(this.source[this.at]!)) this.at++;
    if (from === this.at) throw this.problem(`"${this.source[this.at]}" opens nothing`);
    return { type: "text", text: this.source.slice(from, this.at) };
  }

  /** Parts without a space between them: one word in all its spellings. */
  #word(parts: readonly Template[]): Template {
    const spellings = parts.reduce<readonly string[]>(
      (found, part) => {
        const endings = this.#spellings(part);
        if (found.length * endings.length > SPELLINGS_MAX)
          throw this.problem(`more than ${SPELLINGS_MAX} spellings of one word`);
        return found.flatMap((beginning) => endings.map((ending) => beginning + ending));
      },
      [""],
    );
    return { type: "choice", of: spellings.map((text) => ({ type: "text", text })) };
  }

  #spellings(part: Template): readonly string[] {
    switch (part.type) {
      case "text":
        return [part.text];
      case "choice":
        return part.of.flatMap((one) => this.#spellings(one));
      case "sequence": {
        const texts = part.parts.map((one) => this.#spellings(one));
        if (texts.every(({ length }) => length === 1)) return [texts.join(" ")];
        break;
      }
      default:
        break;
    }
    throw this.problem("an argument or a rule needs a space beside it");
  }
}
