/** A passage taken apart into what can be spoken on its own: sentences, steps of a procedure, warnings. */
import type { Passage } from "../domain/passage.js";
import { splitSentences } from "../lib/sentence-end.js";
import { once } from "./once.js";
import { termsOf } from "./terms.js";

export type PassageUnit =
  | {
      readonly role: "heading" | "sentence" | "warning" | "notice";
      /** Word for word, without the marks of the layout. */
      readonly text: string;
    }
  | {
      readonly role: "step";
      /** As the document counts. */
      readonly number: number;
      /** Without its number. */
      readonly text: string;
    };

/**
 * The passage's units in order. A step holds all sentences up to the next step or bullet or the end of its paragraph,
 * and so does a notice, which is a warning that calls itself one ("Danger: …"); a warning is one sentence that forbids.
 */
export const passageUnits = once((passage: Passage): readonly PassageUnit[] => {
  const units: PassageUnit[] = [];
  let open: { unit: PassageUnit; texts: string[] } | undefined;
  const close = () => {
    if (open !== undefined) units.push({ ...open.unit, text: open.texts.join(" ") });
    open = undefined;
  };
  for (const raw of splitSentences(passage.text)) {
    const line = raw.trim();
    const unit = readUnit(line);
    if (BULLET.test(line)) close();
    if (/[\p{L}\p{N}]/u.test(unit.text)) {
      if (unit.role === "step" || unit.role === "notice") {
        close();
        open = { unit, texts: [unit.text] };
      } else if (open !== undefined) open.texts.push(unit.text);
      else units.push(unit);
    }
    if (endsParagraph(raw)) close();
  }
  close();
  return units;
});

/** Whether an empty line stands at the end. */
function endsParagraph(raw: string): boolean {
  const blanks = raw.slice(raw.trimEnd().length);
  return blanks.indexOf("\n") < blanks.lastIndexOf("\n");
}

/** In order, repeats included. */
export const unitTerms = once(({ text }: PassageUnit): readonly string[] => termsOf(text));

/** "1. ", "2) ", "Step 3: ", behind any marks of emphasis. */
const STEP = /^[\s>*_]*(?:step\s+)?(\d{1,3})[.):][*_]*\s+/i;

const BULLET = /^[\s>]*[-*+•–] /;

const NOTICE = /^(?:warning|danger|caution|attention|important)\b/i;
const WARNING = /^(?:never|do not|don't|must not)\b/i;

/** Whether a sentence, as a document writes it or as it is said, warns of something. */
export function isWarningText(text: string): boolean {
  return NOTICE.test(text) || WARNING.test(text);
}

function readUnit(line: string): PassageUnit {
  const step = STEP.exec(line);
  if (step !== null) return { role: "step", number: Number(step[1]), text: bare(line.slice(step[0].length)) };
  const text = bare(line);
  if (/^\s*#{1,6} /.test(line)) return { role: "heading", text };
  return { role: NOTICE.test(text) ? "notice" : WARNING.test(text) ? "warning" : "sentence", text };
}

/** Without quotation marks, heading marks, bullets and emphasis of Markdown, on one line. */
function bare(line: string): string {
  return line
    .replace(/^(?:>\s*|#{1,6}\s+|[-*+•–]\s+)+/, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/(?<!\s)\s*\n\s*(?:>\s*)?/g, " ")
    .trim();
}
