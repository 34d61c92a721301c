/** Labelled utterances as JSON lines: what `readback routes export` writes, and what training and comparison read. */

import { z } from "zod";
import type { RouteLayer } from "../domain/answer.js";
import type { LoggedRoute } from "../store/route-log.js";
import { textHash } from "./classifier.js";

export interface LabelledUtterance {
  readonly text: string;
  readonly route: string;
  /** Who said so; absent: a person. */
  readonly layer?: RouteLayer | undefined;
}

/** Labelled data cannot be used; the message names the file and the line. */
export class LabelledDataError extends Error {
  override readonly name = "LabelledDataError";
}

/** One utterance in three is kept out of training. */
const HELD_OUT_ONE_IN = 3;

/** Labels of people, callers, rules and the language model. The classifier's own word would teach it its mistakes. */
const TEACHERS: readonly (RouteLayer | undefined)[] = [undefined, "declared", "rule", "model"];

const LINES_MAX = 1_000_000;

const row = z.object({
  text: z.string().trim().min(1).max(10_000),
  route: z.string().min(1).max(64),
  layer: z.enum(["declared", "rule", "classifier", "model", "default"]).optional(),
});

/** Throws `LabelledDataError`; `name` is for its message. */
export function parseLabelled(content: string, name: string): readonly LabelledUtterance[] {
  const lines = content.split("\n");
  if (lines.length > LINES_MAX)
    throw new LabelledDataError(`${name} has more than ${LINES_MAX} lines. Split it, or take a sample.`);
  return lines.flatMap((line, i) => (line.trim() === "" ? [] : [parseLine(line, `${name}:${i + 1}`)]));
}

function parseLine(line: string, where: string): LabelledUtterance {
  const expected = 'expected {"text": "open valve 3", "route": "operate"}';
  try {
    const parsed = row.safeParse(JSON.parse(line));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new LabelledDataError(`${where}: ${issue?.path.join(".")}: ${issue?.message}; ${expected}`);
  } catch (error) {
    if (error instanceof SyntaxError) throw new LabelledDataError(`${where} is not JSON; ${expected}`);
    throw error;
  }
}

/** Whether this utterance is for testing: decided by its words alone, so that it stays so whatever else comes along. */
export function isHeldOut(text: string): boolean {
  return textHash(text) % HELD_OUT_ONE_IN === 0;
}

/** What a classifier may learn from: rows with a teacher; utterances that read the same count once, the last label. */
export function teachable(rows: readonly LabelledUtterance[]): readonly LabelledUtterance[] {
  const byText = new Map<number, LabelledUtterance>();
  for (const one of rows) if (TEACHERS.includes(one.layer)) byText.set(textHash(one.text), one);
  return [...byText.values()];
}

/** A decision of the router as a line of labelled data, its line feed included. */
export function labelledLine({ topic, route, layer, confidence, atMs }: LoggedRoute): string {
  return `${JSON.stringify({ text: topic, route, layer, confidence, at: new Date(atMs).toISOString() })}\n`;
}
