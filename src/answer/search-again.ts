/** When what was found seems not to hold the answer, it is searched for once more in other words. Pure. */

import { answerability } from "../grounding/answerability/answerability.js";
import type { ModelMessage } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import type { PlannedSearch } from "./plan.js";
import { type SearchResult, searchedFor } from "./search.js";
import { respelled } from "./spelling.js";

/** Time that has to be left for another query, its search and the answer. */
export const RETRY_MS_MIN = 8_000;

/** How long the model may take for another query. */
export const RETRY_PLAN_MS_MAX = 4_000;

export interface SearchedAgain {
  readonly searches: readonly PlannedSearch[];
  readonly found: readonly SearchResult[];
}

/** How likely the best of these results holds what its own query asks for, 0–1: queries are in the documents' language. */
export function fitOf(found: readonly SearchResult[]): number {
  const fits = found.map((one) =>
    one.type === "unavailable"
      ? 0
      : (one.fit ?? answerability(respelled(one.query, one.passages), one.passages)),
  );
  return Math.max(0, ...fits);
}

/** Whether another search is worth its time. A search that failed would fail again. */
export function fitsBadly(found: readonly SearchResult[], below: number): boolean {
  return found.every(({ type }) => type === "found") && fitOf(found) < below;
}

/** Stage 1 once more: the model sees its calls, and that they did not help. */
export function unfittingMessages(
  searches: readonly PlannedSearch[],
  prompts: Prompts,
): readonly ModelMessage[] {
  const content = prompts.render("passages-unfitting");
  return [
    { role: "tool_calls", calls: searches.map(({ call }) => call) },
    ...searches.map(({ call }): ModelMessage => ({ role: "tool", callId: call.id, content, foreign: [] })),
  ];
}

/** Those that ask for something new, with ids that no earlier call has. */
export function newSearches(
  searches: readonly PlannedSearch[],
  before: readonly PlannedSearch[],
): readonly PlannedSearch[] {
  const asked = new Set(before.map(({ query }) => searchedFor(query)));
  const ids = new Set(before.map(({ call }) => call.id));
  return searches
    .filter(({ query }) => !asked.has(searchedFor(query)))
    .map(({ call, query }) => ({ query, call: ids.has(call.id) ? { ...call, id: `${call.id}b` } : call }));
}
