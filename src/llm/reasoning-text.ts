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
  /** Nothing yet but `blanks`, and `held`, which may become a tag. */
  | { readonly type: "begin"; readonly blanks: string; readonly held: string; readonly afterBlock: boolean }
  /** Within a block; `held` is what may become the closing tag. */
  | { readonly type: "inside"; readonly closing: string; readonly held: string }
  | { readonly type: "answer" };

/** The same piece by piece. Holds back no more than blanks, and what may still be a tag. */
export class ReasoningFilter {
  #state: State = { type: "begin", blanks: "", held: "", afterBlock: false };

  /** The part of the answer that this piece brings. */
  take(piece: string, { isLast = false } = {}): string {
    let rest = piece;
    for (;;) {
      const state: State = this.#state;
      if (state.type === "answer") return rest;
      if (state.type === "inside") {
        const text = state.held + rest;
        const end = text.indexOf(state.closing);
        if (end === -1) {
          this.#state = { ...state, held: text.slice(-(state.closing.length - 1)) };
          return "";
        }
        this.#state = { type: "begin", blanks: "", held: "", afterBlock: true };
        rest = text.slice(end + state.closing.length);
        continue;
      }
      const begun = state.held === "" ? rest.trimStart() : state.held + rest;
      const blanks =
        state.held === "" ? state.blanks + rest.slice(0, -begun.length || undefined) : state.blanks;
      const tag = TAGS.find((name) => begun.startsWith(`<${name}>`));
      if (tag !== undefined) {
        this.#state = { type: "inside", closing: `</${tag}>`, held: "" };
        rest = begun.slice(tag.length + 2);
      } else if (!isLast && TAGS.some((name) => `<${name}>`.startsWith(begun))) {
        this.#state = { ...state, blanks, held: begun };
        return "";
      } else {
        this.#state = { type: "answer" };
        // White space behind a block belongs to it, whichever piece brings it.
        return state.afterBlock ? begun : blanks + begun;
      }
    }
  }
}
