/** The first step of a turn: what was asked, in words. A typed question is its words; a spoken one is waited for. */
import type { HeardRequest, TurnEvent, TurnRequest } from "../domain/turn.js";
import { abortable } from "../lib/deadline.js";
import { type Emergency, emergencyIn } from "../locale/emergency.js";
import type { Line } from "./line.js";

/** A question in words. */
export interface Understood extends TurnRequest {
  /** What it tells of an emergency, if it does. */
  readonly emergency?: Emergency;
}

/**
 * The question with its words; these are empty where nothing could be made out. A sender is told what its voice message
 * was understood as. Rejects with the `TurnFailure` of the recogniser, or with the signal's reason.
 */
export async function understand(
  asked: TurnRequest | HeardRequest,
  line: Line,
  tell: (event: TurnEvent) => void,
  signal: AbortSignal,
): Promise<Understood> {
  const request = await inWords(asked, line, tell, signal);
  const emergency = emergencyIn(request.heardAs ?? "") ?? emergencyIn(request.text);
  if (emergency !== undefined) return { ...request, emergency };
  return request.withoutVoice ? { ...request, responseType: "text" } : request;
}

async function inWords(
  asked: TurnRequest | HeardRequest,
  line: Line,
  tell: (event: TurnEvent) => void,
  signal: AbortSignal,
): Promise<TurnRequest> {
  if (!("words" in asked)) return asked;
  const { words, messageId, ...request } = asked;
  const heard = await abortable(words, signal);
  if (heard.type === "failed") throw heard.failure;
  const text = heard.type === "words" ? heard.text.trim() : "";
  const { language, sources, heardAs, unsure } = heard.type === "words" ? heard : {};
  line.send({ type: "question", messageId, text, heardAs, requestId: request.requestId });
  tell({ type: "understood", text, heardAs, language });
  return { ...request, text, heardLanguage: language, heardFrom: sources, heardAs, unsure };
}
