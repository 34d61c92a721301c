import { describe, expect, it } from "vitest";
import { describeDocument } from "./front-matter.js";
import type { ManifestEntry } from "./manifest-entry.js";

/** A document with this front matter, and nothing else that may be about access. */
const saying = (frontMatter: string | undefined) => ({
  notes: [],
  ...(frontMatter === undefined ? {} : { frontMatter }),
});
const describing = (yaml: string, defaultVisibility: "network" | "restricted" = "network") =>
  describeDocument(saying(yaml), undefined, defaultVisibility);
const access = (yaml: string, defaultVisibility: "network" | "restricted" = "network") =>
  describing(yaml, defaultVisibility).access;
const lists = (allowedUsers: string[], allowedGroups: string[] = []) => ({ allowedUsers, allowedGroups });

describe("front matter", () => {
  it("says what the document is", () => {
    expect(describing("title: Lockout\nrevision: 2026-03\nvisibility: network")).toMatchObject({
      title: "Lockout",
      revision: "2026-03",
      usesDefaultVisibility: false,
      warnings: [],
    });
  });

  it("may be missing or empty", () => {
    for (const yaml of [undefined, "", "\n", "# nothing"]) {
      expect(describeDocument(saying(yaml), undefined, "network")).toEqual({
        title: undefined,
        revision: undefined,
        access: { visibility: "network", ...lists([]) },
        usesDefaultVisibility: true,
        warnings: [],
        doubts: [],
      });
    }
  });

  it("keeps values as they were written", () => {
    expect(describing("revision: 1.10").revision).toBe("1.10");
    expect(access("allowed_users: [0123, yes, 'a b']")).toMatchObject(lists(["0123", "yes", "a b"]));
  });

  it("warns of unknown keys", () => {
    expect(describing("owner: ann\ntopic: pay").warnings).toEqual([
      'unknown front matter "owner" is ignored',
      'unknown front matter "topic" is ignored',
    ]);
  });

  it("is in doubt with keys that look like those about access, and nobody may read it then", () => {
    const { access, warnings, doubts, usesDefaultVisibility } = describing(
      "title: A\nvisability: restricted",
    );
    expect({ access, warnings, usesDefaultVisibility }).toEqual({
      access: { visibility: "restricted", ...lists([]) },
      warnings: [],
      usesDefaultVisibility: false,
    });
    expect(doubts).toEqual([
      'line 3: "visability" looks like a word on who may read it, and is not understood',
    ]);
  });
});

describe("access", () => {
  it.each<["network" | "restricted"]>([["network"], ["restricted"]])(
    "is the default %s when nothing is said",
    (given) => {
      expect(access("title: A", given)).toEqual({ visibility: given, ...lists([]) });
      expect(describing("title: A", given).usesDefaultVisibility).toBe(true);
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
    expect(describing("allowed_users: []").warnings).toEqual([expect.stringContaining("nobody may read it")]);
    expect(describing("allowed_users: [ann]").warnings).toEqual([]);
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
    ["title: a\ntitle: b", /line 3: the front matter is not YAML: .*unique/],
    ["allowed_users: [ann", /not YAML/],
    ["just text", /`key: value` lines/],
    ["- a", /`key: value` lines/],
    [`title: ${"x".repeat(70_000)}`, /longer than/],
  ])("is named: %j", (yaml, message) => {
    expect(() => describing(yaml)).toThrow(message);
    expect(() => describing(yaml)).toThrow(expect.objectContaining({ name: "DocumentProblem" }));
  });
});

describe("front matter and manifest", () => {
  const both = (yaml: string | undefined, manifest: ManifestEntry) =>
    describeDocument(saying(yaml), manifest, "network").access;

  it.each<[string | undefined, ManifestEntry, object]>([
    // The manifest alone.
    [undefined, {}, { visibility: "network", ...lists([]) }],
    [undefined, { visibility: "restricted" }, { visibility: "restricted", ...lists([]) }],
    [undefined, { allowedUsers: ["ann"] }, { visibility: "restricted", ...lists(["ann"]) }],
    [undefined, { allowedGroups: [] }, { visibility: "restricted", ...lists([]) }],
    ["title: A", { visibility: "network", allowedUsers: ["k"] }, { visibility: "network", ...lists(["k"]) }],
    // The stricter visibility counts.
    ["visibility: network", { visibility: "restricted" }, { visibility: "restricted", ...lists([]) }],
    ["visibility: restricted", { visibility: "network" }, { visibility: "restricted", ...lists([]) }],
    ["visibility: network", { allowedUsers: ["ann"] }, { visibility: "restricted", ...lists(["ann"]) }],
    ["allowed_users: [bob]", { visibility: "network" }, { visibility: "restricted", ...lists(["bob"]) }],
    // The front matter's lists, both at once, or else the manifest's.
    ["allowed_users: [bob]", { allowedUsers: ["ann"] }, { visibility: "restricted", ...lists(["bob"]) }],
    ["allowed_users: [bob]", { allowedGroups: ["all"] }, { visibility: "restricted", ...lists(["bob"]) }],
    ["allowed_users: []", { allowedUsers: ["ann"] }, { visibility: "restricted", ...lists([]) }],
    ["visibility: restricted", { allowedGroups: ["x"] }, { visibility: "restricted", ...lists([], ["x"]) }],
  ])("%j with %j", (yaml, manifest, expected) => {
    expect(both(yaml, manifest)).toEqual(expected);
  });

  it("count as nothing said when neither speaks of access", () => {
    const uses = (yaml: string | undefined, manifest: ManifestEntry) =>
      describeDocument(saying(yaml), manifest, "restricted").usesDefaultVisibility;
    expect(uses("title: A", { title: "B" })).toBe(true);
    expect(uses("title: A", { allowedUsers: [] })).toBe(false);
    expect(uses("visibility: network", {})).toBe(false);
    expect(both("title: A", { title: "B" }).visibility).toBe("network");
  });

  it("name the document, the front matter first", () => {
    const named = (yaml: string) => describeDocument(saying(yaml), { title: "M", revision: "1" }, "network");
    expect(named("title: F\nrevision: 2")).toMatchObject({ title: "F", revision: "2" });
    expect(named("title: F")).toMatchObject({ title: "F", revision: "1" });
    expect(named("")).toMatchObject({ title: "M", revision: "1" });
  });

  it("warn when nobody may read it", () => {
    expect(describeDocument(saying(undefined), { visibility: "restricted" }, "network").warnings).toEqual([
      expect.stringContaining("nobody may read it"),
    ]);
  });
});
