import { describe, expect, it } from "vitest";
import { waterfallLines } from "./waterfall-view.js";

describe("waterfallLines", () => {
  it("draws each point from the one before it to its own time, by time", () => {
    const marksMs = { started: 0, first_sentence: 500, tts_request: 400, first_packet: 1_000 };
    expect(waterfallLines({ marksMs, held: false })).toEqual([
      "started              0.0 ms  █",
      `tts request        400.0 ms  ${"█".repeat(20)}`,
      `first sentence     500.0 ms  ${" ".repeat(20)}${"█".repeat(5)}`,
      `first packet      1000.0 ms  ${" ".repeat(25)}${"█".repeat(25)}`,
    ]);
  });

  it("says that an answer was held, and stays within its width when points fall together", () => {
    const lines = waterfallLines({ marksMs: { first_packet: 7, last_packet: 7 }, held: true });
    expect(lines).toEqual([
      `first packet       7.0 ms  ${"█".repeat(50)}`,
      `last packet        7.0 ms  ${" ".repeat(49)}█`,
      "held: its first word waited for its last sentence",
    ]);
  });

  it("has no line when nothing was passed", () => {
    expect(waterfallLines({ marksMs: {}, held: false })).toEqual([]);
  });
});
