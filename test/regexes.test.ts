/**
 * Holds every regular expression of the code to linear time: literals, and those that are put together while the
 * program runs. A text of the attack's kind is told for each that fails. Record 32 says why it is done in this way.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { attackOn } from "./support/backtracking.js";
import { compileEverything } from "./support/compile-everything.js";
import { EXCEPTIONS } from "./support/regex-exceptions.js";
import { compiledDuring, type FoundPattern, patternsIn } from "./support/regexes.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { literals, sites } = patternsIn(ROOT, ["src", "protocol/src", "audio/src", "kiosk/src", "editor/src"]);

describe("regular expressions", async () => {
  // What another file of tests has loaded before compiles nothing any more.
  vi.resetModules();
  const compiled = await compiledDuring(ROOT, () => compileEverything(ROOT, sites));
  const attacked = new Map<string, readonly FoundPattern[]>();
  for (const [written, found] of bySource([...literals, ...compiled])) {
    const attack = attackOn(found[0]!);
    if (attack !== undefined) attacked.set(`${written} is slow with ${attack}`, found);
  }
  const isExcepted = ({ at, source }: FoundPattern) =>
    EXCEPTIONS.some(({ path, holds }) => at.startsWith(`${path}:`) && source.includes(holds));

  it("are found", () => {
    expect(literals.length).toBeGreaterThan(1_000);
    expect(compiled.length).toBeGreaterThan(200);
  });

  it("that are put together were all seen", () => {
    const seen = new Set(compiled.map(({ at }) => at));
    expect(sites.filter((site) => !seen.has(site))).toEqual([]);
  });

  it("take linear time", () => {
    const bad = [...attacked].flatMap(([told, found]) =>
      found.filter((pattern) => !isExcepted(pattern)).map(({ at }) => `${at}: ${told}`),
    );
    expect(bad).toEqual([]);
  });

  it.each(EXCEPTIONS)("still need the exception $path: $holds", ({ path, holds, why }) => {
    const needed = [...attacked.values()].flat();
    expect(needed.some(({ at, source }) => at.startsWith(`${path}:`) && source.includes(holds))).toBe(true);
    expect(why.length).toBeGreaterThan(0);
  });
});

function bySource(patterns: readonly FoundPattern[]): ReadonlyMap<string, readonly FoundPattern[]> {
  const found = new Map<string, FoundPattern[]>();
  for (const pattern of patterns) {
    const written = `/${pattern.source}/${pattern.flags}`;
    found.set(written, [...(found.get(written) ?? []), pattern]);
  }
  return found;
}

describe("the checker", () => {
  it.each([
    [/(a+)+$/, true],
    [/\s+$/, true],
    [/(?<!\s)\s+$/, false],
    [/^\s+/, false],
    [/^(?:a|b)*c/, false],
    [/<\w+[^>]*x/, true],
    [/<script>[\s\S]*<\/script>/, true],
    [/(?:ab)*(?:ab)*c/, true],
    [/(?:\S+ ?){1,6},/, true],
    [/"[^"]*"/, false],
    [/"[^\n]*x/, true],
    [/"[^\n]*x/y, false],
    [/[a-z]+-[a-z]+/y, false],
    [/a{0,40}b/, false],
    [/(["'])\w*?x*\1/, true],
    [/(?<=\d)\s*°/, false],
  ])("finds %s slow: %s", (pattern, isSlow) => {
    expect(attackOn(pattern) !== undefined).toBe(isSlow);
  });
});
