import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { revisionAskedFor } from "./superseded.js";

const asked = (question: string, supersedes: readonly string[], revision: string) =>
  revisionAskedFor(question, passage("p", "Text.", { supersedes, revision }));

describe("revisionAskedFor", () => {
  it.each([
    ["What does revision 2025-09 say about the press?", "2025-09"],
    ["What did the September 2025 revision say?", "2025-09"],
    ["what was in the september 2025 version", "2025-09"],
  ])("finds a date, written or said: %s", (question, old) => {
    expect(asked(question, ["2025-09", "2024-01"], "2026-03")).toBe(old);
  });

  it.each([
    ["What does revision 2 say?", "2"],
    ["According to rev. 2, how long?", "2"],
    ["What did version 1 say?", "1"],
    ["what was in Revision no. 1?", "1"],
  ])("finds a number that is called one: %s", (question, old) => {
    expect(asked(question, ["2", "1"], "3")).toBe(old);
  });

  it.each([
    ["How do I lock out press 2?", ["2"], "3"],
    ["What does revision 21 say?", ["2"], "3"],
    ["What does revision 3 say?", ["2"], "3"],
    ["What happened in September?", ["2025-09"], "2026-03"],
    ["What is new in revision 3 against revision 2?", ["2"], "3"],
    ["What does revision 1 say?", [], "3"],
  ] as const)("finds none in %s", (question, supersedes, revision) => {
    expect(asked(question, supersedes, revision)).toBeUndefined();
  });

  it("knows revisions by their names", () => {
    expect(asked("What did v1.2 allow?", ["v1.2"], "v1.3")).toBe("v1.2");
  });
});
