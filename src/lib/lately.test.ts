/** What was made of the last texts is made once, and no more of it is kept than may be. */
import { expect, test, vi } from "vitest";
import { lately } from "./lately.js";

const begin = () => {
  const work = vi.fn((text: string) => ({ text }));
  return { work, of: lately(work, { textsMax: 2, charsMax: 5 }) };
};

test("a text is worked on once, and the same value is given again", () => {
  const { of, work } = begin();
  expect(of("pump")).toBe(of("pump"));
  expect(of("tank")).toEqual({ text: "tank" });
  expect(of("pump")).toEqual({ text: "pump" });
  expect(work).toHaveBeenCalledTimes(2);
});

test("with one more than may be kept all are forgotten, and what came last is known", () => {
  const { of, work } = begin();
  for (const text of ["a", "b", "c", "c", "a"]) of(text);
  expect(work.mock.calls.flat()).toEqual(["a", "b", "c", "a"]);
});

test("a longer text is worked on each time, and takes no other's place", () => {
  const { of, work } = begin();
  for (const text of ["a", "longer", "longer", "b", "a", "b"]) of(text);
  expect(work.mock.calls.flat()).toEqual(["a", "longer", "longer", "b"]);
});

test("what fails is not kept", () => {
  const work = vi.fn((text: string): string => {
    if (work.mock.calls.length === 1) throw new Error("not now");
    return text;
  });
  const of = lately(work, { textsMax: 2, charsMax: 5 });
  expect(() => of("a")).toThrow("not now");
  expect(of("a")).toBe("a");
});
