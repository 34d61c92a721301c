import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Access } from "../../domain/user.js";
import { mayRead } from "../access.js";
import { compareRevisions } from "../revision.js";
import { type FamilyMember, sameStanding, standings } from "./standing.js";
import { ALONE } from "./stored-chunks.js";

const names = fc.uniqueArray(fc.constantFrom("ann", "bob", "crew"), { maxLength: 2 });
const family: fc.Arbitrary<FamilyMember[]> = fc
  .array(
    fc.record(
      {
        revision: fc.constantFrom("1", "v1", "2", "2026-03", "March 2026", "draft"),
        access: fc.record({
          visibility: fc.constantFrom("network" as const, "restricted" as const),
          allowedUsers: names,
          allowedGroups: names,
        }),
      },
      { requiredKeys: ["access"] },
    ),
    { maxLength: 7 },
  )
  .map((members) => members.map((member, index) => ({ documentId: `d${index}`, ...member })));
const access: fc.Arbitrary<Access> = fc.record({
  network: fc.constant("n"),
  username: fc.constantFrom("ann", "bob", "zoe"),
  groups: names,
  kiosk: fc.boolean(),
});

describe("standings", () => {
  it("supersede a revision for exactly those who may read a newer one", () => {
    fc.assert(
      fc.property(family, access, (members, who) => {
        const found = standings(members);
        for (const { documentId, revision } of members) {
          const newer = members.filter(
            (other) =>
              revision !== undefined &&
              other.revision !== undefined &&
              compareRevisions(other.revision, revision) > 0,
          );
          const expected = newer.some((other) => mayRead(who, { network: "n", ...other.access }));
          const { supersededFor } = found.get(documentId)!;
          expect(mayRead(who, { network: "n", ...supersededFor })).toBe(expected);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("say whether there is an older one", () => {
    fc.assert(
      fc.property(family, (members) => {
        for (const [documentId, { hasOlderRevisions }] of standings(members)) {
          const { revision } = members.find((member) => member.documentId === documentId)!;
          const older = members.some(
            (other) =>
              revision !== undefined &&
              other.revision !== undefined &&
              compareRevisions(other.revision, revision) < 0,
          );
          expect(hasOlderRevisions).toBe(older);
        }
      }),
    );
  });

  it("compare by what they say", () => {
    const access = { visibility: "restricted", allowedUsers: ["ann"], allowedGroups: [] } as const;
    expect(sameStanding(ALONE, { ...ALONE })).toBe(true);
    expect(sameStanding(ALONE, { ...ALONE, hasOlderRevisions: true })).toBe(false);
    expect(sameStanding(ALONE, { ...ALONE, supersededFor: access })).toBe(false);
  });
});
