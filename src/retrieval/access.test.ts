import { describe, expect, it } from "vitest";
import type { DocumentAccess } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import { accessFingerprint, mayRead } from "./access.js";

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
