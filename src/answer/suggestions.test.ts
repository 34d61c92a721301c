import { describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { passage } from "../../test/support/fake-retrieval.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { loadPrompts } from "../llm/prompts.js";
import { loadLocales } from "../locale/load.js";
import { Locales } from "../locale/locales.js";
import type { Retrieval } from "../retrieval/port.js";
import { SUGGESTIONS_AGE_MS_MAX, Suggestions } from "./suggestions.js";

const never = new AbortController().signal;
const access = { network: "plant", username: "ann", groups: [], kiosk: false };
const spill = passage("spill", "A spill of solvent is covered with sand.", { title: "Solvent spill" });
const badge = passage("badge", "A lost badge is reset at the gate.", { title: "Lost badge" });

/** All passages answer every search; `closed` may not be read any more. */
class Shelf implements Pick<Retrieval, "search" | "readable" | "outline" | "contents" | "revision"> {
  readonly passages = [spill, badge];
  closed: readonly string[] = [];
  outlines = 0;

  #open() {
    return this.passages.filter(({ documentId }) => !this.closed.includes(documentId));
  }
  readonly search = async () => this.#open();
  readonly readable = async (ids: readonly string[]) =>
    new Set(ids.filter((id) => !this.closed.includes(id)));
  readonly outline = async () => {
    this.outlines++;
    return this.#open().map((one) => ({ ...one, headings: [] }));
  };
  readonly contents = async () => [];
  readonly revision = async () => "always the same";
}

describe("suggestions that were made before", () => {
  it("are told for a day, and not at all once a document behind them may not be read", async () => {
    const clock = new VirtualClock();
    const shelf = new Shelf();
    const loaded = await loadLocales();
    const locales = new Locales(new Map([["en", loaded.of("en")]]), loaded.of("en"));
    const made = new Suggestions({
      clock,
      telemetry: new RecordedEvents(),
      prompts: await loadPrompts(),
      locales,
      retrieval: { ...shelf, ready: async () => {}, close: async () => {} },
      resultsMax: 5,
      searchTimeoutMs: 5_000,
      searchLanguage: () => "English",
    });
    const suggest = async () => (await made.suggest(request, never)).questions;
    const request = { access, persona: "default", locale: locales.usual, count: 4 } as const;
    const first = await suggest();
    expect(first).toEqual([
      "What should I know about solvent spill?",
      "What should I know about lost badge?",
    ]);
    expect(await suggest()).toEqual(first);
    expect(shelf.outlines).toBe(1);
    await clock.advance(SUGGESTIONS_AGE_MS_MAX);
    expect(await suggest()).toEqual(first);
    expect(shelf.outlines).toBe(2);
    shelf.closed = [badge.documentId];
    expect(await suggest()).toEqual(["What should I know about solvent spill?"]);
    expect(shelf.outlines).toBe(3);
  });
});
