/** A model writes questions that documents answer. What it writes is no more than proposed: see `suggestions.ts`. */

import type { Passage } from "../domain/passage.js";
import { isInjection } from "../grounding/injection.js";
import { cutToChars } from "../lib/cut.js";
import { isRecord } from "../lib/is-record.js";
import { pause } from "../lib/pause.js";
import { cutToTokens } from "../lib/tokens.js";
import { ModelFailure, type ModelMessage, strictObject, type ToolSpec } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import { toolArguments } from "../llm/tool-call.js";
import type { DocumentOutline } from "../retrieval/port.js";
import { TokenBudget } from "./budget.js";
import { type WriterDeps, written } from "./compose.js";
import { allTrusted, LABEL_CHARS_MAX } from "./search.js";
import { QUESTION_CHARS_MAX, type SuggestionCandidate } from "./suggestion-templates.js";

/** What the model is told. */
export interface SuggestionJob {
  readonly outlines: readonly DocumentOutline[];
  /** Some of their passages. */
  readonly passages: readonly Passage[];
  /** Questions that are wanted. */
  readonly count: number;
  /** The BCP 47 tag of the language of the questions. */
  readonly language: string;
  /** Of the documents, in words: "English". */
  readonly searchLanguage: string;
}

/** Tokens of titles and headings, and of passages, that the model is shown, by the reference estimate. */
const OUTLINE_TOKENS_MAX = 1_200;
const PASSAGE_TOKENS_MAX = 1_300;
const TOKENS_PER_PASSAGE_MAX = 160;

/** Questions asked for, for each that is wanted: some will not be answered. */
const PROPOSED_PER_WANTED = 2;

/** Proposals of a model that are looked at; it may write more than it was asked for. */
const PROPOSALS_MAX = 100;

const TOOL_NAME = "suggest_questions";

/**
 * What the model proposes, in its order. It may draw on everything that it was shown, so each proposal counts as made of
 * all of these documents. Rejects with `ModelFailure`, or with the signal's reason.
 */
export async function proposedQuestions(
  job: SuggestionJob,
  deps: WriterDeps,
  signal: AbortSignal,
): Promise<readonly SuggestionCandidate[]> {
  const { clock, prompts, telemetry, user } = deps;
  const startMs = clock.monotonic();
  const messages = await messagesFor(job, prompts);
  const request = { messages, tools: [toolOf(prompts)], toolChoice: "required" } as const;
  const reply = await written("suggest", request, deps, signal);
  telemetry.emit({ type: "stage_finished", user, stage: "suggest", ms: clock.monotonic() - startMs });
  const documentIds = job.outlines.map(({ documentId }) => documentId);
  const proposed = reply.calls
    .filter(({ name }) => name === TOOL_NAME)
    .flatMap((call) => questionsIn(toolArguments(call)));
  if (proposed.length === 0) throw new ModelFailure("malformed", "the model proposes no questions");
  return proposed.map((question) => ({ ...question, asksForSteps: false, documentIds }));
}

async function messagesFor(
  { outlines, passages, count, language, searchLanguage }: SuggestionJob,
  prompts: Prompts,
): Promise<readonly ModelMessage[]> {
  const content = prompts.render("suggested-questions", {
    count: String(count * PROPOSED_PER_WANTED),
    language,
    search_language: searchLanguage,
  });
  const text = `${await outlineText(outlines)}\n\n${await passagesText(passages)}`.trim();
  return [
    { role: "system", content },
    { role: "user", content: text, foreign: [{ what: "passage", text }] },
  ];
}

async function outlineText(outlines: readonly DocumentOutline[]): Promise<string> {
  const budget = new TokenBudget(OUTLINE_TOKENS_MAX);
  const shown: string[] = [];
  for (const { title, headings } of outlines) {
    await pause();
    if (budget.exceeded) break;
    const labels = [title, ...headings].map((label) => cutToChars(label, LABEL_CHARS_MAX));
    if (isInjection(labels[0]!)) continue;
    const below = labels.slice(1).filter((heading) => !isInjection(heading));
    shown.push(budget.take([labels[0], ...below.map((heading) => `- ${heading}`)].join("\n")));
  }
  return shown.filter((text) => text !== "").join("\n\n");
}

async function passagesText(passages: readonly Passage[]): Promise<string> {
  const budget = new TokenBudget(PASSAGE_TOKENS_MAX);
  const shown = (await allTrusted(passages)).map(({ title, text }) => {
    return budget.take(`${title}:\n${cutToTokens(text.trim(), TOKENS_PER_PASSAGE_MAX)}`);
  });
  return shown.filter((text) => text !== "").join("\n\n");
}

function toolOf(prompts: Prompts): ToolSpec {
  const text = { type: "string" };
  const question = strictObject({ question: text, search_query: text });
  return {
    name: TOOL_NAME,
    description: prompts.render("suggest-tool"),
    parameters: strictObject({ questions: { type: "array", items: question } }),
  };
}

/** Models leave the query out, or write a list of plain texts. */
function questionsIn({ questions }: Readonly<Record<string, unknown>> = {}) {
  if (!Array.isArray(questions)) return [];
  return questions.slice(0, PROPOSALS_MAX).flatMap((entry: unknown) => {
    const { question, search_query } = isRecord(entry) ? entry : { question: entry, search_query: undefined };
    const text = lineOf(question);
    if (text === "" || text.length > QUESTION_CHARS_MAX || isInjection(text)) return [];
    return [{ text, query: lineOf(search_query) || text }];
  });
}

function lineOf(value: unknown): string {
  return typeof value === "string" ? value.replace(/[\s\p{Cc}]+/gu, " ").trim() : "";
}
