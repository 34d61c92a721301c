/** What somebody says into a microphone: Opus packets, while the button is held. */

/** What all packets of a voice message have in common. Always mono. */
export interface UtteranceShape {
  /** Nominal: what the device recorded at. Every Opus decoder decodes at any rate. */
  readonly sampleRateHz: number;
  readonly packetMs: number;
}

export interface Utterance {
  readonly shape: UtteranceShape;
  /** When the button was pressed (monotonic, in milliseconds); absent where nobody held one. */
  readonly pressedMs?: number;
  /**
   * The packets from the first, in order, as they come; ends when the button is released. Throws the reason when the
   * message is given up. Each call begins anew.
   */
  packets(): AsyncIterable<Uint8Array>;
}
