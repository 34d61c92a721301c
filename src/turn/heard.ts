/**
 * How much of an answer a user has heard, in words: packets handed over, mapped to characters in proportion
 * within each synthesized unit, rounded down to whole words.
 */

/** One synthesized piece of the answer, and the packets it became. */
export interface SpokenUnit {
  readonly text: string;
  readonly firstPid: number;
  readonly packets: number;
  readonly packetMs: number;
  /** Whether all of its packets are known; until then its length is estimated from above. */
  readonly complete: boolean;
}

/** No voice speaks more slowly than this; it keeps an estimate from claiming words that were not heard. */
const SLOWEST_SPEECH_MS_PER_CHARACTER = 100;

/** The words of `units` (in order) that the packets 0 … `packetsHeard` − 1 carried. */
export function wordsHeard(units: readonly SpokenUnit[], packetsHeard: number): string {
  return units
    .map((unit) => unitWordsHeard(unit, packetsHeard - unit.firstPid))
    .join("")
    .trimEnd();
}

function unitWordsHeard(unit: SpokenUnit, packetsHeard: number): string {
  if (packetsHeard <= 0) return "";
  if (unit.complete && packetsHeard >= unit.packets) return unit.text;
  const estimated = Math.ceil((unit.text.length * SLOWEST_SPEECH_MS_PER_CHARACTER) / unit.packetMs);
  const total = unit.complete ? unit.packets : Math.max(unit.packets + 1, estimated);
  const characters = Math.floor((unit.text.length * packetsHeard) / total);
  return wholeWords(unit.text, characters);
}

/** The longest beginning of `text` of at most `length` characters, fewer than it has, that ends where a word ends. */
function wholeWords(text: string, length: number): string {
  if (/\s/.test(text.charAt(length))) return text.slice(0, length);
  return text.slice(0, length).replace(/(?<!\S)\S*$/, "");
}
