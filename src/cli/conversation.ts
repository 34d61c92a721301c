/** One question over a relay connection, from sending it to the last frame of its answer. */
import { systemClock } from "../lib/clock.js";
import { systemRandom } from "../lib/random.js";
import { type Answer, AnswerCollector, isLastOf } from "./answer-collector.js";
import { answerLine } from "./answer-view.js";
import { type RelayClient, RelayError } from "./relay-client.js";

export interface SpokenQuestion {
  readonly network: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly features: readonly string[];
  readonly mode?: string | undefined;
  readonly text: string;
  readonly responseType: "text" | "audio";
}

/** Asks, tells each line worth showing as it comes, and resolves with the whole answer. */
export async function converse(
  client: RelayClient,
  question: SpokenQuestion,
  onLine: (line: string) => void,
): Promise<Answer> {
  const requestId = systemRandom.id();
  const startMs = systemClock.monotonic();
  const collector = new AnswerCollector(startMs);
  client.send({ command: "ai_message", requestId, ...question });
  for await (const received of client.received()) {
    collector.add(received);
    const line = answerLine(received, startMs, collector.answer);
    if (line !== undefined) onLine(line);
    if (received.type === "command" && isLastOf(received.command, requestId)) return collector.answer;
  }
  throw new RelayError("the connection ended before the answer did");
}
