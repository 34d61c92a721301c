/**
 * The commands in both directions as TypeScript sees them: camelCase names, defaults filled in. Only this package
 * knows the wire spelling (snake_case, `f`, base64); [LT-40] and following give the tables.
 */
import type { CodecHeader, PacketDurationMs } from "./audio-format.js";
import type { UserIdentity } from "./envelope.js";
import type { ErrorCode } from "./errors.js";

export const RESPONSE_TYPES = ["text", "audio"] as const;
export const MESSAGE_KINDS = ["answer", "acknowledgement", "announcement"] as const;
export const TRANSCRIPTION_ROLES = ["question", "answer"] as const;
export const CHAT_CLOSED_REASONS = ["expired", "closed", "shutdown"] as const;

/** How an answer is given. */
export type ResponseType = (typeof RESPONSE_TYPES)[number];
export type MessageKind = (typeof MESSAGE_KINDS)[number];
export type TranscriptionRole = (typeof TRANSCRIPTION_ROLES)[number];
export type ChatClosedReason = (typeof CHAT_CLOSED_REASONS)[number];

/** What every command about a user carries. */
interface UserCommand extends UserIdentity {
  /** From the header's `cid`. */
  readonly connectionId?: string | undefined;
  /** Echoed on everything that the command causes ([LT-41]). */
  readonly requestId?: string | undefined;
}

/** What decides which documents and which persona a turn uses ([LT-43]). */
interface TurnContext {
  readonly mode?: string | undefined;
  /** `f` on the wire, comma-separated there. */
  readonly features: readonly string[];
  readonly groups: readonly string[];
  /** A BCP 47 tag. */
  readonly language?: string | undefined;
}

/** A question as text. */
export interface AiMessageCommand extends UserCommand, TurnContext {
  readonly command: "ai_message";
  readonly text: string;
  /** Default `text`. */
  readonly responseType: ResponseType;
}

/** The beginning of a spoken question; its packets follow as audio frames of the same message id. */
export interface VoiceMessageCommand extends UserCommand, TurnContext {
  readonly command: "message";
  readonly messageId: number;
  readonly codec: "opus";
  readonly codecHeader: CodecHeader;
  /** Of one packet. */
  readonly durationMs: PacketDurationMs;
  /** Default `audio`. */
  readonly responseType: ResponseType;
}

/** The end of a spoken question. */
export interface VoiceEndCommand extends UserCommand {
  readonly command: "end_message";
  readonly messageId: number;
}

export interface GetChatCommand extends UserCommand {
  readonly command: "get_chat";
}

export interface CloseChatCommand extends UserCommand {
  readonly command: "close_chat";
}

/** Stops what is being answered. */
export interface CancelCommand extends UserCommand {
  readonly command: "cancel";
}

/** Asks for questions that the user's documents can answer. */
export interface SuggestedQuestionsCommand extends UserCommand, TurnContext {
  readonly command: "suggested_questions";
}

/** Asks for a summary: of `text`, of `document`, or of the user's chat where there is neither; never both. */
export interface SummarizeCommand extends UserCommand, TurnContext {
  readonly command: "summarize";
  readonly text?: string | undefined;
  /** A document's title or id, as a person would say it. */
  readonly document?: string | undefined;
}

/** Answered at once with what it carried; about no user ([LT-45]). */
export interface KeepAliveCommand {
  readonly command: "keep_alive";
  /** The JSON text as it came, so that an echo is exact whatever its fields; a view of the envelope's payload. */
  readonly json?: Uint8Array | undefined;
}

/** One shape of audio that a relay can take. */
export interface AudioShape {
  readonly sampleRateHz: number;
  readonly frameMs: number;
}

/** What a relay can take; about the connection, not about a user ([LT-46]). */
export interface HelloCommand {
  readonly command: "hello";
  readonly requestId?: string | undefined;
  /** In order of preference; empty: anything that the protocol allows. */
  readonly audio: readonly AudioShape[];
  /** Whether `message` of kind `acknowledgement` is welcome. Default no. */
  readonly acknowledgements: boolean;
  /** Whether what the service says unasked is welcome at any time ([LT-106]). Default no. */
  readonly announcements: boolean;
  /** Whether `step` is welcome ([LT-107]). Default no. */
  readonly steps: boolean;
  /** Whether the relay echoes the service's `keep_alive` as the service echoes its own ([LT-105]). Default no. */
  readonly echoes: boolean;
  /** The secret that says who the relay is ([LT-48]). */
  readonly token?: string | undefined;
}

/** Relay to service. */
export type RelayCommand =
  | AiMessageCommand
  | VoiceMessageCommand
  | VoiceEndCommand
  | GetChatCommand
  | CloseChatCommand
  | CancelCommand
  | SuggestedQuestionsCommand
  | SummarizeCommand
  | KeepAliveCommand
  | HelloCommand;

/** What the service's answers may echo. Whom they are about is said by the route given to the encoder. */
interface Reply {
  readonly requestId?: string | undefined;
}

