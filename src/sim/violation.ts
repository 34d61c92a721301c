/** What a service can do wrong on the wire, each with the clause of the protocol's specification that it breaks. */

export const VIOLATIONS = {
  packet_missing: "LT-84: a packet is missing in the middle of a message",
  packet_repeated: "LT-84: a packet came twice",
  packet_reordered: "LT-84: a packet came after a later one",
  packet_after_end: "LT-73: a packet came after the end of its message",
  packet_without_message: "LT-80: a packet came that no message announced on this relay",
  packet_early: "LT-83: a packet came before its time",
  packet_late: "LT-82: a packet came after a gap that should have ended the message",
  packet_malformed: "LT-60: a packet is no Opus",
  packet_shape: "LT-60: a packet is not of its message's shape",
  foreign_user:
    "LT-35: a frame came on a relay for a user who has never been there, or for another user's request",
  foreign_connection: "LT-35: a frame does not carry the user's last cid",
  left_relay: "LT-90: a frame came on a relay that its user has left",
  message_without_end: "LT-80: a message never ended",
  end_without_message: "LT-80: an end came for a message that is not open on this relay",
  duration_wrong: "LT-73: duration_ms is not packets × packet duration",
  transcription_before_end: "LT-80: the transcription came before the end of its message",
  transcription_missing: "LT-80: a message ended without a transcription",
  transcription_unexpected: "LT-74: a transcription belongs to nothing, or came twice",
  answers_overlap: "LT-80: two answers to one user overlap",
  outcome_missing: "LT-111: a request had no outcome",
  outcome_repeated: "LT-111: a request had more than one outcome",
  request_unknown:
    "LT-41: what a request causes does not carry its request_id, or carries one that nobody sent",
  mid_reused: "LT-44: a message id was used twice",
  move_gap: "LT-91: an answer did not go on at the packet where it left the other relay",
  move_without_cause: "LT-91: an answer was said to have moved, and its user had not",
  interruption_without_cause: "LT-86: an answer was stopped, and nobody had stopped it",
  heard_not_prefix: "LT-87: the words heard of a stopped answer are not its beginning",
  acknowledgement_unwanted: "LT-46: an acknowledgement came to a relay that did not ask for any",
  malformed_frame: "LT-14: a frame is malformed",
  bad_command: "LT-40: a command cannot be read",
  unknown_code: "LT-110: an error has a code that is not in the list",
  connection_closed: "LT-12: the service closed a connection that had done nothing wrong",
} as const;

export type ViolationKind = keyof typeof VIOLATIONS;

export interface Violation {
  readonly kind: ViolationKind;
  readonly atMs: number;
  readonly relay: string;
  /** Absent where the connection as a whole is meant. */
  readonly username?: string | undefined;
  readonly detail: string;
  /** The last frames about the user, the one at fault last, a line each. */
  readonly frames: readonly string[];
}

/** A fault before it is known when and where it was seen. */
export interface Fault {
  readonly kind: ViolationKind;
  readonly detail: string;
}

export function fault(kind: ViolationKind, detail: string): Fault {
  return { kind, detail };
}
