/**
 * What a turn speaks into. The edges (TCP, HTTP, gRPC) implement `Outlet`; nothing at or below the chat knows
 * which wire it is.
 */
import type { FailureCode } from "../domain/failure.js";
import type { ToolStep, TurnEvent } from "../domain/turn.js";

/** The shape of the packets of one voice message; every packet of it has this shape. Always mono. */
export interface AudioShape {
  readonly sampleRateHz: number;
  readonly packetMs: number;
}

/** Everything that is said to one user. `mid` numbers a reply; text replies have one too, unseen on the wire. */
export type OutletFrame = { readonly requestId?: string | undefined } & (
  | {
      readonly type: "message";
      readonly mid: number;
      readonly shape: AudioShape;
      readonly firstPid?: number | undefined;
      /**
       * An acknowledgement says that the answer is being found, an announcement answers nothing; absent: this is the
       * answer.
       */
      readonly kind?: "acknowledgement" | "announcement" | undefined;
    }
  | { readonly type: "audio"; readonly mid: number; readonly pid: number; readonly packet: Uint8Array }
  | {
      readonly type: "end_message";
      readonly mid: number;
      /** Duration of the packets 0 … last of this `mid`, whichever relay they went to. */
      readonly durationMs: number;
      readonly flag?: "interrupted" | "moved" | undefined;
    }
  | { readonly type: "transcription"; readonly mid: number; readonly text: string }
  | {
      readonly type: "text_message";
      readonly mid: number;
      readonly text: string;
      readonly kind?: "announcement" | undefined;
    }
  /** What the user's voice message was understood as; `messageId` is the sender's number for it. */
  | {
      readonly type: "question";
      readonly messageId: number;
      readonly text: string;
      readonly heardAs?: string | undefined;
    }
  | { readonly type: "step"; readonly step: ToolStep }
  | { readonly type: "error"; readonly code: FailureCode; readonly error: string }
  | { readonly type: "chat_closed"; readonly reason: ChatClosedReason }
);

export type ChatClosedReason = "expired" | "closed" | "shutdown";

/**
 * `refused`: this reply was given up, or there is no room; after a packet every later one of its reply is refused too.
 * `closed`: the connection is gone.
 */
export type SendResult = "accepted" | "refused" | "closed";

/** The connection behind outlets, and what it takes: outlets with the same link reach the same relay. */
export interface OutletLink {
  /** Whether packets leave at the pace of speech; true unless it says otherwise. */
  readonly paced?: boolean;
  /** The shapes that the relay takes, in order of preference; absent or empty: any that the protocol allows. */
  readonly shapes?: readonly AudioShape[];
  /** Whether acknowledgements are welcome; absent: no. */
  readonly acknowledges?: boolean;
  /** Whether what is said unasked is welcome at any time; absent: only when the user is heard of. */
  readonly announces?: boolean;
  /** Whether frames of the type `step` are welcome; absent: no. */
  readonly showsSteps?: boolean;
  /** Whether the relay can take packets of this shape. */
  accepts(shape: AudioShape): boolean;
}

export interface Outlet {
  readonly link: OutletLink;
  /** Told what the turn does, as it happens, by doors that show it. Must not throw. */
  observe?(turn: string, event: TurnEvent): void;
  /** Whether words of turn `turn` went out that cannot be taken back, where a door sends them as they are observed. */
  committed?(turn: string): boolean;
  send(frame: OutletFrame): SendResult;
  /** Takes back what was not handed to the connection of reply `mid`. */
  revoke(mid: number): Revocation;
}

export interface Revocation {
  /** The frames taken back, in order; without audio that was given up. */
  readonly frames: readonly OutletFrame[];
  /** The first packet that was not handed over; undefined when all were. */
  readonly firstPid: number | undefined;
}
