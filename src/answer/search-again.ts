/** When what was found seems not to hold the answer, it is searched for once more in other words. Pure. */

import { answerability } from "../grounding/answerability/answerability.js";
import { analyze } from "../lib/english-analyzer.js";
import { shippedRows } from "../lib/shipped-files.js";
import type { ModelMessage } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import { queryTerms, tellingWords } from "../retrieval/query-terms.js";
import type { PlannedSearch } from "./plan.js";
import type { SearchResult } from "./search.js";
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
    one.type === "unavailable" ? 0 : answerability(respelled(one.query, one.passages), one.passages),
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
    ...searches.map(({ call }): ModelMessage => ({ role: "tool", callId: call.id, content })),
  ];
}

/** Those that ask for something new, with ids that no earlier call has. */
export function newSearches(
  searches: readonly PlannedSearch[],
  before: readonly PlannedSearch[],
): readonly PlannedSearch[] {
  const asked = new Set(before.map(({ query }) => termsOf(query)));
  const ids = new Set(before.map(({ call }) => call.id));
  return searches
    .filter(({ query }) => !asked.has(termsOf(query)))
    .map(({ call, query }) => ({ query, call: ids.has(call.id) ? { ...call, id: `${call.id}b` } : call }));
}

function termsOf(query: string): string {
  return [...queryTerms(query).keys()].sort().join(" ");
}

/**
 * The question in other words without a model: its telling words alone, without the turn before, and what documents
 * call the same thing; undefined when that would be the same search.
 */
export function reformulated(question: string, searched: string): string | undefined {
  const words = tellingWords(question)
    .split(/\s+/)
    .filter((word) => word !== "");
  const others = words.flatMap((word) => SAME.get(analyze(word)[0] ?? "") ?? []);
  const query = [...new Set([...words, ...others])].join(" ");
  return query === "" || termsOf(query) === termsOf(searched) ? undefined : query;
}

/** Words that people on a site use for one another. A query may hold several; the engine ranks. */
const SAME_THINGS = shippedRows("locales/words/same-things.txt").map((row) => row.split(", "));

const SAME: ReadonlyMap<string, readonly string[]> = new Map(
  SAME_THINGS.flatMap((things) =>
    things.flatMap((thing) => {
      const terms = analyze(thing);
      return terms.length === 1 ? [[terms[0]!, things.filter((other) => other !== thing)] as const] : [];
    }),
  ),
);
