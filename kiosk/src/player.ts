/**
 * Plays an answer while it comes. An `<audio>` element fed by a MediaSource plays from the first packet on; browsers
 * without that decode with a WebAssembly decoder and play through Web Audio.
 */
import { DecodedVoice } from "./decoded-voice.js";
import { MediaSourceVoice } from "./media-source-voice.js";
import type { Voice, VoiceListener } from "./voice.js";

export function newVoice(element: HTMLAudioElement, listener: VoiceListener): Voice {
  return MediaSourceVoice.isThere
    ? new MediaSourceVoice(element, listener)
    : new DecodedVoice(element, listener);
}
