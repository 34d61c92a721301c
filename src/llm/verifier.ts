/**
 * The second reader: a model that is asked whether a passage says what a sentence says, and has little time for it.
 * Passage and sentence are handed to it as data, as strings of one JSON object; its reply is one boolean, and nothing
 * of it is ever said. A model that is too slow, or fails, several times in a row is left alone for a while.
 */
import { z } from "zod";
import type { Clock } from "../lib/clock.js";
import { withDeadline } from "../lib/deadline.js";
import { parseForgivingJson } from "../lib/forgiving-json.js";
import { Slots } from "../lib/slots.js";
import type { Breaker, Permit } from "./breaker.js";
import type { LanguageModel, ModelRequest, TokenUsage } from "./port.js";
import type { Prompts } from "./prompts.js";

/** Requests under way at once, of all turns together, and how many more wait for their place. */
export const VERIFYING_AT_ONCE_MAX = 16;
const VERIFYING_WAITING_MAX = 256;

/** What it is asked about. */
export interface Verifiable {
  readonly document: string;
  readonly section: string;
  readonly passage: string;
  readonly question: string;
  /** What was said right before. */
  readonly before: string;
  readonly sentence: string;
}

export type VerifierWord =
  | { readonly type: "yes" | "no"; readonly usage: TokenUsage }
  /** Its time was over, or it failed. */
  | { readonly type: "not_in_time"; readonly error: string };

export interface VerifierDeps {
  readonly clock: Clock;
  readonly model: LanguageModel;
  readonly prompts: Prompts;
  /** Counts answers that did not come in time, whatever the reason. */
  readonly breaker: Breaker;
}

export interface VerifierLimits {
  /** From asking to its word, a place among the others' requests included, in milliseconds. */
  readonly timeoutMs: number;
  readonly outputTokensMax: number;
}

export class Verifier {
  readonly #slots = new Slots(VERIFYING_AT_ONCE_MAX, VERIFYING_WAITING_MAX);

  constructor(
    private readonly deps: VerifierDeps,
    private readonly limits: VerifierLimits,
  ) {}

  /** Whether the passage says the sentence. Never rejects; without a word when `signal` aborts or the time is over. */
  async ask(claim: Verifiable, signal: AbortSignal): Promise<VerifierWord> {
    const permit = this.deps.breaker.permit();
    if (permit === undefined)
      return { type: "not_in_time", error: "the second reader is left alone for a while" };
    try {
      return await this.#word(claim, permit, signal);
    } catch (error) {
      // Whoever leaves says nothing of the model.
      permit(signal.aborted ? "neither" : "failure");
      return { type: "not_in_time", error: String(error) };
    }
  }

  async #word(claim: Verifiable, permit: Permit, signal: AbortSignal): Promise<VerifierWord> {
    const { clock, model } = this.deps;
    const { timeoutMs } = this.limits;
    const request = this.#request(claim, clock.monotonic() + timeoutMs);
    const { text, usage } = await withDeadline(clock, "the second reader", timeoutMs, signal, (within) =>
      this.#slots.run(within, () => model.complete(request, within)),
    );
    const { says } = REPLY.parse(parseForgivingJson(text));
    permit("success");
    return { type: says ? "yes" : "no", usage };
  }

  #request(claim: Verifiable, giveUpAtMs: number): ModelRequest {
    return {
      messages: [
        { role: "system", content: this.deps.prompts.render("verify") },
        { role: "user", content: JSON.stringify(claim) },
      ],
      tools: [],
      toolChoice: "none",
      outputTokensMax: this.limits.outputTokensMax,
      responseFormat: FORMAT,
      giveUpAtMs,
    };
  }
}

const REPLY = z.strictObject({ says: z.boolean() });
const { $schema: _, ...schema } = z.toJSONSchema(REPLY);
const FORMAT = { type: "json_schema", name: "verdict", schema } as const;
