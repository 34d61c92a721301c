/** The tester of doubling, tested: it finds what is quadratic and lets pass what is linear. */
import { describe, expect, it } from "vitest";
import { lately } from "../../src/lib/lately.js";
import { doublingRatio, FAMILIES } from "./doubling.js";

const [family] = FAMILIES;

/** Enough that 16,000 characters take longer than what is quick enough. */
const TURNS_PER_CHAR = 4_000;

/** Attempts that have to agree: what is quadratic is not to pass by chance. */
const WITNESSES = 2;

describe("the families", () => {
  it("are forty, of the length asked for", () => {
    expect(FAMILIES).toHaveLength(40);
    for (const { text } of FAMILIES) expect(text(1_001)).toHaveLength(1_001);
  });
});

describe("the tester of doubling", () => {
  it("lets linear work pass", async () => {
    const count = (text: string) => [...text].filter((char) => char === "1").length;
    expect((await doublingRatio(count, family!, 64_000)).ratio).toBeLessThanOrEqual(2.5);
  });

  it("finds quadratic work", async () => {
    const pairs = (text: string) => {
      let same = 0;
      for (let i = 0; i < text.length; i++)
        for (let j = 0; j < text.length; j++) if (text[i] === text[j]) same++;
      return same;
    };
    expect((await doublingRatio(pairs, family!, 64_000, WITNESSES)).ratio).toBeGreaterThan(2.5);
  });

  it("lets linear work pass that remembers short texts and not long ones", async () => {
    const work = (text: string) => {
      let sum = 0;
      for (let turn = 0; turn < text.length * TURNS_PER_CHAR; turn++) sum = (sum * 31 + turn) | 0;
      return `${sum}`;
    };
    const slowly = lately(work, { textsMax: 64, charsMax: 4_000 });
    expect((await doublingRatio(slowly, family!, 16_000)).ratio).toBeLessThanOrEqual(2.5);
  });

  it("finds a quadratic regular expression", async () => {
    const slow = (text: string) => /(?:\d|\s)+z/.exec(text);
    expect((await doublingRatio(slow, family!, 64_000, WITNESSES)).ratio).toBeGreaterThan(2.5);
  });
});