/** An answer, or an announcement, as text. */
export interface TextMessageCommand extends Reply {
  readonly command: "text_message";
  readonly text: string;
  /** Absent: an answer. */
  readonly kind?: "announcement" | undefined;
}

/** The beginning of a spoken answer. */
export interface AudioMessageCommand extends Reply {
  readonly command: "message";
  readonly messageId: number;
  readonly kind: MessageKind;
  readonly codec: "opus";
  readonly codecHeader: CodecHeader;
  /** Of one packet: the total is not known yet. */
  readonly durationMs: PacketDurationMs;
  /** The `pid` that this relay will see first, where an answer has moved to it ([LT-91]). */
  readonly firstPacketId?: number | undefined;
}

/** The end of a spoken answer at this relay. */
export interface AudioEndCommand extends Reply {
  readonly command: "end_message";
  readonly messageId: number;
  /** Packets × packet duration. */
  readonly durationMs: number;
  /** `interrupted`: drop what is buffered. `moved`: the answer goes on at another relay. */
  readonly ending: "complete" | "interrupted" | "moved";
}

/** The words of a spoken message. */
export interface TranscriptionCommand extends Reply {
  readonly command: "transcription";
  readonly messageId: number;
  readonly text: string;
  readonly role: TranscriptionRole;
  /** What was heard, where a word of the documents took the place of one that sounds like it. */
  readonly heard?: string | undefined;
}

export interface AiMessageErrorCommand extends Reply {
  readonly command: "ai_message_error";
  readonly code: ErrorCode;
  /** For a person: what is wrong and what to do. */
  readonly error: string;
}

export interface ChatClosedCommand extends Reply {
  readonly command: "chat_closed";
  readonly reason: ChatClosedReason;
}

/** The reply to `get_chat`. */
export interface ChatCommand extends Reply {
  readonly command: "chat";
  readonly chatId: string;
  readonly messageCount: number;
  /** Milliseconds since 1970-01-01T00:00:00Z, as is `expiresAtMs`; RFC 3339 in UTC on the wire. */
  readonly lastUpdateMs: number;
  readonly expiresAtMs: number;
  /** Absent: the default mode. */
  readonly mode?: string | undefined;
  readonly speaking: boolean;
}

export interface SuggestedQuestionsReply extends Reply {
  readonly command: "suggested_questions";
  readonly questions: readonly string[];
}

export interface SummaryCommand extends Reply {
  readonly command: "summary";
  readonly text: string;
}

/** A system of the site was asked on the way to an answer ([LT-107]). */
export interface StepCommand extends Reply {
  readonly command: "step";
  /** As `{site}.{tool}`. */
  readonly tool: string;
  /** What it was asked about, as people call it; absent: the whole site. */
  readonly target?: string | undefined;
  /** Whether it answered. */
  readonly ok: boolean;
  /** How long that took. */
  readonly ms: number;
  readonly evidence: readonly StepEvidence[];
}

/** One value that a step told. */
export interface StepEvidence {
  /** Id of what it is of. */
  readonly target: string;
  readonly signal: string;
  readonly value: string | number | boolean;
  /** Absent: a state, or a bare number. */
  readonly unit?: string | undefined;
  /** The same as a sentence, in the language of the answer. */
  readonly text: string;
  /** How old it was when it was told. */
  readonly ageMs: number;
}

/** What a relay may send at the most ([LT-49]). */
export interface ServiceLimits {
  /** Of one question: its characters, its tokens by the service's estimate, its words as the search finds them. */
  readonly questionCharacters: number;
  readonly questionTokens: number;
  readonly questionWords: number;
  /** Questions of one user that may wait. */
  readonly questionsWaiting: number;
  /** Of a spoken question. */
  readonly voiceMs: number;
  /** Silence of a relay after which its connection is closed. */
  readonly idleMs: number;
}

/** The answer to `hello`; about the connection, not about a user ([LT-49]). */
export interface HelloReply extends Reply {
  readonly command: "hello";
  readonly version: number;
  readonly limits: ServiceLimits;
  /** Names of what is on. */
  readonly on: readonly string[];
}

/** Service to relay. */
export type ServiceCommand =
  | TextMessageCommand
  | AudioMessageCommand
  | AudioEndCommand
  | TranscriptionCommand
  | AiMessageErrorCommand
  | ChatClosedCommand
  | ChatCommand
  | StepCommand
  | KeepAliveCommand
  | HelloReply
  | SuggestedQuestionsReply
  | SummaryCommand;

/** A relay command as a sender writes it: what has a default may be left out. */
export type RelayCommandDraft = WithDefaults<RelayCommand>;

type DefaultField =
  | "features"
  | "groups"
  | "responseType"
  | "audio"
  | "acknowledgements"
  | "announcements"
  | "steps"
  | "echoes"
  | "codec";
type WithDefaults<C> = C extends unknown
  ? Omit<C, DefaultField & keyof C> & Partial<Pick<C, DefaultField & keyof C>>
  : never;
