/** What happens on the wire, as a relay sees it: the events that checks and users are told of, and each as a line of text. */
import type { AudioEnvelope, Route, ServiceCommand, UserIdentity } from "@readback/protocol";

interface Moment {
  /** Monotonic milliseconds of the simulation's clock. */
  readonly atMs: number;
  readonly relay: string;
}

/** What the service sent; it was read at `atMs` and had come some time since `earliestMs`. */
interface Arrival extends Moment {
  readonly earliestMs: number;
}

/** Commands of a user that a relay passes on. */
export type SentCommand =
  | "ai_message"
  | "message"
  | "end_message"
  | "cancel"
  | "get_chat"
  | "close_chat"
  | "suggested_questions"
  | "summarize";

export interface SentEvent extends Moment {
  readonly type: "sent";
  readonly user: UserIdentity;
  readonly connectionId: string;
  readonly command: SentCommand;
  readonly requestId?: string | undefined;
  /** Of a spoken question. */
  readonly messageId?: number | undefined;
  /** The same for requests to which the same answer is right; absent: nothing is known of that. */
  readonly question?: string | undefined;
}

export interface OpenedEvent extends Moment {
  readonly type: "opened";
  /** Whether the relay said that it wants them. */
  readonly acknowledgements: boolean;
}

export interface CommandEvent extends Arrival {
  readonly type: "command";
  readonly command: ServiceCommand;
  readonly route: Route;
}

export interface AudioEvent extends Arrival {
  readonly type: "audio";
  readonly audio: AudioEnvelope;
}

export interface UnreadableEvent extends Arrival {
  readonly type: "unreadable";
  readonly what: "malformed_frame" | "bad_command" | "unknown_code";
  readonly detail: string;
}

export interface ClosedEvent extends Moment {
  readonly type: "closed";
  /** `cause`: what we did to deserve it; absent: nothing. */
  readonly by: "us" | "service";
  readonly cause?: string | undefined;
  /** Why it broke, where it did not just end. */
  readonly error?: string | undefined;
}

export type TraceEvent = SentEvent | OpenedEvent | CommandEvent | AudioEvent | UnreadableEvent | ClosedEvent;

/** A user as a key: two names may hold anything but a line feed. */
export function keyOf({ network, username }: UserIdentity): string {
  return `${network}\n${username}`;
}

/** Whom an event is about, as far as it says. */
export function userOf(event: TraceEvent): UserIdentity | undefined {
  switch (event.type) {
    case "sent":
      return event.user;
    case "audio":
      return event.audio;
    case "command": {
      const { network, username } = event.route;
      return network === undefined || username === undefined ? undefined : { network, username };
    }
    default:
      return undefined;
  }
}

const TEXT_SHOWN_MAX = 60;

/** An event on one line: `12.345 s ← hall audio mid 9 pid 3, 62 bytes`. `startMs` is where the line's time begins. */
export function lineOf(event: TraceEvent, startMs: number): string {
  const time = `${((event.atMs - startMs) / 1_000).toFixed(3)} s`;
  return `${time} ${event.type === "sent" ? "→" : "←"} ${event.relay} ${textOf(event)}`;
}

function textOf(event: TraceEvent): string {
  switch (event.type) {
    case "sent":
      return [event.command, event.messageId ?? "", event.requestId ?? ""]
        .filter((part) => part !== "")
        .join(" ");
    case "opened":
      return "is connected";
    case "closed":
      return `is closed by ${event.by}${event.error === undefined ? "" : `: ${event.error}`}`;
    case "unreadable":
      return `${event.what}: ${event.detail}`;
    case "audio": {
      const { messageId, packetId, payload } = event.audio;
      return `audio mid ${messageId} pid ${packetId}, ${payload.length} bytes`;
    }
    case "command":
      return commandText(event.command);
  }
}

function commandText(command: ServiceCommand): string {
  const request =
    "requestId" in command && command.requestId !== undefined ? ` for ${command.requestId}` : "";
  switch (command.command) {
    case "message": {
      const from = command.firstPacketId === undefined ? "" : ` from pid ${command.firstPacketId}`;
      return `message mid ${command.messageId} (${command.kind})${from}${request}`;
    }
    case "end_message":
      return `end_message mid ${command.messageId}, ${command.durationMs} ms (${command.ending})${request}`;
    case "transcription":
      return `transcription mid ${command.messageId} (${command.role}) ${quoted(command.text)}${request}`;
    case "text_message":
      return `text_message ${quoted(command.text)}${request}`;
    case "ai_message_error":
      return `error ${command.code}: ${quoted(command.error)}${request}`;
    default:
      return `${command.command}${request}`;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length <= TEXT_SHOWN_MAX ? text : `${text.slice(0, TEXT_SHOWN_MAX)}…`);
}
