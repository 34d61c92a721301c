/** Times of day: 14:30, 2:30 pm, 14h30, 9:00–19:00, and 24/7. */
import { saysRatio } from "../../words/quantity/ratios.js";
import type { ClockTime, SpokenLanguage } from "./language.js";
import { matchAt, type Reader, wordsBefore } from "./reader.js";

const HALF = "[ \u00a0\u202f]?([aApP])\\.?[ ]?[mM](?:\\.(?=\\s*\\p{Ll}|\\s?[,;)–—-])|(?![\\p{L}.])|(?=\\.))";
const TIME = new RegExp(
  `([01]?\\d|2[0-4])[:h]([0-5]\\d)(?::([0-5]\\d))?(?![\\d:]|[.,]\\d)(?:${HALF})?`,
  "uy",
);
const SPACED = /([01]?\d|2[0-4]) ?h ?([0-5]\d)(?! ?(?:min|[\d:]))/uy;
const BARE_HOUR = new RegExp(`(1[0-2]|0?[1-9])${HALF}`, "uy");
const LINK = /[ \u00a0]?[-–—][ \u00a0]?/uy;

/** Reads a time or two with a dash between them. */
export function timeReader(language: SpokenLanguage): Reader {
  const suffix =
    language.clockSuffix === ""
      ? undefined
      : new RegExp(`[ \u00a0]?(?:${language.clockSuffix})(?![\\p{L}\\p{N}])`, "uy");
  const isHoursSpaced = language.tag === "fr" || language.tag === "es";
  const timeAt = (text: string, at: number) => timeOf(text, at, isHoursSpaced);
  return (text, at) => {
    if (text.startsWith("24/7", at) && !/[\d/]/.test(text[at + 4] ?? ""))
      return { words: language.allDay, end: at + 4 };
    const before = wordsBefore(text, at);
    const first = timeAt(text, at);
    if (first === undefined) return undefined;
    if (isRatio(text, at, first.end)) return undefined;
    const link = matchAt(LINK, text, first.end)?.[0];
    const second = link === undefined ? undefined : timeAt(text, first.end + link.length);
    const last = second ?? first;
    const words =
      second === undefined
        ? language.clock(first.time, before)
        : language.clockRange(withHalfOf(first.time, second.time), second.time, before);
    const behind = suffix === undefined ? undefined : matchAt(suffix, text, last.end)?.[0];
    return { words, end: last.end + (behind?.length ?? 0) };
  };
}

interface TimeMatch {
  readonly time: ClockTime;
  readonly end: number;
}

function timeOf(text: string, at: number, isHoursSpaced: boolean): TimeMatch | undefined {
  const match = matchAt(TIME, text, at) ?? (isHoursSpaced ? matchAt(SPACED, text, at) : undefined);
  if (match !== undefined) {
    const [written, hour, minute, second, half] = match;
    return {
      time: {
        hour: Number(hour),
        minute: Number(minute),
        second: second === undefined ? undefined : Number(second),
        half: halfOf(half),
      },
      end: at + written.length,
    };
  }
  const bare = matchAt(BARE_HOUR, text, at);
  if (bare === undefined) return undefined;
  const time = { hour: Number(bare[1]), minute: 0, second: undefined, half: halfOf(bare[2]) };
  return { time, end: at + bare[0].length };
}

function halfOf(letter: string | undefined): "am" | "pm" | undefined {
  if (letter === undefined) return undefined;
  return letter.toLowerCase() === "a" ? "am" : "pm";
}

/** "2:00–3:30 pm": both are in the afternoon, but it need not be said twice. */
function withHalfOf(from: ClockTime, to: ClockTime): ClockTime {
  return from.half !== undefined && from.half === to.half ? { ...from, half: undefined } : from;
}

/** "mixed 1:10", "a 1:50 dilution": the words around tell. */
function isRatio(text: string, at: number, end: number): boolean {
  return saysRatio(wordsBefore(text, at), /^ ?[\p{L}]{0,16}/u.exec(text.slice(end, end + 17))![0]);
}
