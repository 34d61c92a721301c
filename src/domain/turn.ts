/**
 * The values of a turn: one press of the talk button, or one text message, and everything said back.
 */
import type { Answer, RouteDecision } from "./answer.js";
import type { AnswerReport } from "./answer-report.js";
import type { TurnFailure } from "./failure.js";
import type { OperationView, Reply } from "./operation.js";
import type { Passage } from "./passage.js";
import type { Reading } from "./reading.js";
import type { SourceRef } from "./source-ref.js";
import type { Access, User } from "./user.js";
import type { Utterance } from "./utterance.js";

export type ResponseType = "text" | "audio";

/** What the user asked, as every door hands it in. */
export interface TurnRequest {
  readonly id: string;
  readonly user: User;
  readonly text: string;
  readonly responseType: ResponseType;
  /** There is no room for a voice now: it is answered in text, unless it tells of an emergency. */
  readonly withoutVoice?: true;
  readonly mode?: string | undefined;
  readonly features: readonly string[];
  readonly groups: readonly string[];
  readonly language?: string | undefined;
  /** The language in which a spoken question was heard. */
  readonly heardLanguage?: string | undefined;
  /** Documents and things of a site whose words helped to make out a spoken question, and stand in it. */
  readonly heardFrom?: readonly SourceRef[] | undefined;
  /** What a spoken question was heard as, where a word of the documents took the place of one that sounds like it. */
  readonly heardAs?: string | undefined;
  /** What may have been said, where the recogniser was unsure of a number: two at the least. */
  readonly unsure?: readonly Alternative[] | undefined;
  /** The route that the caller knows to be right, by its configured name; absent: the router decides. */
  readonly route?: string;
  /** Ids of site resources that the caller marked. */
  readonly mentions?: readonly string[] | undefined;
  /** What the caller attached for this one question. */
  readonly context?: AttachedContext;
  /** What was said before, where the caller keeps that; absent: what the chat remembers. */
  readonly history?: readonly HistoryEntry[];
  /** How it came in, where it may consent to what waits; absent: the door carries no consent, and its user is told where to go. */
  readonly consent?: ConsentPath;
  /** Echoed on everything that this request causes. */
  readonly requestId?: string | undefined;
}

/** What the asker's turn claimed of groups and features, for what is announced to them later. */
export type AskedAs = Pick<TurnRequest, "groups" | "features" | "responseType">;

/** What a reply to a proposal takes from the door that it came in by. */
export type ConsentPath = Pick<Reply, "via" | "isTrusted" | "pressedMs"> & {
  /** One program speaks for anybody over it, or anybody may stand there: no second person consents, as two could be one. */
  readonly isShared?: boolean | undefined;
};

/** Whether a person of their own speaks: over a shared key, or at a kiosk, two could be one. */
export function isOwnVoice({ isShared }: ConsentPath, { kiosk }: Access): boolean {
  return isShared !== true && !kiosk;
}

/** One of several things that may have been said. */
export interface Alternative {
  /** The doubtful words: "pump 10". */
  readonly words: string;
  /** The whole question with them. */
  readonly question: string;
}

/** A question that is spoken: what it says is found out within its turn. */
export interface SpokenRequest extends Omit<TurnRequest, "text"> {
  readonly utterance: Utterance;
  /** The number that its sender gave the voice message. */
  readonly messageId: number;
}

/** What a chat takes in. */
export type ChatRequest = TurnRequest | SpokenRequest;

/** A spoken question of which the words are being found out, since its first packet came. */
export interface HeardRequest extends Omit<TurnRequest, "text"> {
  readonly messageId: number;
  /** When the button was pressed (monotonic, in milliseconds), where one was held. */
  readonly pressedMs?: number;
  /** Never rejects. */
  readonly words: Promise<ListeningResult>;
}

