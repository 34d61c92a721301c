/**
 * `GET /api/v1/unanswered_questions`: what the users of a network asked in vain, counted by meaning, for whoever looks
 * after its documents. A key must allow it: these are words of users.
 */
import { z } from "zod";
import { unansweredBody, unansweredTopics } from "../answer/unanswered-topics.js";
import { networkOf } from "../api/claims.js";
import { networkField, parsed } from "../api/fields.js";
import { Rejection } from "../api/rejection.js";
import type { UnansweredLog } from "../store/unanswered-log.js";
import { plainError } from "./answers.js";
import { type ApiDeps, type ApiExchange, ApiRouter } from "./exchange.js";

export interface UnansweredDoorDeps extends ApiDeps {
  /** Absent: the settings have none kept. */
  readonly unanswered: Pick<UnansweredLog, "list"> | undefined;
}

/** Topics in one reply. */
const TOPICS_MAX = 200;

const query = z.strictObject({ network: networkField.optional() });

export function unansweredDoor(deps: UnansweredDoorDeps) {
  return new ApiRouter(deps, "unanswered", plainError)
    .get("/api/v1/unanswered_questions", (exchange) => list(exchange, deps))
    .routes();
}

async function list({ caller, request, response }: ApiExchange, { unanswered }: UnansweredDoorDeps) {
  if (caller.unanswered !== true)
    throw new Rejection("forbidden", 'This needs an API key with "unanswered": true.');
  const network = networkOf(caller, parsed(query, request.query));
  const topics = await unansweredTopics((await unanswered?.list(network)) ?? []);
  response.json({
    kept: unanswered !== undefined,
    questions: topics.slice(0, TOPICS_MAX).map(unansweredBody),
  });
}
