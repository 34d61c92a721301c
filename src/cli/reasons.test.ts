import { describe, expect, it } from "vitest";
import { accessDecision } from "../retrieval/access.js";
import { describeAccess, describeDecision, describeReader } from "./reasons.js";

const document = { network: "plant", visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
const ann = { network: "plant", username: "ann", groups: ["packing"], kiosk: false };

describe("in words", () => {
  it.each([
    [ann, "ann (groups: packing)"],
    [{ ...ann, groups: [], kiosk: true }, "ann (kiosk)"],
    [{ ...ann, groups: [] }, "ann (no groups)"],
  ])("a reader is told", (reader, words) => {
    expect(describeReader(reader)).toBe(words);
  });

  it.each([
    [document, "everybody in plant but kiosks"],
    [{ ...document, allowedGroups: ["shop"] }, "everybody in plant; kiosks only as groups shop"],
    [{ ...document, visibility: "restricted" }, "restricted to nobody"],
    [
      { ...document, visibility: "restricted", allowedUsers: ["a", "b"], allowedGroups: ["m"] },
      "restricted to users a, b; groups m",
    ],
  ] as const)("an access is told", (access, words) => {
    expect(describeAccess(access)).toBe(words);
  });

  it.each([
    [ann, document, /readable: it is open to everybody in plant/],
    [{ ...ann, kiosk: true }, document, /not readable: a kiosk reads only what names/],
    [ann, { ...document, network: "werk" }, /not readable: it belongs to another network/],
    [ann, { ...document, visibility: "restricted" }, /not readable: it is restricted and names nobody/],
    [
      ann,
      { ...document, visibility: "restricted", allowedGroups: ["managers"] },
      /not readable: .* neither the user nor one of the groups \(restricted to groups managers\)/,
    ],
    [ann, { ...document, visibility: "restricted", allowedGroups: ["packing"] }, /names the group packing/],
    [ann, { ...document, visibility: "restricted", allowedUsers: ["ann"] }, /names the user ann/],
  ] as const)("a decision is told", (access, what, words) => {
    expect(describeDecision(accessDecision(access, what), access, what)).toMatch(words);
  });
});
