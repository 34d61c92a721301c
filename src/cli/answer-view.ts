/** An answer as a person at a terminal sees it: each frame of it on a line, with the time since the question. */
import type { ServiceCommand, StepCommand } from "@readback/protocol";
import type { CollectedAnswer } from "./answer-collector.js";
import type { ReceivedFrame } from "./relay-client.js";

const MS_PER_SECOND = 1_000;
/** Characters in front of what a frame says. */
const SET_IN = 10;

/** The line for `received`, or several in one text, if it says anything new; `answer` holds everything up to and with it. */
export function answerLine(
  received: ReceivedFrame,
  startMs: number,
  answer: CollectedAnswer,
): string | undefined {
  const text = received.type === "command" ? commandText(received.command, answer) : audioText(answer);
  // What goes on in another line is set in, so that it cannot pretend to be a frame.
  return text === undefined
    ? undefined
    : `${seconds(received.atMs - startMs)}  ${text.replaceAll("\n", `\n${" ".repeat(SET_IN)}`)}`;
}

export function seconds(ms: number): string {
  return `${(ms / MS_PER_SECOND).toFixed(2).padStart(6)} s`;
}

/** Only the first packet is worth a line; the rest are counted when they end. */
function audioText(answer: CollectedAnswer): string | undefined {
  return answer.packets.length === 1 ? "first sound" : undefined;
}

function commandText(command: ServiceCommand, answer: CollectedAnswer): string | undefined {
  switch (command.command) {
    case "message":
      return `message ${command.messageId}: Opus, ${command.codecHeader.sampleRateHz} Hz, ${command.durationMs} ms packets`;
    case "end_message":
      return `end: ${answer.packets.length} packets, ${seconds(command.durationMs).trim()} of speech (${command.ending})`;
    case "transcription":
      return command.role === "question" ? `heard “${command.text.trim()}”` : `“${command.text.trim()}”`;
    case "text_message":
      return `“${command.text.trim()}”`;
    case "step":
      return stepText(command);
    case "ai_message_error":
      return `error ${command.code}: ${command.error}`;
    case "chat_closed":
      return `chat closed: ${command.reason}`;
    default:
      return undefined;
  }
}

/** Which system was asked, and below it what it told, each with its age. */
function stepText({ evidence, ms, ok, target, tool }: StepCommand): string {
  const asked = `asked ${tool}${target === undefined ? "" : ` of ${target}`}`;
  const came = ok ? "it answered" : "it gave nothing of use";
  const told = evidence.map(({ ageMs, text }) => `${text} (${Math.round(ageMs / MS_PER_SECOND)} s old)`);
  return [`${asked}: ${came}, ${ms} ms`, ...told].join("\n");
}
