/**
 * A language model behind the guard: it refuses the turn for what a user asks or attaches, and leaves out other texts. Where
 * one could not be scanned, the model counts as failed: the answer is then made here, of the documents' own words.
 */
import type { ForeignText } from "../domain/foreign-text.js";
import { type LanguageModel, ModelFailure, type ModelMessage, type ModelRequest } from "../llm/port.js";
import { type Guard, GuardRefusal, GuardUnavailable } from "./port.js";

/** Stands where a text was left out. */
const WITHHELD = "(withheld)";

const KIND_BY_ROLE = { user: "question", assistant: "answer", tool: "tool_reply" } as const;

export class GuardedModel implements LanguageModel {
  readonly name: string;

  constructor(
    private readonly model: LanguageModel,
    private readonly guard: Guard,
  ) {
    this.name = model.name;
  }

  async complete(request: ModelRequest, signal: AbortSignal) {
    return this.model.complete(await this.#admit(request, signal), signal);
  }

  async *stream(request: ModelRequest, signal: AbortSignal) {
    yield* this.model.stream(await this.#admit(request, signal), signal);
  }

  /** The same request where nothing is left out: those behind know one that is made again by its identity. */
  async #admit(request: ModelRequest, signal: AbortSignal): Promise<ModelRequest> {
    const asked = request.messages.findLast(({ role }) => role === "user");
    const work = request.messages.map(async (message) => {
      const texts = message.foreign ?? foreignBy(message);
      const refusals = await Promise.all(texts.map((text) => this.guard.scan(text, "model", signal)));
      const refused = texts.filter((_, i) => refusals[i] !== undefined);
      return refused.length === 0 ? message : without(message, refused, message === asked);
    });
    const messages = await Promise.all(work).catch((error: unknown) => {
      throw error instanceof GuardUnavailable ? new ModelFailure("rejected", error.message) : error;
    });
    if (messages.every((message, i) => message === request.messages[i])) return request;
    return { ...request, messages: messages.filter((message) => message !== undefined) };
  }
}

/** Where a message does not say so: a system prompt is ours, calls are the model's own, all else is somebody else's. */
function foreignBy(message: ModelMessage): readonly ForeignText[] {
  if (message.role === "system" || message.role === "tool_calls") return [];
  return [{ what: KIND_BY_ROLE[message.role], text: message.content }];
}

/** The message without what is refused; `undefined`: nothing of it. Throws where the turn cannot do without. */
function without(
  message: ModelMessage,
  refused: readonly ForeignText[],
  isAsked: boolean,
): ModelMessage | undefined {
  if (message.role === "tool_calls") return message;
  const { content } = message;
  if (isAsked && refused.some(({ what }) => what === "question" || what === "attached_text"))
    throw new GuardRefusal();
  const rest = refused.reduce((kept, { text }) => kept.replaceAll(text, WITHHELD), content);
  if (rest !== WITHHELD && refused.every(({ text }) => content.includes(text)))
    return { ...message, content: rest };
  if (isAsked) throw new ModelFailure("rejected", "the guard refuses what the request rests on");
  return message.role === "tool" ? { ...message, content: WITHHELD } : undefined;
}
