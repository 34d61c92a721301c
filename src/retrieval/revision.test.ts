import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareRevisions, titleKey } from "./revision.js";

describe("compareRevisions", () => {
  it.each([
    ["3", "4"],
    ["9", "10"],
    ["4.9", "4.10"],
    ["v2", "V10"],
    ["Rev. 3", "rev 4"],
    ["Revision A", "Revision B"],
    ["4", "4a"],
    ["draft", "1"],
    ["2025-11", "2026-03"],
    ["2026-03", "2026-03-14"],
    ["2026-3-9", "2026-03-14"],
    ["December 2025", "March 2026"],
    ["14 March 2026", "April 2, 2026"],
    ["2025-12", "January 2026"],
    ["03/2026", "11/2026"],
    ["14.03.2026", "02.04.2026"],
    ["12/31/2025", "1/2/2026"],
  ])("%j is older than %j", (older, newer) => {
    expect(compareRevisions(older, newer)).toBeLessThan(0);
    expect(compareRevisions(newer, older)).toBeGreaterThan(0);
  });

  it.each([
    ["4", "Rev. 4"],
    ["4", " 04 "],
    ["2026-03", "March 2026"],
    ["2026-03-14", "14.03.2026"],
    ["3/14/2026", "14 Mar 2026"],
  ])("%j says the same as %j", (a, b) => {
    expect(compareRevisions(a, b)).toBe(0);
  });

  it("is an order for any strings", () => {
    const revision = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.stringMatching(/^(v|rev )?[0-9a-c./ -]{0,8}$/),
    );
    fc.assert(
      fc.property(revision, revision, revision, (a, b, c) => {
        expect(Math.sign(compareRevisions(a, b))).toBe(-Math.sign(compareRevisions(b, a)) + 0);
        if (compareRevisions(a, b) <= 0 && compareRevisions(b, c) <= 0) {
          expect(compareRevisions(a, c)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});

describe("titleKey", () => {
  it("sees through case, spacing and composition", () => {
    expect(titleKey("  Lockout\tand  Tagout ")).toBe(titleKey("lockout and tagout"));
    expect(titleKey("Cafe\u0301")).toBe(titleKey("Café"));
    expect(titleKey("Lockout")).not.toBe(titleKey("Lockout 2"));
  });
});
