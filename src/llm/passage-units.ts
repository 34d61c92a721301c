/** A passage taken apart into what can be spoken on its own: sentences, steps of a procedure, warnings. */
import type { Passage } from "../domain/passage.js";
import { splitSentences } from "../lib/sentence-end.js";

export interface Unit {
  readonly role: "heading" | "sentence" | "warning" | "step";
  /** Word for word, without the marks of the layout. A step keeps its number. */
  readonly text: string;
  /** A step's number as the document counts. */
  readonly number?: number;
}

/** The passage's units in order. A step holds all sentences up to the next step or the end of its paragraph. */
export function passageUnits(passage: Passage): readonly Unit[] {
  const units: Unit[] = [];
  let step: { texts: string[]; number: number } | undefined;
  const endStep = () => {
    if (step !== undefined) units.push({ role: "step", text: step.texts.join(" "), number: step.number });
    step = undefined;
  };
  for (const raw of splitSentences(passage.text)) {
    const line = raw.trim();
    const number = STEP.exec(line);
    if (number !== null) endStep();
    const text = bare(line);
    if (/[\p{L}\p{N}]/u.test(text)) {
      if (number !== null) step = { texts: [text], number: Number(number[1]) };
      else if (step !== undefined) step.texts.push(text);
      else units.push({ role: roleOf(line, text), text });
    }
    if (/\n\s*\n\s*$/.test(raw)) endStep();
  }
  endStep();
  return units;
}

/** "1. ", "2) ", "Step 3: ", behind any marks of emphasis. */
const STEP = /^[\s>*_]*(?:step\s+)?(\d{1,3})[.):]\**\s/i;

const WARNING = /^(?:warning|danger|caution|attention|important|never|do not|don't|must not)\b/i;

function roleOf(line: string, text: string): Unit["role"] {
  if (/^\s*#{1,6} /.test(line)) return "heading";
  return WARNING.test(text) ? "warning" : "sentence";
}

/** Without quotation marks, heading marks, bullets and emphasis of Markdown, on one line. */
function bare(line: string): string {
  return line
    .replace(/^(?:>\s*|#{1,6}\s+|[-*+•–]\s+)+/, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/\s*\n\s*(?:>\s*)?/g, " ")
    .trim();
}
