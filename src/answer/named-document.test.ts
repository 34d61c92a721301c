import { describe, expect, it } from "vitest";
import type { DocumentOutline } from "../retrieval/port.js";
import { namedDocument } from "./named-document.js";

const access = { network: "n", visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
const TITLES = [
  ["alarm", "Cold room alarm"],
  ["ladder", "Ladder safety"],
  ["refund", "Refund policy of the shop"],
  ["opening", "Opening checklist of the shop"],
  ["lockout-3", "Lockout of press 3"],
  ["lockout-4", "Lockout of press 4"],
  ["escalier", "Sécurité des escaliers"],
] as const;
const DOCUMENTS: readonly DocumentOutline[] = TITLES.map(([documentId, title]) => {
  return { documentId, title, headings: [], access };
});

describe("the document that somebody names", () => {
  it.each([
    ["alarm", "alarm"],
    ["the cold room alarm, please", "alarm"],
    ["COLD-ROOM ALARM", "alarm"],
    ["cold room alarms", "alarm"],
    ["ladder safty", "ladder"],
    ["refunds", "refund"],
    ["the refund policy document", "refund"],
    ["opening checklist", "opening"],
    ["lockout of press 4", "lockout-4"],
    ["lockout press 3", "lockout-3"],
    ["securite escaliers", "escalier"],
    ["  Refund policy of the shop  ", "refund"],
  ])("%s", async (name, documentId) => {
    expect(await namedDocument(name, DOCUMENTS)).toMatchObject({ type: "found", document: { documentId } });
  });

  it("is asked back where several bear the name", async () => {
    const titles = ["Lockout of press 3", "Lockout of press 4"];
    expect(await namedDocument("lockout", DOCUMENTS)).toEqual({ type: "several", titles });
  });

  it.each(["", " ", "?", "the", "the document", "payroll", "cold fusion", "lockout of press 5"])(
    "is none for %j",
    async (name) => {
      expect(await namedDocument(name, DOCUMENTS)).toEqual({ type: "none" });
    },
  );

  it("is the one stored last where two bear one title", async () => {
    const twice = [{ ...DOCUMENTS[0]!, documentId: "newer" }, ...DOCUMENTS];
    expect(await namedDocument("cold room alarm", twice)).toMatchObject({
      document: { documentId: "newer" },
    });
    expect(await namedDocument("room alarm", twice)).toMatchObject({ document: { documentId: "newer" } });
  });
});
