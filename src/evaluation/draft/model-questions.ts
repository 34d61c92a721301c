/** A model's questions on a section. What it expects of an answer has to stand in words that it quotes from the section. */
import { z } from "zod";
import { type Judge, judgeForm } from "../judge/judge.js";
import { holdsWording } from "../wording.js";
import type { DraftQuestion } from "./draft.js";
import type { DraftedSection } from "./sections.js";

const KINDS = ["fact", "procedure", "list", "table", "contrast"] as const;
const QUESTIONS_MAX = 5;

const question = z.strictObject({
  kind: z.enum(KINDS),
  question: z.string().trim().min(1),
  expect: z.array(z.array(z.string().trim().min(1)).min(1)).min(1),
  quote: z.string().trim().min(1),
});
const QUESTIONS = judgeForm(
  "draft-questions",
  z.strictObject({ questions: z.array(question) }),
  z.object({ questions: z.array(question) }),
);

/** None where the model makes no sense. Rejects as `Judge.ask` does. */
export async function modelQuestions(
  { heading, document, text }: DraftedSection,
  model: Judge,
  signal: AbortSignal,
): Promise<readonly DraftQuestion[]> {
  const reply = await model.ask(QUESTIONS, { title: document.title, heading, text }, signal);
  if (reply.type === "nonsense") return [];
  return reply.value.questions.slice(0, QUESTIONS_MAX).filter(({ expect, quote }) => {
    const isQuoted = holdsWording(text, quote);
    return isQuoted && expect.every((group) => group.some((wording) => holdsWording(quote, wording)));
  });
}
