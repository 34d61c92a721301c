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

/** What a value counts at the least, with the marks around it. */
const VALUE_CHARS = 8;

const CUT = "[cut]";

/** The envelope as text, and the data of it that a sentence may rest on: just what the model saw, if that is all of it. */
export function toldResult({ data, error, ok }: LoopResult): {
  readonly content: string;
  readonly data: unknown;
} {
  const { isWhole, value } = bounded(ok ? data : error);
  return {
    content: JSON.stringify({ ok, [ok ? "data" : "error"]: value }),
    data: ok && isWhole ? value : undefined,
  };
}

/** Without secrets, and without what speaks to a model. */
export function cleanText(text: string): string {
  return redactShapes(withoutInjections(text));
}

/** The value with so much of it left out that its JSON text stays short; what is left out is marked. */
function bounded(whole: unknown): { readonly value: unknown; readonly isWhole: boolean } {
  let left = RESULT_CHARS_MAX;
  let isWhole = true;
  const cut = (): string => {
    isWhole = false;
    return CUT;
  };
  const text = (written: string): string => {
    const room = Math.max(0, Math.min(TEXT_CHARS_MAX, left));
    const kept = `${cleanText(written.slice(0, room))}${written.length > room ? cut() : ""}`;
    left -= JSON.stringify(kept).length;
    return kept;
  };
  const walk = (part: unknown, depth: number): unknown => {
    left -= VALUE_CHARS;
    if (typeof part === "string" || typeof part === "bigint") return text(String(part));
    if (typeof part !== "object" || part === null) return part;
    if (depth > DEPTH_MAX || left < 0) return cut();
    const isList = Array.isArray(part);
    const kept: [string, unknown][] = [];
    for (const key of isList ? part.keys() : Object.keys(part)) {
      if (left < 0) {
        kept.push([CUT, cut()]);
        break;
      }
      const name = isList ? "" : text(String(key));
      kept.push([name, walk((part as Record<string | number, unknown>)[key], depth + 1)]);
    }
    return isList ? kept.map(([, one]) => one) : Object.fromEntries(kept);
  };
  return { value: walk(whole, 0), isWhole };
}
