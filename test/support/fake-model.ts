/** A language model that says what a test scripted: it fails on calls not expected and on calls missing. */
import assert from "node:assert/strict";
import { type Clock, sleep } from "../../src/lib/clock.js";
import { abortable } from "../../src/lib/deadline.js";
import type {
  EndReason,
  LanguageModel,
  ModelEvent,
  ModelReply,
  ModelRequest,
  ToolCall,
} from "../../src/llm/port.js";

/** One piece of a stream: text, a pause in milliseconds, an end, an error, or `"hang"`. */
export type Piece = string | number | { readonly end: EndReason } | Error | typeof HANG;

export const HANG = Symbol("hang");

type Reply = ModelReply | Error | typeof HANG;

export const usage = { inputTokens: 100, outputTokens: 10 };

export class ScriptedModel implements LanguageModel {
  readonly name = "scripted";
  readonly requests: ModelRequest[] = [];
  readonly signals: AbortSignal[] = [];
  /** Streams that were begun and not closed. */
  open = 0;
  readonly #replies: Reply[] = [];
  readonly #streams: (readonly Piece[])[] = [];
  readonly #unexpected: string[] = [];

  constructor(private readonly clock: Clock) {}

  /** The next `complete` gives this. */
  expectReply(reply: Reply): this {
    this.#replies.push(reply);
    return this;
  }

  /** The next `complete` calls the search tool for each of these. */
  expectSearches(...queries: readonly string[]): this {
    return this.expectReply({ calls: queries.map(searchCall), text: "", usage });
  }

  /** The next `stream` gives these pieces; it ends as complete unless they say otherwise. */
  expectStream(...pieces: readonly Piece[]): this {
    this.#streams.push(pieces);
    return this;
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    this.#note(request, signal);
    const reply = this.#replies.shift();
    if (reply === undefined) return this.#refuse("complete");
    if (reply === HANG) return hang(signal);
    if (reply instanceof Error) throw reply;
    return reply;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    this.#note(request, signal);
    const pieces = this.#streams.shift() ?? this.#refuse("stream");
    this.open += 1;
    try {
      for (const piece of pieces) {
        if (piece === HANG) await hang(signal);
        else if (piece instanceof Error) throw piece;
        else if (typeof piece === "number") await sleep(this.clock, piece, signal);
        else if (typeof piece === "string") yield { type: "text", text: piece };
        else return yield { type: "end", reason: piece.end, usage };
      }
      yield { type: "end", reason: "complete", usage };
    } finally {
      this.open -= 1;
    }
  }

  /** To be called after each test. */
  verify(): void {
    assert.deepEqual(this.#unexpected, [], "calls that were not expected");
    assert.deepEqual([...this.#replies, ...this.#streams], [], "calls that never came");
    assert.equal(this.open, 0, "streams that were not closed");
  }

  #note(request: ModelRequest, signal: AbortSignal): void {
    this.requests.push(request);
    this.signals.push(signal);
  }

  #refuse(call: string): never {
    this.#unexpected.push(call);
    throw new Error(`unexpected: ${call}`);
  }
}

export function searchCall(query: string, index = 0): ToolCall {
  return {
    id: `call_${index + 1}`,
    name: "retrieve_relevant_documents",
    arguments: JSON.stringify({ search_query: query }),
  };
}

function hang(signal: AbortSignal): Promise<never> {
  return abortable(new Promise<never>(() => {}), signal);
}
