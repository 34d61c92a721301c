/** What replies at OpenAI's addresses have in common. */

import type { CallerAskDeps } from "../api/ask.js";
import type { DefaultUser } from "../api/claims.js";
import { sourcesOf } from "../api/outcome.js";
import { Rejection } from "../api/rejection.js";
import type { Answer } from "../domain/answer.js";
import type { ApiDeps } from "./exchange.js";

export interface ChatDoorDeps extends ApiDeps, CallerAskDeps {
  /** Names by which the assistant is called; the first is its own. */
  readonly modelNames: readonly string[];
  readonly otherwise: DefaultUser;
}

const MS_PER_SECOND = 1_000;

export function secondsNow({ clock }: ApiDeps): number {
  return Math.floor(clock.now() / MS_PER_SECOND);
}

/** Throws `Rejection` for a name that is not the assistant's. */
export function knownModel(name: string, { modelNames }: ChatDoorDeps): string {
  if (modelNames.includes(name)) return name;
  const known = modelNames.map((one) => `"${one}"`).join(", ");
  throw new Rejection("model_not_found", `There is no model "${name}" here; there is ${known}.`, "model");
}

/** https://platform.openai.com/docs/guides/error-codes */
export function openaiError({ code, field, message }: Rejection, status: number) {
  return { error: { message, type: errorType(status), param: field ?? null, code } };
}

function errorType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** What OpenAI's shape has no room for. */
export function brief(answer: Answer): object {
  return { outcome: answer.outcome, confidence: answer.confidence, sources: sourcesOf(answer) };
}
