import { describe, expect, it } from "vitest";
import { splitFrontMatter } from "./front-matter.js";

const split = (yaml: string, defaultVisibility: "network" | "restricted" = "network") =>
  splitFrontMatter(`---\n${yaml}\n---\nBody.\n`, defaultVisibility);
const access = (yaml: string, defaultVisibility: "network" | "restricted" = "network") =>
  split(yaml, defaultVisibility).frontMatter.access;
const lists = (allowedUsers: string[], allowedGroups: string[] = []) => ({ allowedUsers, allowedGroups });

describe("front matter", () => {
  it("says what the document is", () => {
    const { frontMatter, body, warnings } = split("title: Lockout\nrevision: 2026-03\nvisibility: network");
    expect(frontMatter).toMatchObject({
      title: "Lockout",
      revision: "2026-03",
      usesDefaultVisibility: false,
    });
    expect(body).toBe("Body.\n");
    expect(warnings).toEqual([]);
  });

  it("may be missing, empty, or end with the file", () => {
    expect(splitFrontMatter("Body.\n---\nx", "network")).toMatchObject({ body: "Body.\n---\nx" });
    expect(splitFrontMatter("---\n---\nBody.", "network")).toMatchObject({ body: "Body." });
    expect(splitFrontMatter("---\r\ntitle: A\r\n---\r\nBody.", "network")).toMatchObject({
      frontMatter: { title: "A" },
      body: "Body.",
    });
    expect(splitFrontMatter("---\ntitle: A\n---", "network")).toMatchObject({ body: "" });
  });

  it("keeps values as they were written", () => {
    expect(split("revision: 1.10").frontMatter.revision).toBe("1.10");
    expect(access("allowed_users: [0123, yes, 'a b']")).toMatchObject(lists(["0123", "yes", "a b"]));
  });

  it("warns of unknown keys", () => {
    expect(split("owner: ann\nvisability: restricted").warnings).toEqual([
      'unknown front matter "owner" is ignored',
      'unknown front matter "visability" is ignored',
    ]);
  });
});

describe("access", () => {
  it.each<["network" | "restricted"]>([["network"], ["restricted"]])(
    "is the default %s when nothing is said",
    (given) => {
      expect(access("title: A", given)).toEqual({ visibility: given, ...lists([]) });
      expect(split("title: A", given).frontMatter.usesDefaultVisibility).toBe(true);
    },
  );

  it.each([
    ["visibility: network", { visibility: "network", ...lists([]) }],
    ["visibility: restricted", { visibility: "restricted", ...lists([]) }],
    ["allowed_users: []", { visibility: "restricted", ...lists([]) }],
    ["allowed_users:", { visibility: "restricted", ...lists([]) }],
    ["allowed_groups: []", { visibility: "restricted", ...lists([]) }],
    ["allowed_users: [ann]", { visibility: "restricted", ...lists(["ann"]) }],
    ["allowed_groups: [leads]", { visibility: "restricted", ...lists([], ["leads"]) }],
    ["visibility: network\nallowed_groups: [kiosks]", { visibility: "network", ...lists([], ["kiosks"]) }],
    ["visibility: network\nallowed_users: []", { visibility: "network", ...lists([]) }],
  ])("%j", (yaml, expected) => {
    expect(access(yaml)).toEqual(expected);
  });

  it("warns when nobody may read the document", () => {
    expect(split("allowed_users: []").warnings).toEqual([expect.stringContaining("nobody may read it")]);
    expect(split("allowed_users: [ann]").warnings).toEqual([]);
  });
});

describe("what is wrong", () => {
  it.each([
    ["visibility: public", /`visibility`/],
    ["visibility:", /`visibility`/],
    ["allowed_users: ann", /`allowed_users`/],
    ["allowed_users: [ann, [bob]]", /`allowed_users\.1`/],
    ["allowed_users: ['']", /`allowed_users\.0`: a name has 1 to 256 bytes/],
    ['allowed_groups: ["a\\tb"]', /control characters/],
    [`allowed_users: [${"ü".repeat(129)}]`, /256 bytes/],
    ["title: ''", /`title`/],
    ["title: [a]", /`title`/],
    ["title: a\ntitle: b", /not YAML: .*unique.*line 2/],
    ["allowed_users: [ann", /not YAML/],
    ["just text", /`key: value` lines/],
    ["- a", /`key: value` lines/],
    [`title: ${"x".repeat(70_000)}`, /longer than/],
  ])("is named: %j", (yaml, message) => {
    expect(() => split(yaml)).toThrow(message);
    expect(() => split(yaml)).toThrow(expect.objectContaining({ name: "DocumentProblem" }));
  });

  it("includes a block that is not closed", () => {
    expect(() => splitFrontMatter("---\nallowed_users: [ann]\n\nBody.", "network")).toThrow(/does not end/);
  });
});
