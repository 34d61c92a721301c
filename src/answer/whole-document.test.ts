import { describe, expect, it } from "vitest";
import { passage, ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { DOCUMENT_PASSAGES_MAX, documentReader, withPassages } from "./whole-document.js";

const access = { network: "plant", username: "ann", groups: ["fitters"], kiosk: false };
const NO_ABORT = new AbortController().signal;
const [a, b] = [passage("a", "Aaa."), passage("b", "Bbb.")];

describe("documentReader", () => {
  it("reads all passages with the access of the turn", async () => {
    const retrieval = new ScriptedRetrieval();
    retrieval.documents.set("doc", [a, b]);
    const read = documentReader(access, { clock: new VirtualClock(), retrieval }, NO_ABORT);
    expect(await read("doc")).toEqual({ passages: [a, b], isAll: true });
    expect(retrieval.accesses).toEqual([access]);
  });

  it("tells where there may be more", async () => {
    const retrieval = new ScriptedRetrieval();
    const many = Array.from({ length: DOCUMENT_PASSAGES_MAX }, (_, i) => passage(String(i), "A."));
    retrieval.documents.set("long", many);
    const read = documentReader(access, { clock: new VirtualClock(), retrieval }, NO_ABORT);
    expect(await read("long")).toMatchObject({ isAll: false });
    expect(await read("gone")).toEqual({ passages: [], isAll: false });
  });

  it("does without a document that cannot be had, or not in time", async () => {
    const clock = new VirtualClock();
    const retrieval = new ScriptedRetrieval();
    const read = documentReader(access, { clock, retrieval }, NO_ABORT);
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
