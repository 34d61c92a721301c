/**
 * The model's words as parts of a draft. In quoted mode it writes one JSON object, `{"claims": [{text, passage, quote}],
 * "question": ""}`, and each claim is read as soon as it is complete, while the rest is still being written.
 */
import { z } from "zod";
import type { DraftEvent } from "../capability/draft.js";
import { parseForgivingJson } from "../lib/forgiving-json.js";
import { ModelFailure, type ResponseFormat, strictObject } from "../llm/port.js";

/** A sentence with the number of the passage that it quotes, as the model was shown it. */
const claim = z.object({ text: z.string(), passage: z.int(), quote: z.string() });
const reply = z.object({ claims: z.array(claim), question: z.string().default("") });

const string = { type: "string" };
const claimSchema = strictObject({ text: string, passage: { type: "integer" }, quote: string });

export const CLAIMS_FORMAT: ResponseFormat = {
  type: "json_schema",
  name: "claims",
  schema: strictObject({ claims: { type: "array", items: claimSchema }, question: string }),
};

/** Plain sentences as they come, or claims that each quote their evidence. */
export class DraftWriter {
  #reader: ClaimReader | undefined;

  /** `quotable`: where claims are wanted, ids of the passages as the model was shown them; the first is number 1. */
  constructor(private readonly quotable: readonly string[] | undefined) {
    this.restart();
  }

  /** What more of the model's text comes to. Throws `ModelFailure` when it cannot be read. */
  push(text: string): readonly DraftEvent[] {
    if (this.#reader === undefined) return [{ type: "text", text }];
    return this.#reader.push(text).map(({ passage, ...said }) => ({
      type: "claim",
      ...said,
      source: this.quotable?.[passage - 1] ?? "",
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

/** The object is at depth 1, its array of claims at depth 2, a claim at depth 3. */
const CLAIM_DEPTH = 3;

export class ClaimReader {
  readonly #pieces: string[] = [];
  #depth = 0;
  /** What there is of a claim that is not complete yet. */
  #claim: string | undefined;
  #string: "outside" | "inside" | "escaped" = "outside";

  /** Takes in more of the reply; returns the claims that are complete by now. Throws `ModelFailure` for one of another shape. */
  push(text: string): z.infer<typeof claim>[] {
    this.#pieces.push(text);
    const complete: z.infer<typeof claim>[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const step = this.#follow(text[at]!);
      if (step === "claim begins") {
        this.#claim = "";
        from = at;
      } else if (step === "claim ends") {
        complete.push(parsed(claim, this.#claim + text.slice(from, at + 1)));
        this.#claim = undefined;
      }
    }
    if (this.#claim !== undefined) this.#claim += text.slice(from);
    return complete;
  }

  /** The reply is over. Returns the question back, if there is one. Throws `ModelFailure` when it is not whole. */
  end(): string {
    const text = this.#pieces.join("");
    const object = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
    return parsed(reply, object).question.trim();
  }

  /** Follows the brackets; what stands in strings is none. */
  #follow(character: string): "claim begins" | "claim ends" | undefined {
    if (this.#string === "escaped") {
      this.#string = "inside";
    } else if (this.#string === "inside") {
      if (character === "\\") this.#string = "escaped";
      else if (character === '"') this.#string = "outside";
    } else if (character === '"') {
      // Before the object there may be a word of introduction, with an apostrophe or quotation marks.
      if (this.#depth > 0) this.#string = "inside";
    } else if (character === "{" || (character === "[" && this.#depth > 0)) {
      this.#depth += 1;
      if (this.#depth === CLAIM_DEPTH && character === "{") return "claim begins";
    } else if ((character === "}" || character === "]") && this.#depth > 0) {
      this.#depth -= 1;
      if (character === "}" && this.#depth === CLAIM_DEPTH - 1) return "claim ends";
    }
    return undefined;
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(parseForgivingJson(text));
  } catch {
    throw new ModelFailure("malformed", "the reply is not the JSON that was asked for");
  }
}
