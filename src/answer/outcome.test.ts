import { expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { loadPrompts } from "../llm/prompts.js";
import { outcomeOf } from "./outcome.js";
import { phrasesFor } from "./phrases.js";
import type { Found } from "./search.js";

const phrases = phrasesFor("default", await loadPrompts());
const hit: Found = { type: "found", query: "q", passages: [passage("p", "Words.")] };
const nothing: Found = { type: "found", query: "q", passages: [] };
const down: Found = { type: "unavailable", error: "down", query: "q" };

it.each([
  ["answered", "Lock it.", [hit]],
  ["answered", "Lock it.", [hit, nothing]],
  ["not_in_documents", "Lock it.", [nothing]],
  ["not_in_documents", ` ${phrases.notInDocuments}\n`, [hit]],
  ["partial", "Lock it.", [hit, down]],
  ["search_unavailable", "Lock it.", [down]],
  ["search_unavailable", "Lock it.", [nothing, down]],
  ["search_unavailable", phrases.notInDocuments, [hit, down]],
] as const)("is %s for %j", (outcome, text, found) => {
  expect(outcomeOf(text, found, phrases)).toBe(outcome);
});
