import { expect, it } from "vitest";
import { ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { documentSources, type SourceRef } from "../domain/source-ref.js";
import type { HistoryEntry } from "../domain/turn.js";
import { SearchUnavailable } from "./port.js";
import { documentRules, recall } from "./recall.js";

const never = new AbortController().signal;
const access = { network: "plant", username: "ann", groups: [], kiosk: false };
const line = (text: string, ...sources: readonly SourceRef[]): HistoryEntry => ({
  role: "user",
  text,
  sources,
});
const entry = (text: string, ...ids: string[]) => line(text, ...documentSources(ids));
const textsOf = (lines: readonly HistoryEntry[]) => lines.map(({ text }) => text);
const history = [entry("hello"), entry("one", "a"), entry("two", "a", "b"), entry("three", "c")];

it("leaves out every line of which a document may not be read now", async () => {
  const retrieval = new ScriptedRetrieval().expectReadable(["a", "b", "c"], ["a", "c"]);
  const remembered = await recall(history, access, documentRules(retrieval), never);
  expect(textsOf(remembered)).toEqual(["hello", "one", "three"]);
  expect(retrieval.accesses).toEqual([access]);
  retrieval.verify();
});

it("asks nobody about lines without sources", async () => {
  const retrieval = new ScriptedRetrieval();
  const rules = documentRules(retrieval);
  expect(await recall([entry("hello")], access, rules, never)).toEqual([entry("hello")]);
  expect(await recall([], access, rules, never)).toEqual([]);
  retrieval.verify();
});

it("keeps only lines without documents when it cannot be found out", async () => {
  const retrieval = new ScriptedRetrieval().expectReadable(["a", "b", "c"], new SearchUnavailable("down"));
  expect(await recall(history, access, documentRules(retrieval), never)).toEqual([entry("hello")]);
});

it("takes no other failure for that", async () => {
  const retrieval = new ScriptedRetrieval().expectReadable(["a", "b", "c"], new TypeError("a fault"));
  await expect(recall(history, access, documentRules(retrieval), never)).rejects.toThrow("a fault");
});

const VALVE = { type: "resource", id: "valve-3" } as const;
const LINES = [
  entry("hello"),
  entry("document", "a"),
  line("resource", VALVE),
  line("both", ...documentSources(["a"]), VALVE),
  line("guide", { type: "guide", id: "valve-3" }),
];

const may =
  (...allowed: readonly string[]) =>
  async (ids: readonly string[]) =>
    new Set(ids.filter((id) => allowed.includes(id)));

it.each([
  ["nothing vouches for a resource", { document: may("a") }, ["hello", "document"]],
  ["the resource may be read", { resource: may("valve-3") }, ["hello", "resource"]],
  [
    "both may be read",
    { document: may("a"), resource: may("valve-3") },
    ["hello", "document", "resource", "both"],
  ],
  ["the document may not be read", { document: may(), resource: may("valve-3") }, ["hello", "resource"]],
  ["a document has the id of a guide", { document: may("a", "valve-3") }, ["hello", "document"]],
  [
    "the resources cannot be asked about",
    { document: may("a"), resource: () => Promise.reject(new SearchUnavailable("down")) },
    ["hello", "document"],
  ],
])("asks each type of source for its own rule: %s", async (_where, rules, left) => {
  expect(textsOf(await recall(LINES, access, rules, never))).toEqual(left);
});
