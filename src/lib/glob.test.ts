import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GLOB_CHARS_MAX, Glob, GlobError } from "./glob.js";

const CASES: readonly [pattern: string, matches: readonly string[], others: readonly string[]][] = [
  ["a.md", ["a.md"], ["A.md", "a.mdx", "b/a.md", "a_md", ""]],
  ["*.md", ["a.md", ".md", "a.b.md"], ["a/b.md", "a.mdx", "md"]],
  ["a/*", ["a/b", "a/"], ["a", "a/b/c", "b/a"]],
  ["*", ["a", ""], ["a/b"]],
  ["a*b*c", ["abc", "aXbYc", "abbc"], ["ab", "ac", "a/b/c"]],
  ["?.md", ["a.md", "🦺.md"], [".md", "ab.md", "/.md"]],
  ["**", ["a", "a/b/c", ""], []],
  ["**/a.md", ["a.md", "b/a.md", "b/c/a.md"], ["ba.md", "b/ca.md", "a.md/b"]],
  ["a/**", ["a/b", "a/b/c", "a/"], ["a", "ab/c", "b/a/c"]],
  ["a/**/b", ["a/b", "a/c/b", "a/c/d/b"], ["ab", "a/cb", "a/b/c"]],
  ["**/*.{md,txt}", ["a.md", "b/c.txt"], ["a.pdf", "a.mdtxt"]],
  ["{a,b/{c,d}}/*.md", ["a/x.md", "b/c/x.md", "b/d/x.md"], ["b/x.md", "c/x.md", "a/c/x.md"]],
  ["{a,**}/x", ["a/x", "b/c/x", "/x"], ["x"]],
  ["{,sub/}a.md", ["a.md", "sub/a.md"], ["/a.md"]],
  ["{a}", ["a"], ["{a}"]],
  ["\\*\\{a\\,b\\}\\\\", ["*{a,b}\\"], ["x{a,b}"]],
  ["a,b", ["a,b"], ["a", "b"]],
  ["[ab].md", ["[ab].md"], ["a.md"]],
  ["caf\u00e9.md", ["cafe\u0301.md", "café.md"], ["cafe.md"]],
  ["a.c+(d)|^$", ["a.c+(d)|^$"], ["abc+(d)|^$"]],
];

describe("Glob", () => {
  it.each(CASES)("%j", (pattern, matches, others) => {
    const glob = new Glob(pattern);
    expect(matches.filter((name) => !glob.matches(name))).toEqual([]);
    expect(others.filter((name) => glob.matches(name))).toEqual([]);
  });

  it.each(["", "{a", "a}", "a**", "**a", "a/**b/c", "a\\", "{a,{b}", "x".repeat(GLOB_CHARS_MAX + 1)])(
    "refuses %j",
    (pattern) => {
      expect(() => new Glob(pattern)).toThrow(GlobError);
    },
  );

  it("knows what needs no wildcards", () => {
    expect(new Glob("a/\\*.md")).toMatchObject({ isLiteral: true, literalPrefix: "a/*.md" });
    expect(new Glob("a/*.md")).toMatchObject({ isLiteral: false, literalPrefix: "a/" });
  });

  it("agrees with a pattern taken apart by hand", () => {
    const piece = fc.constantFrom("a", "b", "/", "*", "?", "**/");
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 6 }),
        (pieces, letters) => {
          const startsSegment = (index: number) => index === 0 || pieces[index - 1]!.endsWith("/");
          fc.pre(pieces.every((part, index) => part !== "**/" || startsSegment(index)));
          // Two stars in a row would be another pattern.
          fc.pre(pieces.every((part, index) => part !== "*" || !pieces[index + 1]?.startsWith("*")));
          const name = letters.join("");
          expect(new Glob(pieces.join("")).matches(name)).toBe(naiveMatch(pieces, name));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("takes no more than linear time on patterns that make others go back and forth", () => {
    const glob = new Glob(`${"{*a,*a}".repeat(60)}b`);
    const deep = new Glob(`${"**/*a*/".repeat(40)}b`);
    expect(glob.matches("a".repeat(5_000))).toBe(false);
    expect(deep.matches("aa/".repeat(1_500))).toBe(false);
  });
});

/** Tries everything. */
function naiveMatch(pieces: readonly string[], name: string): boolean {
  const [piece, ...rest] = pieces;
  if (piece === undefined) return name === "";
  if (piece === "**/") {
    const slash = name.indexOf("/");
    return naiveMatch(rest, name) || (slash > 0 && naiveMatch(pieces, name.slice(slash + 1)));
  }
  const takesOne = piece === "*" || piece === "?" ? name !== "" && name[0] !== "/" : name[0] === piece;
  if (piece === "*") return naiveMatch(rest, name) || (takesOne && naiveMatch(pieces, name.slice(1)));
  return takesOne && naiveMatch(rest, name.slice(1));
}
