/** One question over a relay connection, typed or spoken, from sending it to the last frame of its answer. */
import { sleep, systemClock } from "../lib/clock.js";
import { systemRandom } from "../lib/random.js";
import type { SimulatedVoice } from "../sim/voice.js";
import { AnswerCollector, type CollectedAnswer, isLastOf } from "./answer-collector.js";
import { answerLine } from "./answer-view.js";
import { type RelayClient, RelayError } from "./relay-client.js";

export interface RelayQuestion {
  readonly network: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly features: readonly string[];
  readonly mode?: string | undefined;
  /** What is asked: words, or somebody's voice. */
  readonly asked: string | SimulatedVoice;
  readonly responseType: "text" | "audio";
}

/** Asks, tells each line worth showing as it comes, and resolves with the whole answer. */
export async function converse(
  client: RelayClient,
  question: RelayQuestion,
  onLine: (line: string) => void,
): Promise<CollectedAnswer> {
  const requestId = systemRandom.id();
  const { asked, ...turn } = question;
  if (typeof asked === "string") client.send({ command: "ai_message", requestId, text: asked, ...turn });
  else await speak(client, asked, { requestId, ...turn });
  const startMs = systemClock.monotonic();
  const collector = new AnswerCollector(startMs);
  for await (const received of client.received()) {
    collector.add(received);
    const line = answerLine(received, startMs, collector.answer);
    if (line !== undefined) onLine(line);
    if (received.type === "command" && isLastOf(received.command, requestId)) return collector.answer;
  }
  throw new RelayError("the connection ended before the answer did");
}

/** The client's voice messages; it sends one. */
const MESSAGE_ID = 1;

/** Holds the button for as long as the voice lasts, as a radio does. */
async function speak(
  client: RelayClient,
  { packets, packetMs, sampleRateHz }: SimulatedVoice,
  turn: Omit<RelayQuestion, "asked"> & { readonly requestId: string },
): Promise<void> {
  const { network, username } = turn;
  const codecHeader = { sampleRateHz, framesPerPacket: 1, frameMs: packetMs };
  client.send({
    command: "message",
    messageId: MESSAGE_ID,
    codec: "opus",
    codecHeader,
    durationMs: packetMs,
    ...turn,
  });
  for (const [pid, packet] of packets.entries()) {
    client.sendAudio({ network, username, messageId: MESSAGE_ID, packetId: pid, payload: packet });
    await sleep(systemClock, packetMs, new AbortController().signal);
  }
  client.send({ command: "end_message", messageId: MESSAGE_ID, network, username });
}
