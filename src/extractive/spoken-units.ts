/** How the units of a passage are said: in which order, in which words, and how many at a time. */
import { type PassageUnit, unitTerms } from "./passage-units.js";

/** A unit in words: a step says its number, which a voice would otherwise read as a sentence of its own. */
export function spoken(unit: PassageUnit): string {
  return unit.role === "step" ? `Step ${unit.number}: ${unit.text}` : unit.text;
}

/** The same, so that the next one cannot run into it. */
export function aloud(unit: PassageUnit): string {
  return ended(spoken(unit));
}

/** A sentence that the next one cannot run into. */
export function ended(sentence: string): string {
  const bare = sentence.replace(/(?<![\s,;])[\s,;]+$/, "");
  return /[.!?:;…。！？]["”»')]*$/u.test(bare) ? bare : `${bare}.`;
}

export function isWarning({ role }: PassageUnit): boolean {
  return role === "warning" || role === "notice";
}

/** Whether a unit warns about something that these terms name. */
export function isWarningAbout(subject: ReadonlySet<string>, unit: PassageUnit): boolean {
  return (
    isWarning(unit) && unitTerms(unit).some((term) => subject.has(term) && !/^(?:\p{N}|do$)/u.test(term))
  );
}

export function warningsFirst(units: readonly PassageUnit[]): readonly PassageUnit[] {
  return [...units.filter(isWarning), ...units.filter((unit) => !isWarning(unit))];
}

/** As many whole texts from the start as fit, and at least one. */
export function fitting(texts: readonly string[], charsMax: number): readonly string[] {
  let chars = 0;
  const end = texts.findIndex((text) => {
    chars += text.length + 1;
    return chars > charsMax;
  });
  return end === -1 ? texts : texts.slice(0, Math.max(1, end));
}
