/**
 * Plays an answer while it comes. An `<audio>` element fed by a MediaSource plays from the first packet on; browsers
 * without that decode with a WebAssembly decoder and play through Web Audio.
 */
import { DecodedVoice } from "./decoded-voice.js";
import { MediaSourceVoice } from "./media-source-voice.js";

/** The sound of one answer. */
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

/** How long after its end a sound counts as ended that does not say so. */
export const LATE_MS_MAX = 3_000;

export function newVoice(element: HTMLAudioElement, listener: VoiceListener): Voice {
  return MediaSourceVoice.isThere
    ? new MediaSourceVoice(element, listener)
    : new DecodedVoice(element, listener);
}
