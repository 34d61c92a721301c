import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SpokenUnit, wordsHeard } from "./heard.js";

const unit = (text: string, packets: number, more: Partial<SpokenUnit> = {}): SpokenUnit => ({
  text,
  firstPid: 0,
  packets,
  packetMs: 60,
  complete: true,
  ...more,
});

describe("wordsHeard", () => {
  it("counts in proportion to characters, rounded down to whole words", () => {
    const units = [unit("one two three four ", 19)];
    expect(wordsHeard(units, 0)).toBe("");
    expect(wordsHeard(units, 2)).toBe("");
    expect(wordsHeard(units, 3)).toBe("one");
    expect(wordsHeard(units, 6)).toBe("one");
    expect(wordsHeard(units, 7)).toBe("one two");
    expect(wordsHeard(units, 18)).toBe("one two three four");
    expect(wordsHeard(units, 19)).toBe("one two three four");
  });

  it("counts within each unit, and units before as a whole", () => {
    const units = [unit("First one. ", 5), unit("Second one here.", 16, { firstPid: 5 })];
    expect(wordsHeard(units, 5)).toBe("First one.");
    expect(wordsHeard(units, 5 + 8)).toBe("First one. Second");
    expect(wordsHeard(units, 21)).toBe("First one. Second one here.");
    expect(wordsHeard(units, 99)).toBe("First one. Second one here.");
  });

  it("takes the slowest voice for a unit whose length is not known yet", () => {
    // 20 characters of at most 100 ms: at most 2,000 ms, that is 34 packets.
    const units = [unit("one two three four..", 10, { complete: false })];
    expect(wordsHeard(units, 10)).toBe("one");
    expect(wordsHeard([unit("one two three four..", 40, { complete: false })], 39)).toBe("one two three");
  });

  it("claims no last word of a unit that is not complete", () => {
    expect(wordsHeard([unit("one two", 50, { complete: false })], 50)).toBe("one");
  });

  it("keeps letters together that are several code units", () => {
    const text = "Größe 𝟘𝟙𝟚 👩‍🔧 prüfen";
    for (let heard = 0; heard <= 100; heard++) {
      expect(["", "Größe", "Größe 𝟘𝟙𝟚", "Größe 𝟘𝟙𝟚 👩‍🔧", text]).toContain(
        wordsHeard([unit(text, 100)], heard),
      );
    }
  });

  it("is a beginning of the text that grows with the packets", () => {
    const units = fc.array(
      fc.record({ text: fc.string({ minLength: 1 }), packets: fc.integer({ min: 1, max: 30 }) }),
    );
    fc.assert(
      fc.property(units, fc.boolean(), (specs, complete) => {
        let firstPid = 0;
        const spoken = specs.map(({ text, packets }, i) => {
          const one = unit(text, packets, { firstPid, complete: complete || i < specs.length - 1 });
          firstPid += packets;
          return one;
        });
        const whole = specs.map(({ text }) => text).join("");
        let before = "";
        for (let heard = 0; heard <= firstPid; heard++) {
          const words = wordsHeard(spoken, heard);
          expect(whole.startsWith(words)).toBe(true);
          expect(words.length).toBeGreaterThanOrEqual(before.length);
          before = words;
        }
        if (complete) expect(before).toBe(whole.trimEnd());
      }),
    );
  });
});
