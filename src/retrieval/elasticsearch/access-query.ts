/**
 * The rule of `access.ts` as clauses of a query. Pure, and held to `mayRead` by a property test. It fails closed: a
 * document without the field `visibility`, or with another word in it, is readable only by those it names.
 */
import type { DocumentAccess } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import type { estypes } from "./client.js";

export type QueryClause = estypes.QueryDslQueryContainer;

/** What a document must fulfil for `access` to read it: clauses for `filter`. */
export function readableClauses(access: Access): QueryClause[] {
  return [
    networkClause(access.network),
    granted(access, {
      everybody: { term: { visibility: "network" } },
      users: "allowed_users",
      groups: "allowed_groups",
    }),
  ];
}

/** What holds of a chunk when `access` may read a newer revision of its document: a clause for `must_not`. */
export function supersededClause(access: Access): QueryClause {
  return granted(access, {
    everybody: { term: { superseded_for_network: true } },
    users: "superseded_for_users",
    groups: "superseded_for_groups",
  });
}

export function networkClause(network: string): QueryClause {
  return { term: { network } };
}

interface GrantFields {
  readonly everybody: QueryClause;
  readonly users: string;
  readonly groups: string;
}

/** Everybody but kiosks, the named users, the named groups. */
function granted({ username, groups, kiosk }: Access, fields: GrantFields): QueryClause {
  const should: QueryClause[] = [{ term: { [fields.users]: username } }];
  if (!kiosk) should.push(fields.everybody);
  if (groups.length > 0) should.push({ terms: { [fields.groups]: [...new Set(groups)] } });
  return { bool: { should, minimum_should_match: 1 } };
}

/** Who may read, without the network: of a document, or of all newer revisions of one together. */
export type Grants = Omit<DocumentAccess, "network">;

/** What nobody may read. */
export const NOBODY: Grants = { visibility: "restricted", allowedUsers: [], allowedGroups: [] };

/** Exactly those who may read one of them. */
export function union(grants: readonly Grants[]): Grants {
  return {
    visibility: grants.some(({ visibility }) => visibility === "network") ? "network" : "restricted",
    allowedUsers: [...new Set(grants.flatMap(({ allowedUsers }) => allowedUsers))],
    allowedGroups: [...new Set(grants.flatMap(({ allowedGroups }) => allowedGroups))],
  };
}

/**
 * Nobody but those who may read both; some of these may be left out (a user named here and in a group there). For the
 * time while a document changes from one to the other.
 */
export function narrowest(before: Grants, after: Grants): Grants {
  return {
    visibility: before.visibility === "network" && after.visibility === "network" ? "network" : "restricted",
    allowedUsers: before.allowedUsers.filter((name) => after.allowedUsers.includes(name)),
    allowedGroups: before.allowedGroups.filter((name) => after.allowedGroups.includes(name)),
  };
}

/** Whether they read alike, whatever the order of the names. */
export function sameGrants(a: Grants, b: Grants): boolean {
  return (
    a.visibility === b.visibility &&
    sameNames(a.allowedUsers, b.allowedUsers) &&
    sameNames(a.allowedGroups, b.allowedGroups)
  );
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  const names = new Set(a);
  return names.size === new Set(b).size && b.every((name) => names.has(name));
}
