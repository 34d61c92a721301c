import { describe, expect, it } from "vitest";
import { parseFrontMatter } from "./front-matter.js";

describe("parseFrontMatter", () => {
  it("takes settings and text apart", () => {
    expect(parseFrontMatter("---\ntitle: Lockout\ntags: [a, b]\n---\n# Body\n---\nrest")).toEqual({
      data: { title: "Lockout", tags: ["a", "b"] },
      body: "# Body\n---\nrest",
    });
    expect(parseFrontMatter("\uFEFF---\r\ntitle: A\r\n---\r\nBody")).toEqual({
      data: { title: "A" },
      body: "Body",
    });
  });

  it("takes a text without settings as it is", () => {
    expect(parseFrontMatter("# Body\n---\n")).toEqual({ data: {}, body: "# Body\n---\n" });
    expect(parseFrontMatter("---\n---\nBody")).toEqual({ data: {}, body: "Body" });
  });

  it("says what is wrong", () => {
    expect(() => parseFrontMatter("---\ntitle: A\nBody")).toThrow("does not end");
    expect(() => parseFrontMatter("---\ntitle: [A\n---\nBody")).toThrow("is not YAML");
  });
});
