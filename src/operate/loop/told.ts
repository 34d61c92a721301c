/**
 * The result of a tool as the model is told of it: JSON, bounded in length whatever the tool answers, without secrets,
 * and without text that speaks to a model. What a tool says is data and never an instruction.
 */
import { withoutInjections } from "../../grounding/injection.js";
import { redactShapes } from "../../lib/secrets.js";
import type { LoopResult } from "./envelope.js";

/** UTF-16 units of one result. */
export const RESULT_CHARS_MAX = 8_000;
/** UTF-16 units of one text in a result. */
const TEXT_CHARS_MAX = 2_000;
/** Levels of lists and objects. */
const DEPTH_MAX = 16;

const CUT = "[cut]";

/** The envelope as text. */
export function toldResult({ data, error, ok }: LoopResult): string {
  return JSON.stringify(bounded({ ok, ...(ok ? { data } : { error }) }));
}

/** Without secrets, and without what speaks to a model. */
export function cleanText(text: string): string {
  return redactShapes(withoutInjections(text));
}

/** The value with so much of it left out that its JSON text stays short; what is left out is marked. */
function bounded(value: unknown): unknown {
  let left = RESULT_CHARS_MAX;
  const text = (whole: string): string => {
    const room = Math.max(0, Math.min(TEXT_CHARS_MAX, left));
    const kept = whole.length > room ? `${cleanText(whole.slice(0, room))}${CUT}` : cleanText(whole);
    left -= JSON.stringify(kept).length;
    return kept;
  };
  const walk = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") return text(part);
    left -= 8;
    if (typeof part === "bigint") return text(String(part));
    if (typeof part !== "object" || part === null)
      return typeof part === "number" && !Number.isFinite(part) ? String(part) : part;
    if (depth > DEPTH_MAX || left < 0) return CUT;
    const kept: [string, unknown][] = [];
    for (const key in part) {
      if (left < 0) {
        kept.push([Array.isArray(part) ? String(kept.length) : CUT, CUT]);
        break;
      }
      if (!Object.hasOwn(part, key)) continue;
      kept.push([
        Array.isArray(part) ? key : text(key),
        walk((part as Record<string, unknown>)[key], depth + 1),
      ]);
    }
    return Array.isArray(part) ? kept.map(([, one]) => one) : Object.fromEntries(kept);
  };
  return walk(value, 0);
}