/** What recognition made of a spoken question. */
export type ListeningResult =
  | {
      readonly type: "words";
      readonly text: string;
      readonly language?: string | undefined;
      /** Documents and things of a site whose words were told to the recogniser and stand in the text. */
      readonly sources?: readonly SourceRef[] | undefined;
      readonly heardAs?: string | undefined;
      readonly unsure?: readonly Alternative[] | undefined;
    }
  /** Nothing that could be made out. */
  | { readonly type: "nothing" }
  | { readonly type: "failed"; readonly failure: TurnFailure };

/**
 * What a caller shows us beside the question, decoded: data, never instructions. Names as in the reference's request.
 * Used only when the question refers to it.
 */
export interface AttachedContext {
  /** What the user has marked: counts before all else. */
  readonly selectedText?: string;
  /** The whole text that the user has open. */
  readonly editorContent?: string;
  /** What the calling platform knows, such as usage figures. */
  readonly extraContext?: string;
  /** When that was read, in Unix milliseconds: it grows old. */
  readonly readAtMs?: number;
  /** Who the user is to the platform, such as `{dev_id, project_id, org_id}`. */
  readonly userInfo?: Readonly<Record<string, string>>;
}

/** Whether any feature flag contains the word. */
export function isKiosk(features: readonly string[]): boolean {
  return features.some((feature) => feature.includes("kiosk"));
}

/**
 * What a turn does, as it happens: the gated answer for those who deliver it, and what QA and kiosks show beside it.
 * `text` is whole sentences that were checked; `answer` comes last but for `finished`, which every turn ends with.
 */
export type TurnEvent =
  /** What a spoken question was understood as. */
  | {
      readonly type: "understood";
      readonly text: string;
      readonly language?: string | undefined;
      readonly heardAs?: string | undefined;
    }
  | { readonly type: "routed"; readonly decision: RouteDecision }
  | { readonly type: "queries"; readonly queries: readonly string[] }
  | { readonly type: "passages"; readonly passages: readonly Passage[] }
  | ToolStep
  | ProposedEvent
  /** More of the answer, in the order in which it is to be said; white space at its end ends a sentence too. */
  | { readonly type: "text"; readonly text: string }
  /**
   * What is likely to be said next, so that its voice may be made ready: how the first sentence begins, while it is still
   * being written, or a sentence that is being read a second time. Nothing of it may be told or played before a `text`
   * that begins with it.
   */
  | { readonly type: "clause"; readonly text: string }
  /** What was told so far is taken back: the answer starts over. */
  | { readonly type: "rewound" }
  | { readonly type: "answer"; readonly answer: Answer }
  | { readonly type: "finished"; readonly report: AnswerReport };

/** An operation waits for consent, or what waited has got on: as it is now. */
export interface ProposedEvent {
  readonly type: "proposed";
  readonly operation: OperationView;
}

/** A system of a site was asked for something that this user may know of. */
export interface ToolStep {
  readonly type: "step";
  /** As `{site}.{tool}`. */
  readonly tool: string;
  /** What the resource is called; absent: the whole site. */
  readonly target?: string;
  readonly ok: boolean;
  /** How long it took. */
  readonly ms: number;
  /** What it told of what was asked; empty where that is nothing. */
  readonly evidence: readonly StepEvidence[];
}

/** One value that a step told. */
export interface StepEvidence extends Pick<Reading, "target" | "signal" | "value" | "unit"> {
  /** The same as a sentence, in the language of the answer: "Pump two, temperature: -11 °C." */
  readonly text: string;
  /** How old it was when it was told, in milliseconds. */
  readonly ageMs: number;
}

/** One line of a chat's memory, with where it came from. */
export interface HistoryEntry {
  readonly role: "user" | "assistant";
  readonly text: string;
  /** Everything that had any part in this line, by way of earlier lines too. */
  readonly sources: readonly SourceRef[];
  /** Since when what it may rest on grows old, in Unix milliseconds: where the caller had attached readings. */
  readonly readAtMs?: number | undefined;
  /** What the line was before it was said: for "repeat" and "source". Only on lines of the assistant. */
  readonly answer?: Answer | undefined;
}
