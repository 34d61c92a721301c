/** The model's words as parts of a draft: plain sentences, or claims that each quote their evidence. */
import type { DraftEvent } from "../capability/draft.js";
import { ClaimReader } from "./claims.js";

export class DraftWriter {
  #reader: ClaimReader | undefined;

  /** `quotable`: where claims are wanted, ids of the passages as the model was shown them; the first is number 1. */
  constructor(private readonly quotable: readonly string[] | undefined) {
    this.restart();
  }

  /** What more of the model's text comes to. Throws `ModelFailure` when it cannot be read. */
  push(text: string): readonly DraftEvent[] {
    if (this.#reader === undefined) return [{ type: "text", text }];
    return this.#reader.push(text).map((claim) => ({
      type: "claim",
      text: claim.text,
      source: this.quotable?.[claim.passage - 1] ?? "",
      quote: claim.quote,
    }));
  }

  /** What is left when the model has finished. Throws `ModelFailure` when something is missing. */
  end(): readonly DraftEvent[] {
    const question = this.#reader?.end() ?? "";
    return question === "" ? [] : [{ type: "text", text: question }];
  }

  /** The model starts over. */
  restart(): void {
    this.#reader = this.quotable && new ClaimReader();
  }
}
