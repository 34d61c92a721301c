import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSentenceEnd, splitSentences } from "./sentence-end.js";

const split = (text: string) => splitSentences(text).map((sentence) => sentence.trim());

describe("splitSentences", () => {
  it.each([
    ["plain sentences", "Stop the truck. Lower the forks! Is it off? Walk away.", 4],
    ["decimals and versions", "Set 2.5 bar. Use version 3.2.1 of the form.", 2],
    ["a sentence that ends with a number", "Torque to 25. Then lock it.", 2],
    ["abbreviations", "Wear PPE, e.g. Nitrile gloves, approx. 5 mm. See Dr. Weber.", 2],
    ["a small letter behind a full stop", "At 5 p.m. the gate closes.", 1],
    ["a time at the end", "The gate closes at 5 p.m. Leave before.", 2],
    ["No as a word and as a number", "No. Do not touch it. See no. 5.", 3],
    ["list numbers", "1. Close the valve. 2. Hang the tag.", 2],
    ["letters as list numbers", "A. Close the valve.\nB. Hang the tag.", 2],
    ["a letter that names something", "Close valve A. Then open valve B.", 2],
    ["list items without full stops", "You need:\n- gloves\n- a lock\n\nThen start.", 4],
    ["numbered lines without full stops", "Steps:\n1. Close the valve\n2. Hang the tag", 3],
    ["a wrapped line", "Close the main\nvalve first.", 1],
    ["headings", "# Lockout\nStop the pump.\n## Restart\nAsk first.", 4],
    ["ellipses", "Wait... Now go. Well… yes.", 3],
    ["quotes and brackets", 'He said "Stop!" (It was late.) Then we left.', 3],
    ["a quote in the middle", '"Stop!" he said.', 1],
    ["citation marks", "Wait two minutes.[1] Then check.", 2],
    ["addresses", "Write to help@example.com or see www.example.com/a. Then wait.", 2],
    ["Chinese and Japanese", "关闭阀门。等两分钟！好吗？", 3],
    ["Hindi and Arabic", "वाल्व बंद करो। रुको। أغلق الصمام؟ انتظر.", 4],
    ["nothing to say", "   ", 1],
  ])("knows %s", (_name, text, count) => {
    expect(split(text), JSON.stringify(split(text))).toHaveLength(count);
  });

  it("leaves out nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."aB1.!?…。 \n-#)[]\"'") }), (text) => {
        expect(splitSentences(text).join("")).toBe(text);
        expect(splitSentences(text)).not.toContain("");
      }),
    );
  });
});

describe("findSentenceEnd", () => {
  it("waits for what decides", () => {
    expect(findSentenceEnd("Set 2.", 0, false)).toEqual({ type: "more" });
    expect(findSentenceEnd("Set 2.5 bar. ", 0, false)).toEqual({ type: "more" });
    expect(findSentenceEnd("Set 2.5 bar. T", 0, false)).toEqual({ type: "end", index: 13 });
    expect(findSentenceEnd("Gloves\n", 0, false)).toEqual({ type: "more" });
    expect(findSentenceEnd("Gloves\n- a", 0, false)).toEqual({ type: "end", index: 7 });
  });
});
