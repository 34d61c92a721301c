import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentAccess } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import { accessDecision, accessFingerprint, mayRead } from "./access.js";
import { naivelyReadable } from "./conformance-access.test-util.js";

const ann: Access = { network: "plant", username: "ann", groups: ["crew"], kiosk: false };
const open: DocumentAccess = { network: "plant", visibility: "network", allowedUsers: [], allowedGroups: [] };

describe("mayRead", () => {
  it.each<[string, Partial<Access>, Partial<DocumentAccess>, boolean]>([
    ["open document, own network", {}, {}, true],
    ["open document, other network", { network: "shop" }, {}, false],
    ["network that differs in case", { network: "Plant" }, {}, false],
    ["grant does not cross networks", { network: "shop" }, { allowedUsers: ["ann"] }, false],
    ["restricted, empty lists: nobody", {}, { visibility: "restricted" }, false],
    ["restricted, user granted", {}, { visibility: "restricted", allowedUsers: ["bob", "ann"] }, true],
    ["restricted, group granted", {}, { visibility: "restricted", allowedGroups: ["crew"] }, true],
    ["restricted, others granted", {}, { visibility: "restricted", allowedUsers: ["bob"] }, false],
    ["user's name is no group", {}, { visibility: "restricted", allowedGroups: ["ann"] }, false],
    ["group's name is no user", {}, { visibility: "restricted", allowedUsers: ["crew"] }, false],
    ["name in other case", {}, { visibility: "restricted", allowedUsers: ["Ann"] }, false],
    ["diacritics count", { username: "josé" }, { visibility: "restricted", allowedUsers: ["jose"] }, false],
    ["composition counts", { username: "é" }, { visibility: "restricted", allowedUsers: ["e\u0301"] }, false],
    ["explicit visibility beats lists", {}, { allowedUsers: ["bob"] }, true],
    ["kiosk, open document", { kiosk: true }, {}, false],
    ["kiosk, granted user", { kiosk: true }, { allowedUsers: ["ann"] }, true],
    ["kiosk, granted group", { kiosk: true }, { allowedGroups: ["crew"] }, true],
    [
      "kiosk, restricted and granted",
      { kiosk: true },
      { visibility: "restricted", allowedGroups: ["crew"] },
      true,
    ],
    ["kiosk, others granted", { kiosk: true }, { allowedUsers: ["bob"] }, false],
  ])("%s", (_name, access, document, expected) => {
    expect(mayRead({ ...ann, ...access }, { ...open, ...document })).toBe(expected);
  });
});

describe("accessFingerprint", () => {
  it("does not depend on order or repetition of groups", () => {
    const one = accessFingerprint({ ...ann, groups: ["a", "b", "a"] });
    expect(accessFingerprint({ ...ann, groups: ["b", "a"] })).toBe(one);
    expect(one).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each<[string, Partial<Access>]>([
    ["network", { network: "shop" }],
    ["user", { username: "Ann" }],
    ["groups", { groups: ["crew", "leads"] }],
    ["joined groups", { groups: ["crew\u0000leads"] }],
    ["kiosk", { kiosk: true }],
  ])("changes with the %s", (_name, change) => {
    expect(accessFingerprint({ ...ann, ...change })).not.toBe(accessFingerprint(ann));
  });
});

describe("the rule, of any reader and document", () => {
  const names = fc.constantFrom(
    "ann",
    "Ann",
    "crew",
    "Crew",
    "josé",
    "jose\u0301",
    "",
    " ",
    "*",
    "__proto__",
  );
  const lists = fc.uniqueArray(names, { maxLength: 4 });
  const networks = fc.constantFrom("plant", "Plant", "shop", "");
  const readers = fc.record({ network: networks, username: names, groups: lists, kiosk: fc.boolean() });
  const documents = fc.record({
    network: networks,
    visibility: fc.constantFrom("network" as const, "restricted" as const),
    allowedUsers: lists,
    allowedGroups: lists,
  });

  it("is the naive one", () => {
    fc.assert(
      fc.property(readers, documents, (who, what) => {
        expect(mayRead(who, what)).toBe(naivelyReadable(who, what));
      }),
      { numRuns: 2_000 },
    );
  });

  it("gives a reason that is true", () => {
    fc.assert(
      fc.property(readers, documents, (who, what) => {
        const decision = accessDecision(who, what);
        const named = what.allowedUsers.includes(who.username);
        const group = who.groups.find((one) => what.allowedGroups.includes(one));
        const grants = [...what.allowedUsers, ...what.allowedGroups];
        expect(decision.readable).toBe(mayRead(who, what));
        expect(TRUE_REASONS[decision.reason]({ who, what, named, group, grants })).toBe(true);
        if (decision.reason === "in_group") expect(what.allowedGroups).toContain(decision.group);
      }),
      { numRuns: 2_000 },
    );
  });

  it("grants more, never less, with a grant, a group or a wider visibility more", () => {
    fc.assert(
      fc.property(readers, documents, names, (who, what, more) => {
        const wider = [
          mayRead(who, { ...what, visibility: "network" }),
          mayRead(who, { ...what, allowedUsers: [...what.allowedUsers, more] }),
          mayRead(who, { ...what, allowedGroups: [...what.allowedGroups, more] }),
          mayRead({ ...who, groups: [...who.groups, more] }, what),
          mayRead({ ...who, kiosk: false }, what),
        ];
        if (mayRead(who, what)) expect(wider).toEqual(wider.map(() => true));
      }),
      { numRuns: 2_000 },
    );
  });

  it("decides alike for readers with one fingerprint", () => {
    const pools = fc.tuple(readers, fc.shuffledSubarray(["crew", "Crew", "*"]), fc.boolean());
    fc.assert(
      fc.property(pools, documents, ([who, groups, again], what) => {
        const one = { ...who, groups };
        const other = { ...who, groups: [...(again ? groups : []), ...[...groups].reverse()] };
        expect(accessFingerprint(other)).toBe(accessFingerprint(one));
        expect(mayRead(other, what)).toBe(mayRead(one, what));
      }),
    );
  });

  it("is told apart by the fingerprint wherever it could decide otherwise", () => {
    fc.assert(
      fc.property(readers, readers, documents, (one, other, what) => {
        if (mayRead(one, what) !== mayRead(other, what))
          expect(accessFingerprint(one)).not.toBe(accessFingerprint(other));
      }),
      { numRuns: 2_000 },
    );
  });
});

interface Case {
  readonly who: Access;
  readonly what: DocumentAccess;
  readonly named: boolean;
  readonly group: string | undefined;
  readonly grants: readonly string[];
}

/** When each reason is true. */
const TRUE_REASONS: Record<ReturnType<typeof accessDecision>["reason"], (of: Case) => boolean> = {
  other_network: ({ who, what }) => who.network !== what.network,
  visible_to_network: ({ who, what }) => what.visibility === "network" && !who.kiosk,
  named_user: ({ named }) => named,
  in_group: ({ group }) => group !== undefined,
  kiosk_without_grant: ({ who, what, named, group }) =>
    who.kiosk && what.visibility === "network" && !named && group === undefined,
  restricted_to_others: ({ what, named, group, grants }) =>
    what.visibility === "restricted" && !named && group === undefined && grants.length > 0,
  restricted_to_nobody: ({ what, grants }) => what.visibility === "restricted" && grants.length === 0,
};
