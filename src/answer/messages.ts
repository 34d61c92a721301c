/** The messages of both stages, built from prompts, history and what was found. */

import type { AskRequest } from "../capability/capability.js";
import type { ForeignText } from "../domain/foreign-text.js";
import type { Passage } from "../domain/passage.js";
import type { AttachedContext } from "../domain/turn.js";
import type { ModelMessage } from "../llm/port.js";
import { languageOf, type Prompts } from "../llm/prompts.js";
import { attachedText, attachments, foreignIn, questionWithAttached } from "./attachments.js";
import { historyWithinBudget, RETRIEVED_TOKENS_MAX, TokenBudget } from "./budget.js";
import type { Phrases } from "./phrases.js";
import type { PlannedSearch } from "./plan.js";
import type { SearchResult } from "./search.js";
import { allTrusted } from "./search.js";

/** Stage 1: the persona, what the chat remembers within its budget, and the question. */
export function openingMessages(
  request: AskRequest,
  phrases: Phrases,
  prompts: Prompts,
): readonly ModelMessage[] {
  const { context, persona, question } = request;
  const content = questionWithAttached(question, context, "before documents", prompts);
  const said = { content, foreign: foreignIn(context, question) };
  return conversation(request, { prompt: persona, notFound: phrases.notInDocuments }, said, prompts);
}

/** Who the model is, what the chat remembers within its budget, and what the user says. */
export function conversation(
  request: Pick<AskRequest, "history" | "language" | "locale" | "question" | "responseType">,
  { notFound, prompt }: { readonly prompt: SystemPrompt; readonly notFound: string },
  said: { readonly content: string; readonly foreign: readonly ForeignText[] },
  prompts: Prompts,
): readonly ModelMessage[] {
  const system = prompts.render(prompt, {
    output: prompts.render(`output-${request.responseType}`),
    not_found: notFound,
    language: languageOf(request, prompts),
  });
  const remembered = historyWithinBudget(request.history).map(({ role, text }) => ({ role, content: text }));
  return [{ role: "system", content: system }, ...remembered, { role: "user", ...said }];
}

type SystemPrompt = AskRequest["persona"] | "conversational" | "platform";

/**
 * Stage 2 adds the model's calls and the answer to each of them; a passage is shown once. What the caller attached and
 * counts for less than documents stands at the end of the last answer: not every server takes a message behind it.
 */
export async function resultMessages(
  searches: readonly PlannedSearch[],
  found: readonly SearchResult[],
  phrases: Phrases,
  prompts: Prompts,
  context?: AttachedContext,
) {
  const behind = attachedText(attachments(context), "behind documents", prompts);
  const budget = new TokenBudget(RETRIEVED_TOKENS_MAX);
  const shown = new Set<string>();
  const answers: ModelMessage[] = [];
  const textOf = async (result: SearchResult, foreign: ForeignText[]) => {
    if (result.type === "unavailable")
      return prompts.render("passages-unavailable", { search_unavailable: phrases.searchUnavailable });
    if (result.passages.length === 0) return prompts.render("passages-none");
    const text = await passagesText(result.passages, budget, prompts, foreign, shown);
    return text === "" ? prompts.render("passages-shown") : text;
  };
  for (const [i, { call }] of searches.entries()) {
    const isLast = i === searches.length - 1 && behind !== "";
    const foreign: ForeignText[] = isLast ? [...foreignIn(context)] : [];
    const text = await textOf(found[i]!, foreign);
    const content = isLast ? `${text}\n\n${behind}` : text;
    answers.push({ role: "tool", callId: call.id, content, foreign });
  }
  const calls: ModelMessage = { role: "tool_calls", calls: searches.map(({ call }) => call) };
  return {
    messages: [calls, ...answers],
    /** What of the passages fitted into the budget. */
    tokens: budget.asked,
    truncated: budget.exceeded,
    /** Ids of the passages that are shown; the first is number 1. */
    shown: [...shown],
  };
}

/** As many of the passages as fit, without what speaks to the assistant and those that were `shown`; noted in `foreign`. */
export async function passagesText(
  passages: readonly Passage[],
  budget: TokenBudget,
  prompts: Prompts,
  foreign: ForeignText[],
  shown: Set<string> = new Set(),
): Promise<string> {
  const texts: string[] = [];
  for (const passage of await allTrusted(passages)) {
    if (shown.has(passage.chunkId)) continue;
    const text = budget.take(passage.text.trim());
    if (text === "") continue;
    shown.add(passage.chunkId);
    texts.push(passageText(passage, text, shown.size, prompts));
    foreign.push({ what: "passage", text: texts.at(-1)! });
  }
  return texts.join("\n\n");
}

function passageText(passage: Passage, text: string, number: number, prompts: Prompts): string {
  const { title, revision = "", headings, page, supersedes, kind } = passage;
  const common = { number: String(number), title, revision, section: headings.join(", "), text };
  if (!["spec", "data"].includes(kind.docType)) {
    return prompts.render("passage-code", {
      ...common,
      chunk: passage.chunkId,
      type: kind.docType,
      block: kind.blockType,
      source: passage.sourceFile,
      tags: kind.tags.join(", "),
    });
  }
  return prompts.render("passage", {
    ...common,
    replaces: supersedes.join(", "),
    page: page === undefined ? "" : String(page),
  });
}
