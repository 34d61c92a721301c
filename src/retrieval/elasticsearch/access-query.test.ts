import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentAccess } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import { mayRead } from "../access.js";
import {
  type Grants,
  narrowest,
  type QueryClause,
  readableClauses,
  sameGrants,
  supersededClause,
  union,
} from "./access-query.js";

const NAMES = ["ann", "Ann", "josé", "jose", "b b", "*", ""];
const names = fc.array(fc.constantFrom(...NAMES), { maxLength: 3 });
const network = fc.constantFrom("n", "N", "m");
const grants: fc.Arbitrary<Grants> = fc.record({
  visibility: fc.constantFrom("network" as const, "restricted" as const),
  allowedUsers: names,
  allowedGroups: names,
});
const access: fc.Arbitrary<Access> = fc.record({
  network,
  username: fc.constantFrom(...NAMES),
  groups: names,
  kiosk: fc.boolean(),
});

describe("readableClauses", () => {
  it("lets through what the rule lets through, and nothing else", () => {
    fc.assert(
      fc.property(access, network, grants, (who, where, what) => {
        expect(passes(readableClauses(who), stored({ network: where, ...what }))).toBe(
          mayRead(who, { network: where, ...what }),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("fails closed where fields are missing", () => {
    const ann: Access = { network: "n", username: "ann", groups: ["crew"], kiosk: false };
    expect(passes(readableClauses(ann), {})).toBe(false);
    expect(passes(readableClauses(ann), { network: "n" })).toBe(false);
    expect(passes(readableClauses(ann), { network: "n", visibility: "everybody" })).toBe(false);
    expect(passes(readableClauses(ann), { visibility: "network" })).toBe(false);
    expect(passes(readableClauses(ann), { network: "n", allowed_users: ["ann"] })).toBe(true);
    expect(passes(readableClauses(ann), { network: "n", allowed_groups: ["crew"] })).toBe(true);
  });

  it("asks for no group of a reader who is in none", () => {
    expect(JSON.stringify(readableClauses({ network: "n", username: "ann", groups: [], kiosk: false }))).toBe(
      '[{"term":{"network":"n"}},{"bool":{"should":[{"term":{"allowed_users":"ann"}},' +
        '{"term":{"visibility":"network"}}],"minimum_should_match":1}}]',
    );
  });
});

describe("supersededClause", () => {
  it("holds for those who may read one of the newer revisions", () => {
    fc.assert(
      fc.property(access, fc.array(grants, { maxLength: 3 }), (who, newer) => {
        const { visibility, allowedUsers, allowedGroups } = union(newer);
        const chunk = {
          superseded_for_network: visibility === "network",
          superseded_for_users: allowedUsers,
          superseded_for_groups: allowedGroups,
        };
        const expected = newer.some((one) => mayRead(who, { network: who.network, ...one }));
        expect(passes([supersededClause(who)], chunk)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it("holds for nobody where the fields are missing", () => {
    expect(
      passes([supersededClause({ network: "n", username: "ann", groups: ["a"], kiosk: false })], {}),
    ).toBe(false);
  });
});

describe("grants", () => {
  it("are never wider in between than before or after", () => {
    fc.assert(
      fc.property(access, grants, grants, (who, before, after) => {
        const between = mayRead(who, { network: who.network, ...narrowest(before, after) });
        const both = [before, after].every((one) => mayRead(who, { network: who.network, ...one }));
        if (between) expect(both).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("compare whatever the order", () => {
    const one: Grants = { visibility: "restricted", allowedUsers: ["a", "b"], allowedGroups: [] };
    expect(sameGrants(one, { ...one, allowedUsers: ["b", "a", "b"] })).toBe(true);
    expect(sameGrants(one, { ...one, allowedUsers: ["a"] })).toBe(false);
    expect(sameGrants(one, { ...one, allowedGroups: ["a"] })).toBe(false);
    expect(sameGrants(one, { ...one, visibility: "network" })).toBe(false);
  });
});

function stored({ network, visibility, allowedUsers, allowedGroups }: DocumentAccess): StoredFields {
  return { network, visibility, allowed_users: allowedUsers, allowed_groups: allowedGroups };
}

type StoredFields = Readonly<Record<string, unknown>>;

/** The clauses evaluated as Elasticsearch does on keywords and booleans: some value of the field equals the term. */
function passes(clauses: readonly QueryClause[], document: StoredFields): boolean {
  return clauses.every((clause) => {
    if (clause.term !== undefined) {
      const [[field, value] = []] = Object.entries(clause.term);
      return valuesOf(document, field!).includes(value);
    }
    if (clause.terms !== undefined) {
      const [[field, values] = []] = Object.entries(clause.terms);
      return valuesOf(document, field!).some((value) => (values as unknown[]).includes(value));
    }
    const { should, minimum_should_match, ...rest } = clause.bool!;
    expect({ minimum_should_match, rest }).toEqual({ minimum_should_match: 1, rest: {} });
    return (should as QueryClause[]).some((one) => passes([one], document));
  });
}

function valuesOf(document: StoredFields, field: string): readonly unknown[] {
  const value = document[field];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
