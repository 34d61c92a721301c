/** The fuzzer finds what was put there to be found, and says how to come back to it. */
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../src/lib/random.js";
import type { Seen } from "./coverage.js";
import { type Explored, explore, type Finding } from "./explore.js";
import type { Target } from "./target.js";

/** Six steps deep: by chance alone one input in many millions gets there. */
const WORD = "unless";

/** How many letters of `WORD` the input begins with. */
function depthOf(input: string): number {
  let depth = 0;
  while (depth < WORD.length && input[depth] === WORD[depth]) depth += 1;
  return depth;
}

/** A target with one branch inside the other, and a coverage that tells which of them ran. */
async function explored(
  check: (input: string) => void,
  runsMax: number,
): Promise<Explored & { findings: Finding[] }> {
  let depths = new Set<number>();
  const known = new Set<number>();
  const target: Target = {
    name: "nested",
    seeds: [],
    words: [...new Set(WORD)],
    charsMax: 20,
    check(input) {
      depths.add(depthOf(input));
      check(input);
    },
  };
  const findings: Finding[] = [];
  let nowMs = 0;
  const result = await explore(target, ["x"], runsMax, {
    clock: { now: () => nowMs, monotonic: () => nowMs, after: () => ({ cancel() {} }) },
    random: seededRandom(1),
    coverage: {
      look() {
        const seen: Seen = new Map([...depths].map((depth) => [String(depth), []]));
        depths = new Set();
        return seen;
      },
      isNew: (seen) => [...seen.keys()].some((depth) => !known.has(Number(depth))),
      learn(seen) {
        for (const depth of seen.keys()) known.add(Number(depth));
      },
    },
    onInput: () => {
      nowMs += 1;
    },
    onFinding: (finding) => findings.push(finding),
  });
  return { ...result, findings };
}

describe("exploring", () => {
  test("keeps what gets deeper, and so reaches what chance would not", async () => {
    const { findings, kept } = await explored((input) => {
      if (depthOf(input) === WORD.length) throw new Error("deep inside");
    }, 60_000);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ kind: "thrown", message: expect.stringContaining("deep inside") });
    expect(findings[0]!.input.startsWith(WORD)).toBe(true);
    expect(kept.map(depthOf).sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("finds nothing where nothing is", async () => {
    expect((await explored(() => {}, 2_000)).findings).toEqual([]);
  });
});
