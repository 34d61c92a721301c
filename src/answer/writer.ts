/** The model's words as parts of a draft: plain sentences, or claims that each quote their evidence. */
import type { DraftEvent } from "../capability/draft.js";
import type { ModelMessage } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import { ClaimReader } from "./claims.js";

export interface Writer {
  readonly quotes: boolean;
  /** What more of the model's text comes to. Throws `ModelFailure` when it cannot be read. */
  push(text: string): readonly DraftEvent[];
  /** What is left when the model has finished. Throws `ModelFailure` when something is missing. */
  end(): readonly DraftEvent[];
  /** The model starts over. */
  restart(): void;
}

export class PlainWriter implements Writer {
  readonly quotes = false;

  push(text: string): readonly DraftEvent[] {
    return [{ type: "text", text }];
  }

  end(): readonly DraftEvent[] {
    return [];
  }

  restart(): void {}
}

export class QuotedWriter implements Writer {
  readonly quotes = true;
  #reader = new ClaimReader();

  /** `shown`: ids of the passages as the model was shown them; the first is number 1. */
  constructor(private readonly shown: readonly string[]) {}

  push(text: string): readonly DraftEvent[] {
    return this.#reader.push(text).map((claim) => ({
      type: "claim",
      text: claim.text,
      source: this.shown[claim.passage - 1] ?? "",
      quote: claim.quote,
    }));
  }

  end(): readonly DraftEvent[] {
    const question = this.#reader.end();
    return question === "" ? [] : [{ type: "text", text: question }];
  }

  restart(): void {
    this.#reader = new ClaimReader();
  }
}

/** What the model is told of the form; last, so that it counts. */
export function quotedInstruction(prompts: Prompts): ModelMessage {
  return { role: "system", content: prompts.render("quoted") };
}
