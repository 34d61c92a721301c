/**
 * Leaves out what a model thinks aloud before it answers. Some servers hand that on inside the text, between tags:
 * gpt-oss at Bedrock (`<reasoning>`), and reasoning models where no parser for them is set up (`<think>`). It is no
 * part of the answer, and must never be spoken.
 */

/** The text without the block that it begins with; nothing at all when the block does not end. */
export function withoutReasoning(text: string): string {
  return new ReasoningFilter().take(text, { isLast: true });
}

const TAGS = ["think", "thinking", "reasoning"] as const;

type State =
  /** Nothing yet but white space and what may become a tag: `held`. */
  | { readonly type: "begin"; readonly held: string; readonly afterBlock: boolean }
  /** Within a block; `held` is what may become the closing tag. */
  | { readonly type: "inside"; readonly closing: string; readonly held: string }
  | { readonly type: "answer" };

/** The same piece by piece. Holds back no more than what may still be a tag. */
export class ReasoningFilter {
  #state: State = { type: "begin", held: "", afterBlock: false };

  /** The part of the answer that this piece brings. */
  take(piece: string, { isLast = false } = {}): string {
    if (this.#state.type === "answer") return piece;
    if (this.#state.type === "begin") {
      const { afterBlock } = this.#state;
      const text = this.#state.held + piece;
      const trimmed = text.trimStart();
      const tag = TAGS.find((name) => trimmed.startsWith(`<${name}>`));
      if (tag !== undefined) {
        this.#state = { type: "inside", closing: `</${tag}>`, held: "" };
        return this.take(trimmed.slice(tag.length + 2), { isLast });
      }
      if (!isLast && TAGS.some((name) => `<${name}>`.startsWith(trimmed))) {
        this.#state = { type: "begin", held: text, afterBlock };
        return "";
      }
      this.#state = { type: "answer" };
      // White space behind a block belongs to it, whichever piece brings it.
      return afterBlock ? trimmed : text;
    }
    const { closing, held } = this.#state;
    const text = held + piece;
    const end = text.indexOf(closing);
    if (end === -1) {
      this.#state = { type: "inside", closing, held: text.slice(-(closing.length - 1)) };
      return "";
    }
    this.#state = { type: "begin", held: "", afterBlock: true };
    return this.take(text.slice(end + closing.length), { isLast });
  }
}
