/** The sound of one answer, however it is played. */

export interface Voice {
  /** The next packet, and how long it sounds. */
  add(packet: Uint8Array, packetMs: number): void;
  /** There is no more to come. */
  finish(): void;
  /** Silence at once. */
  stop(): void;
}

export interface VoiceListener {
  /** It was heard to its end, or cannot be heard. Not told after `stop`. */
  ended(): void;
}
