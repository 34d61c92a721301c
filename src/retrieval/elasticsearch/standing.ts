/** What the revisions of one title make of each other. Pure; held to the rule by a property test. */
import { compareRevisions } from "../revision.js";
import { type Grants, sameGrants, union } from "./access-query.js";
import { ALONE, type Standing } from "./stored-chunks.js";

export interface FamilyMember {
  readonly documentId: string;
  readonly revision?: string;
  readonly access: Grants;
}

/**
 * For each document with a revision: who may read a newer one, and whether there is an older one. Equal revisions are
 * copies, of which neither replaces the other; a document without a revision stands alone.
 */
export function standings(members: readonly FamilyMember[]): ReadonlyMap<string, Standing> {
  const found = new Map<string, Standing>();
  const dated = members.filter(hasRevision).sort((a, b) => compareRevisions(b.revision, a.revision));
  for (const { documentId } of members) found.set(documentId, ALONE);
  const oldest = dated.at(-1)?.revision;
  let newer: Grants = ALONE.supersededFor;
  let same: Grants[] = [];
  dated.forEach(({ documentId, revision, access }, index) => {
    const previous = dated[index - 1];
    if (previous !== undefined && compareRevisions(previous.revision, revision) !== 0) {
      newer = union([newer, ...same]);
      same = [];
    }
    same.push(access);
    const hasOlderRevisions = oldest !== undefined && compareRevisions(revision, oldest) > 0;
    found.set(documentId, { supersededFor: newer, hasOlderRevisions });
  });
  return found;
}

export function sameStanding(a: Standing, b: Standing): boolean {
  return a.hasOlderRevisions === b.hasOlderRevisions && sameGrants(a.supersededFor, b.supersededFor);
}

function hasRevision<Member extends FamilyMember>(member: Member): member is Member & { revision: string } {
  return member.revision !== undefined;
}
