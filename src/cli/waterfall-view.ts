/** A turn's waterfall for a terminal: one bar a point, from the point before it to its own time. Pure. */
import { WATERFALL_MARKS, type Waterfall } from "../domain/waterfall.js";

/** Characters of the longest line's bar. */
const BAR_CHARS = 50;

/** The lines, in the order of the time; what was not passed has none. */
export function waterfallLines({ held, marksMs }: Waterfall): readonly string[] {
  const passed = WATERFALL_MARKS.flatMap((mark) => {
    const ms = marksMs[mark];
    return ms === undefined ? [] : [{ mark, ms }];
  }).sort((a, b) => a.ms - b.ms);
  const wholeMs = passed.at(-1)?.ms ?? 0;
  const column = (ms: number) => (wholeMs === 0 ? 0 : Math.round((ms / wholeMs) * BAR_CHARS));
  const nameChars = Math.max(0, ...passed.map(({ mark }) => mark.length));
  let beforeMs = 0;
  const lines = passed.map(({ mark, ms }) => {
    const [from, to] = [column(beforeMs), column(ms)];
    beforeMs = ms;
    const bar = `${" ".repeat(Math.min(from, BAR_CHARS - 1))}${"█".repeat(Math.max(1, to - from))}`;
    return `${mark.replaceAll("_", " ").padEnd(nameChars)} ${ms.toFixed(1).padStart(9)} ms  ${bar}`;
  });
  return held ? [...lines, "held: its first word waited for its last sentence"] : lines;
}
