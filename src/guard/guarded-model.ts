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

  /** `here`: the local scanners, where these are to let a request go, and `guard` is to let its answer come. */
  constructor(
    private readonly model: LanguageModel,
    private readonly guard: Guard,
    private readonly here?: Guard,
  ) {
    this.name = model.name;
  }

  async complete(request: ModelRequest, signal: AbortSignal) {
    return this.#asked(request, signal, (...admitted) => this.model.complete(...admitted));
  }

  async *stream(request: ModelRequest, signal: AbortSignal) {
    const begin = async (...admitted: [ModelRequest, AbortSignal]) => {
      const events = this.model.stream(...admitted)[Symbol.asyncIterator]();
      return { events, first: await events.next() };
    };
    const drop = async ({ events }: Awaited<ReturnType<typeof begin>>) => events.return?.();
    const { events, first } = await this.#asked(request, signal, begin, drop);
    try {
      for (let next = first; !next.done; next = await events.next()) yield next.value;
    } finally {
      await events.return?.();
    }
  }

  /** What came of `ask`; with `here` it is under way before the guard has decided, and what may not come is dropped. */
  async #asked<T>(
    request: ModelRequest,
    signal: AbortSignal,
    ask: (request: ModelRequest, signal: AbortSignal) => Promise<T>,
    drop?: (answer: T) => Promise<unknown>,
  ): Promise<T> {
    if (this.here === undefined) return ask(await this.#admit(request, signal, this.guard), signal);
    const sent = await this.#admit(request, signal, this.here);
    const recall = new AbortController();
    const admission = this.#admit(sent, signal, this.guard);
    void admission.then(
      (admitted) => admitted === sent || recall.abort(new Error("the guard leaves something out")),
      (error: unknown) => recall.abort(error),
    );
    const [answer, verdict] = await Promise.allSettled([
      ask(sent, AbortSignal.any([signal, recall.signal])),
      admission,
    ]);
    const isLetIn = verdict.status === "fulfilled" && verdict.value === sent;
    if (!isLetIn && answer.status === "fulfilled") await drop?.(answer.value);
    if (verdict.status === "rejected") throw verdict.reason;
    if (!isLetIn) return ask(verdict.value, signal);
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  }

  /** The same request where nothing is left out: those behind know one that is made again by its identity. */
  async #admit(request: ModelRequest, signal: AbortSignal, guard: Guard): Promise<ModelRequest> {
    const asked = request.messages.findLast(({ role }) => role === "user");
    const work = request.messages.map(async (message) => {
      const texts = message.foreign ?? foreignBy(message);
      const refusals = await Promise.all(texts.map((text) => guard.scan(text, "model", signal)));
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
