import { expect, it } from "vitest";
import { ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import type { HistoryEntry } from "../domain/turn.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { recall } from "./recall.js";

const never = new AbortController().signal;
const access = { network: "plant", username: "ann", groups: [], kiosk: false };
const entry = (text: string, ...documentIds: string[]): HistoryEntry => ({ role: "user", text, documentIds });
const history = [entry("hello"), entry("one", "a"), entry("two", "a", "b"), entry("three", "c")];

it("leaves out every line of which a document may not be read now", async () => {
  const retrieval = new ScriptedRetrieval().expectReadable(["a", "b", "c"], ["a", "c"]);
  const remembered = await recall(history, access, retrieval, never);
  expect(remembered.map(({ text }) => text)).toEqual(["hello", "one", "three"]);
  expect(retrieval.accesses).toEqual([access]);
  retrieval.verify();
});

it("asks nobody about lines without documents", async () => {
  const retrieval = new ScriptedRetrieval();
  expect(await recall([entry("hello")], access, retrieval, never)).toEqual([entry("hello")]);
  expect(await recall([], access, retrieval, never)).toEqual([]);
  retrieval.verify();
});

it("keeps only lines without documents when it cannot be found out", async () => {
  const retrieval = new ScriptedRetrieval().expectReadable(["a", "b", "c"], new SearchUnavailable("down"));
  expect(await recall(history, access, retrieval, never)).toEqual([entry("hello")]);
});

it("takes no other failure for that", async () => {
  const retrieval = new ScriptedRetrieval().expectReadable(["a", "b", "c"], new TypeError("a fault"));
  await expect(recall(history, access, retrieval, never)).rejects.toThrow("a fault");
});
