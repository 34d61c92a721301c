/** Who may read what: the one rule, in one place. Every engine filters by it, and every hit passes it once more. */
import { createHash } from "node:crypto";
import type { DocumentAccess } from "../domain/passage.js";
import type { Access } from "../domain/user.js";

/** The rule's verdict on one document, with the reason that an operator is told. */
export type AccessDecision =
  | { readonly readable: true; readonly reason: "visible_to_network" | "named_user" }
  | { readonly readable: true; readonly reason: "in_group"; readonly group: string }
  | {
      readonly readable: false;
      readonly reason:
        | "other_network"
        | "kiosk_without_grant"
        | "restricted_to_others"
        | "restricted_to_nobody";
    };

/** Whether `access` may read a document; see `accessDecision`. */
export function mayRead(access: Access, document: DocumentAccess): boolean {
  return accessDecision(access, document).readable;
}

/**
 * The rule. Names are compared unit by unit, never folded. A kiosk needs an explicit grant, whatever the visibility;
 * everybody else needs one for a restricted document. Empty lists grant nothing.
 */
export function accessDecision(access: Access, document: DocumentAccess): AccessDecision {
  if (access.network !== document.network) return { readable: false, reason: "other_network" };
  if (document.visibility === "network" && !access.kiosk)
    return { readable: true, reason: "visible_to_network" };
  if (document.allowedUsers.includes(access.username)) return { readable: true, reason: "named_user" };
  const group = access.groups.find((name) => document.allowedGroups.includes(name));
  if (group !== undefined) return { readable: true, reason: "in_group", group };
  if (document.visibility === "network") return { readable: false, reason: "kiosk_without_grant" };
  const grants = document.allowedUsers.length + document.allowedGroups.length;
  return { readable: false, reason: grants === 0 ? "restricted_to_nobody" : "restricted_to_others" };
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
