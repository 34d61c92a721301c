/** Who may read what: the one rule, in one place. Every engine filters by it, and every hit passes it once more. */
import { createHash } from "node:crypto";
import type { DocumentAccess } from "../domain/passage.js";
import type { Access } from "../domain/user.js";

/**
 * Whether `access` may read a document. Names are compared unit by unit, never folded. A kiosk needs an explicit
 * grant, whatever the visibility; everybody else needs one for a restricted document. Empty lists grant nothing.
 */
export function mayRead(access: Access, document: DocumentAccess): boolean {
  if (access.network !== document.network) return false;
  if (document.visibility === "network" && !access.kiosk) return true;
  return (
    document.allowedUsers.includes(access.username) ||
    access.groups.some((group) => document.allowedGroups.includes(group))
  );
}

/**
 * A name for everything that `mayRead` looks at, for the keys of caches: two accesses with one fingerprint read the
 * same documents. 32 hexadecimal digits; the names cannot be read back from it.
 */
export function accessFingerprint(access: Access): string {
  const groups = [...new Set(access.groups)].sort();
  const canonical = JSON.stringify([access.network, access.username, groups, access.kiosk]);
  return createHash("sha256").update(canonical).digest("hex").slice(0, 32);
}
