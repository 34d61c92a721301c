/**
 * `readback ask --waterfall`: the same question through the evaluation API, which tells when the turn came past which
 * point. Its packets are not paced, so the last one comes sooner than on the radio.
 */
import { z } from "zod";
import type { Config } from "../config/schema.js";
import type { Clock } from "../lib/clock.js";
import { JsonClient } from "../lib/json-client.js";
import type { RelayQuestion } from "./conversation.js";
import { RelayError } from "./relay-client.js";
import { waterfallLines } from "./waterfall-view.js";

/** A turn's time, with room for a wait in the mailbox. */
const ANSWER_MS_MAX = 90_000;

/** An answer with two minutes of audio in it. */
const BODY_BYTES_MAX = 16 * 1_048_576;

const answerBody = z.object({
  answer: z.string(),
  waterfall: z.object({ held: z.boolean(), marks_ms: z.record(z.string(), z.number()) }),
});

/** Asks, and tells the lines to show. Rejects with `RequestFailure` or the signal's reason. */
export async function askWaterfall(
  { asked: text, features, groups, mode, network, username }: RelayQuestion,
  { http }: Pick<Config, "http">,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (typeof text !== "string") throw new RelayError("--waterfall takes a question in words.");
  const key = http.apiKeys.find((one) => [one.networks, one.username, one.groups].every((bound) => !bound));
  const client = new JsonClient(clock, {
    server: "the service",
    baseUrl: `http://127.0.0.1:${http.port}/api/v1`,
    apiKey: key?.key,
    timeoutMs: ANSWER_MS_MAX,
    bodyBytesMax: BODY_BYTES_MAX,
  });
  const asked = { network, username, groups, features, mode, text, response_type: "audio" };
  const { answer, waterfall } = answerBody.parse(await client.post("/answers", asked, signal));
  const { held, marks_ms: marksMs } = waterfall;
  return [`“${answer.trim()}”`, ...waterfallLines({ held, marksMs })];
}
