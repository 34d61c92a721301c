/** A second reader whose model says of each sentence what a test wants, after so long on the test's clock. */
import { sleep } from "../../src/lib/clock.js";
import { Breaker } from "../../src/llm/breaker.js";
import type { LanguageModel, ModelReply, ModelRequest } from "../../src/llm/port.js";
import { loadPrompts } from "../../src/llm/prompts.js";
import { type Verifiable, Verifier } from "../../src/llm/verifier.js";
import { SecondReader } from "../../src/turn/second-reader.js";
import { RecordedEvents } from "./events.js";
import { usage } from "./fake-model.js";
import type { VirtualClock } from "./virtual-clock.js";

export const VERIFIER_TIMEOUT_MS = 1_500;

/** What the model says of a sentence, and after how many milliseconds. */
export type Says = (claim: Verifiable) => { readonly text: string; readonly ms: number };

export const YES = '{"says": true}';
export const NO = '{"says": false}';

const prompts = await loadPrompts();

export interface ReaderOptions {
  readonly signal?: AbortSignal;
  readonly sentencesMax?: number;
}

export function secondReader(clock: VirtualClock, says: Says, options: ReaderOptions = {}) {
  const { sentencesMax = 24, signal = new AbortController().signal } = options;
  const asked: Verifiable[] = [];
  const events = new RecordedEvents();
  const complete = async (request: ModelRequest, within: AbortSignal): Promise<ModelReply> => {
    const [, message] = request.messages;
    const claim: Verifiable = JSON.parse(message?.role === "user" ? message.content : "");
    asked.push(claim);
    const { ms, text } = says(claim);
    if (ms > 0) await sleep(clock, ms, within);
    return { calls: [], text, usage };
  };
  const stream = () => {
    throw new Error("unexpected: stream");
  };
  const model: LanguageModel = { name: "scripted", complete, stream };
  const breaker = new Breaker(clock, { failuresMax: 5, pauseMs: 1, pauseMsMax: 1 }, () => {});
  const limits = { timeoutMs: VERIFIER_TIMEOUT_MS, outputTokensMax: 50 };
  const verifier = new Verifier({ clock, model, prompts, breaker }, limits);
  const deps = { clock, telemetry: events, verifier, sentencesMax };
  const reader = new SecondReader(deps, { network: "plant", username: "ann" }, signal);
  return { asked, events, reader };
}
