/** The steps that a chat has said from documents: each in the words of its document, and bound to its passage. Pure. */
import type { Passage } from "../../domain/passage.js";
import type { HistoryEntry } from "../../domain/turn.js";
import { UsageProblem } from "../../lib/usage-problem.js";
import type { Fields } from "../exchange/shapes.js";
import { freeId } from "../schema/guide.js";
import { guideFile } from "../schema/read-guide.js";
import { draftGuide } from "./draft-guide.js";
import { placeOf, sectionsIn } from "./passages.js";

/** Those of which a sentence was said that its passage bears out, document by document, with the warnings before them. */
export function stepsSaid(history: readonly HistoryEntry[]): readonly Fields[] {
  const answers = history.flatMap(({ answer }) => answer ?? []);
  const evidence = answers.flatMap(({ claims }) => claims.flatMap((one) => (one.said ? one.evidence : [])));
  const passages = new Map(answers.flatMap((one) => one.passages).map((one) => [one.chunkId, one]));
  const said = evidence.filter(({ source, type }) => type === "passage" && passages.has(source));
  const chunks = [...new Set(said.map(({ source }) => passages.get(source)!))];
  const taken = new Set(["end"]);
  return [...new Set(chunks.map(({ documentId }) => documentId))].flatMap((id) => {
    const own = chunks.filter(({ documentId }) => documentId === id);
    const words = said.map(({ value }) => value);
    return stepsOf(own, words).map((step) => ({ ...step, id: freeId(String(step.id), taken) }));
  });
}

/** Of one document. */
function stepsOf(chunks: readonly Passage[], said: readonly string[]): readonly Fields[] {
  const document = { ...chunks[0]!, chunks: chunks.toSorted((a, b) => a.position - b.position) };
  const places = new Set<unknown>();
  const sections = new Set<unknown>();
  for (const section of sectionsIn(document))
    for (const unit of section.units) {
      const step = unit.role === "step" ? unit : unit.under;
      if (step === undefined || !said.some((words) => overlaps(words, unit.text))) continue;
      places.add(placeOf(section, step.number));
      sections.add(placeOf(section));
    }
  try {
    const steps = guideFile(draftGuide(document)).steps as readonly Fields[];
    return steps.filter(({ content_type: type, source }) => {
      const { place } = (source ?? {}) as Fields;
      return places.has(place) || (type === "warning" && sections.has(place));
    });
  } catch (error) {
    if (error instanceof UsageProblem) return [];
    throw error;
  }
}

function overlaps(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replace(/\s+/g, " ").trim()) as [string, string];
  return a.includes(b) || b.includes(a);
}
