/** Times of day: `14:30`, "2:30 p.m.", "half past two", "quarter to nine", "9 o'clock", "noon". */

import type { Token } from "../tokens.js";
import { numeralAt } from "./numerals.js";
import { type Quantity, quantityOf } from "./quantity.js";
import { NO_UNIT } from "./units.js";

const HOUR = 60;
const HALF_DAY = 12 * HOUR;

interface Time {
  /** Minutes after midnight. */
  readonly minutes: number;
  /** Whether the half of the day is known. */
  readonly half: "" | "half";
  readonly next: number;
}

/** The time, or the span of two times, that begins at token `at`. */
export function clockAt(text: string, tokens: readonly Token[], at: number): Quantity | undefined {
  const time = timeAt(tokens, at);
  if (time === undefined) return undefined;
  const joiner = tokens[time.next];
  const last =
    joiner !== undefined && /^(?:to|until|till|and|[-–—])$/.test(joiner.lower)
      ? timeAt(tokens, time.next + 1)
      : undefined;
  const isSpan = last !== undefined && (joiner!.lower !== "and" || tokens[at - 1]?.lower === "between");
  const next = isSpan ? last.next : time.next;
  const known = isSpan ? time.half && last.half : time.half;
  const span = { low: time.minutes, high: isSpan ? last.minutes : time.minutes, printed: time.minutes };
  return quantityOf(text, tokens, at, next, { dimension: "clock", ...span, unit: NO_UNIT, known });
}

function timeAt(tokens: readonly Token[], at: number): Time | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.lower === "noon" || token.lower === "midday")
    return { minutes: HALF_DAY, half: "half", next: at + 1 };
  if (token.lower === "midnight") return { minutes: 0, half: "half", next: at + 1 };
  return spokenTime(tokens, at) ?? writtenTime(tokens, at);
}

/** "half past two", "quarter to nine", "ten past four". */
function spokenTime(tokens: readonly Token[], at: number): Time | undefined {
  const from = tokens[at]!.lower === "a" ? at + 1 : at;
  const first = tokens[from]?.lower;
  const minutes = first === "half" ? 30 : first === "quarter" ? 15 : numeralAt(tokens, from)?.value;
  const between =
    first === "half" || first === "quarter" ? from + 1 : (numeralAt(tokens, from)?.next ?? from);
  const word = tokens[between]?.lower;
  if (minutes === undefined || minutes >= HOUR || (word !== "past" && word !== "to")) return undefined;
  if (word === "to" && first !== "quarter") return undefined;
  const hour = numeralAt(tokens, between + 1);
  if (hour === undefined || hour.value > 12 || !Number.isInteger(hour.value)) return undefined;
  const total = hour.value * HOUR + (word === "past" ? minutes : -minutes);
  return withHalf(tokens, total, hour.next, false);
}

/** `14:30`, `9.30 am`, `9 o'clock`, `9 am`. */
function writtenTime(tokens: readonly Token[], at: number): Time | undefined {
  const parts = /^(\d{1,2}):(\d{2})$/.exec(tokens[at]!.text);
  if (parts !== null) {
    const [hours, minutes] = [Number(parts[1]), Number(parts[2])];
    if (hours > 24 || minutes >= HOUR) return undefined;
    return withHalf(tokens, hours * HOUR + minutes, at + 1, hours > 12 || parts[1]!.startsWith("0"));
  }
  const hour = numeralAt(tokens, at);
  if (hour === undefined || hour.value > 24 || hour.form === "ordinal") return undefined;
  const follower = tokens[hour.next];
  if (follower?.lower === "o'clock")
    return withHalf(tokens, hour.value * HOUR, hour.next + 1, hour.value > 12);
  if (halfOfDay(tokens, hour.next) === undefined) return undefined;
  const whole = Math.floor(hour.value);
  // "9.30 am"
  const minutes = Math.round((hour.value - whole) * 100);
  return minutes < HOUR ? withHalf(tokens, whole * HOUR + minutes, hour.next, false) : undefined;
}

function withHalf(tokens: readonly Token[], minutes: number, next: number, known: boolean): Time {
  const half = halfOfDay(tokens, next);
  if (half === undefined) return { minutes, half: known || minutes > HALF_DAY + HOUR ? "half" : "", next };
  const inHalf = minutes % HALF_DAY;
  return { minutes: half.isLate ? inHalf + HALF_DAY : inHalf, half: "half", next: half.next };
}

/** "p.m.", "pm", "in the evening". */
function halfOfDay(tokens: readonly Token[], at: number): { isLate: boolean; next: number } | undefined {
  const [first, second, third, fourth] = [0, 1, 2, 3].map((i) => tokens[at + i]);
  if (first === undefined) return undefined;
  if (first.lower === "am" || first.lower === "pm") return { isLate: first.lower === "pm", next: at + 1 };
  if (
    /^[ap]$/.test(first.lower) &&
    second?.text === "." &&
    third?.lower === "m" &&
    third.start === second.end
  )
    return { isLate: first.lower === "p", next: fourth?.text === "." ? at + 4 : at + 3 };
  if (first.lower === "in" && second?.lower === "the") {
    if (third?.lower === "morning") return { isLate: false, next: at + 3 };
    if (third?.lower === "afternoon" || third?.lower === "evening") return { isLate: true, next: at + 3 };
  }
  return undefined;
}
