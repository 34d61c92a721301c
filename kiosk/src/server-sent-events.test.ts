import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServerSentReader } from "./server-sent-events.js";

const TEXT =
  ': still here\n\nevent: text\ndata: {"text":"a"}\n\nevent: packet\ndata: one\ndata: two\n\ndata: plain\n\n';
const EVENTS = [
  { name: "text", data: '{"text":"a"}' },
  { name: "packet", data: "one\ntwo" },
  { name: "message", data: "plain" },
];

describe("server-sent events", () => {
  it("are the same wherever the text is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(TEXT.length), { maxLength: 8 }), (places) => {
        const cuts = [0, ...places.sort((a, b) => a - b), TEXT.length];
        const reader = new ServerSentReader();
        const events = cuts.slice(1).flatMap((end, index) => reader.push(TEXT.slice(cuts[index], end)));
        expect(events).toEqual(EVENTS);
      }),
    );
  });

  it("that never end are given up", () => {
    const reader = new ServerSentReader();
    const piece = "x".repeat(600_000);
    expect(reader.push(piece)).toEqual([]);
    expect(() => reader.push(piece)).toThrow("without an end");
  });
});
