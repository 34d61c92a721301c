/** What one frame on the wire means, and the three answers of a decoder ([LT-1], [LT-10]). */

/** Whom a frame is about, as far as its header says. */
export interface Route {
  readonly network?: string | undefined;
  readonly username?: string | undefined;
  readonly connectionId?: string | undefined;
}

/** One user of one network. The pair is the key; both are compared byte by byte ([LT-30]). */
export interface UserIdentity {
  readonly network: string;
  readonly username: string;
}

/** A `ct:json` frame: `payload` is the JSON text in UTF-8, not parsed yet. */
export interface JsonEnvelope {
  readonly contentType: "json";
  readonly network: string | undefined;
  readonly username: string | undefined;
  readonly connectionId: string | undefined;
  readonly messageId: number | undefined;
  readonly packetId: number | undefined;
  readonly payload: Uint8Array;
}

/** A `ct:a` frame: `payload` is one Opus packet, number `packetId` of message `messageId`. */
export interface AudioEnvelope {
  readonly contentType: "audio";
  readonly network: string;
  readonly username: string;
  readonly connectionId: string | undefined;
  readonly messageId: number;
  readonly packetId: number;
  readonly payload: Uint8Array;
}

export type Envelope = JsonEnvelope | AudioEnvelope;

/** Why bytes are no frame; a connection that sent them is closed ([LT-12]). */
export type MalformedReason =
  | "bad_magic"
  | "header_too_large"
  | "missing_colon"
  | "repeated_key"
  | "invalid_utf8"
  | "bad_content_type"
  | "bad_number"
  | "bad_name"
  | "missing_key"
  | "payload_too_large";

/** What a decoder answers: never two of these with one word. */
export type DecodeResult =
  /** Everything pushed is consumed; push more. */
  | { readonly type: "incomplete" }
  | { readonly type: "envelope"; readonly envelope: Envelope }
  /** For good: the decoder answers this from now on, since broken framing cannot be resynchronised. */
  | { readonly type: "malformed"; readonly reason: MalformedReason; readonly detail: string };
