import { beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { passage, ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { SearchUnavailable } from "../retrieval/port.js";
import {
  allPassages,
  DOCUMENT_PASSAGES_MAX,
  documentReader,
  LABEL_CHARS_MAX,
  PASSAGE_CHARS_MAX,
  searchAll,
  searchedOf,
  withPassages,
} from "./search.js";

const access = { network: "plant", username: "ann", groups: ["fitters"], kiosk: false };
const never = new AbortController().signal;
const [a, b, c] = [passage("a", "Aaa."), passage("b", "Bb.", { documentId: "doc-a" }), passage("c", "C.")];

let clock: VirtualClock;
let events: RecordedEvents;
let retrieval: ScriptedRetrieval;
const deps = () => ({ clock, retrieval, resultsMax: 5, searchTimeoutMs: 5_000 });
const search = (queries: readonly string[], signal = never) =>
  searchAll(queries, { access, telemetry: events }, deps(), signal);

beforeEach(() => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  retrieval = new ScriptedRetrieval();
});

describe("searchAll", () => {
  it("runs every query with the turn's access and tells what came of each", async () => {
    retrieval.expectSearch("one", [a!, b!]).expectSearch("two", [b!, c!]).expectSearch("three", []);
    const found = await search(["one", "two", "three"]);
    expect(found.map((one) => one.type === "found" && one.passages)).toEqual([[a, b], [b, c], []]);
    expect(allPassages(found)).toEqual([a, b, c]);
    expect(searchedOf(found)).toBe("found");
    expect(retrieval.accesses).toEqual([access, access, access]);
    expect(events.of("passages_retrieved")).toMatchObject([
      { queries: ["one", "two", "three"], documentIds: ["doc-a", "doc-c"], characters: 9 },
    ]);
    expect(events.of("stage_finished")).toMatchObject([{ stage: "search", ms: 0 }]);
    retrieval.verify();
  });

  it("works on no more of a passage than has its place, and tells so", async () => {
    const text = "word ".repeat(PASSAGE_CHARS_MAX);
    const long = passage("long", text, { title: "x".repeat(10_000), headings: ["y".repeat(10_000)] });
    retrieval.expectSearch("one", [long, a!]);
    const [first, second] = allPassages(await search(["one"]));
    expect(first?.text).toHaveLength(PASSAGE_CHARS_MAX - 1);
    expect([first?.title.length, first?.headings[0]?.length]).toEqual([LABEL_CHARS_MAX, LABEL_CHARS_MAX]);
    expect(second).toBe(a);
    expect(events.of("text_cut")).toMatchObject([
      { what: "passage", pieces: 1, characters: text.length, limit: PASSAGE_CHARS_MAX },
    ]);
  });

  it("does not take a failure for an empty result", async () => {
    retrieval.expectSearch("one", new SearchUnavailable("down")).expectSearch("two", [a!]);
    const found = await search(["one", "two"]);
    expect(found).toEqual([
      { type: "unavailable", query: "one", error: "down" },
      { type: "found", query: "two", passages: [a] },
    ]);
    expect(searchedOf(found)).toBe("partly");
    expect(searchedOf([found[0]!])).toBe("unavailable");
    expect(searchedOf([])).toBe("found");
    expect(events.of("search_failed")).toMatchObject([{ error: "down" }]);
  });

  it("gives up a search that takes too long, and only that", async () => {
    retrieval.expectSearch("slow", "hang").expectSearch("fast", [a!]);
    const found = watch(search(["slow", "fast"]));
    await clock.advance(4_999);
    expect(found.now.type).toBe("pending");
    await clock.advance(1);
    expect(found.now).toMatchObject({ value: [{ type: "unavailable" }, { type: "found" }] });
    expect(events.of("search_failed")).toMatchObject([{ error: "the search took longer than 5000 ms" }]);
    expect(clock.pending).toBe(0);
  });

  it("rejects with the signal's reason, and with a fault", async () => {
    retrieval.expectSearch("slow", "hang");
    const stop = new AbortController();
    const found = watch(search(["slow"], stop.signal));
    stop.abort("stop");
    await clock.advance(0);
    expect(found.now).toEqual({ type: "rejected", error: "stop" });
    expect(clock.pending).toBe(0);
    retrieval.expectSearch("broken", new TypeError("a fault"));
    await expect(search(["broken"])).rejects.toThrow("a fault");
  });
});

describe("documentReader", () => {
  it("reads all passages with the access of the turn", async () => {
    retrieval.documents.set("doc", [a, b]);
    const read = documentReader(access, deps(), never);
    expect(await read("doc")).toEqual({ passages: [a, b], isAll: true });
    expect(retrieval.accesses).toEqual([access]);
  });

  it("tells where there may be more", async () => {
    const many = Array.from({ length: DOCUMENT_PASSAGES_MAX }, (_, i) => passage(String(i), "A."));
    retrieval.documents.set("long", many);
    const read = documentReader(access, deps(), never);
    expect(await read("long")).toMatchObject({ isAll: false });
    expect(await read("gone")).toEqual({ passages: [], isAll: false });
  });

  it("does without a document that cannot be had, or not in time", async () => {
    const read = documentReader(access, deps(), never);
    retrieval.contents = () => Promise.reject(new SearchUnavailable("down"));
    expect(await read("doc")).toEqual({ passages: [], isAll: false });
    retrieval.contents = () => new Promise(() => {});
    const late = watch(read("doc"));
    await clock.advance(1_000);
    expect(late.now).toEqual({ type: "resolved", value: { passages: [], isAll: false } });
    expect(clock.pending).toBe(0);
  });
});

describe("withPassages", () => {
  it("has each passage once, what was found first", () => {
    expect(withPassages([a], [b, a, b])).toEqual([a, b]);
  });
});
