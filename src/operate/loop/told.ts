/** The result of a tool as a model is told of it: bounded JSON, without secrets and without text that speaks to a model. */
import { withoutInjections } from "../../grounding/injection.js";
import { redactShapes } from "../../lib/secrets.js";
import type { LoopResult } from "./envelope.js";

/** UTF-16 units of one result. */
const RESULT_CHARS_MAX = 8_000;
/** What a value counts at the least, with the marks around it. */
const VALUE_CHARS = 8;

const CUT = "[cut]";

/** The envelope as text, and the data of it that a sentence may rest on: just what the model saw, if that is all of it. */
export function toldResult({ data, error, ok }: LoopResult): {
  readonly content: string;
  readonly data: unknown;
} {
  let left = RESULT_CHARS_MAX;
  const text = (written: string): string => {
    const kept = cleanText(written.slice(0, Math.max(0, left)));
    left -= Math.max(written.length, JSON.stringify(kept).length);
    return left < 0 ? `${kept}${CUT}` : kept;
  };
  const told = (part: unknown): unknown => {
    left -= VALUE_CHARS;
    if (typeof part === "string") return text(part);
    if (typeof part !== "object" || part === null) return part;
    const isList = Array.isArray(part);
    const kept: [string, unknown][] = [];
    for (const [key, one] of Object.entries(part)) {
      kept.push(left < 0 ? [CUT, CUT] : [isList ? key : text(key), told(one)]);
      if (left < 0) break;
    }
    return isList ? kept.map(([, one]) => one) : Object.fromEntries(kept);
  };
  const value = told(ok ? data : error);
  const content = JSON.stringify({ ok, [ok ? "data" : "error"]: value });
  return { content, data: ok && left >= 0 ? value : undefined };
}

/** Without secrets, and without what speaks to a model. */
function cleanText(text: string): string {
  return redactShapes(withoutInjections(text));
}
