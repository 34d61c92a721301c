/** The access rule's verdicts in words, for operators. */
import type { DocumentAccess } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import type { AccessDecision } from "../retrieval/access.js";

/** Who somebody is: "maria (groups: packing; kiosk)". */
export function describeReader({ username, groups, kiosk }: Access): string {
  const parts = [
    ...(groups.length === 0 ? [] : [`groups: ${groups.join(", ")}`]),
    ...(kiosk ? ["kiosk"] : []),
  ];
  return parts.length === 0 ? `${username} (no groups)` : `${username} (${parts.join("; ")})`;
}

/** Who may read a document: "everybody in acme but kiosks", "users ann; groups managers". */
export function describeAccess({ network, visibility, allowedUsers, allowedGroups }: DocumentAccess): string {
  const grants = [
    ...(allowedUsers.length === 0 ? [] : [`users ${allowedUsers.join(", ")}`]),
    ...(allowedGroups.length === 0 ? [] : [`groups ${allowedGroups.join(", ")}`]),
  ].join("; ");
  if (visibility === "restricted") return grants === "" ? "restricted to nobody" : `restricted to ${grants}`;
  return grants === ""
    ? `everybody in ${network} but kiosks`
    : `everybody in ${network}; kiosks only as ${grants}`;
}

/** Why somebody may or may not read a document. */
export function describeDecision(
  decision: AccessDecision,
  access: Access,
  document?: DocumentAccess,
): string {
  switch (decision.reason) {
    case "visible_to_network":
      return `readable: it is open to everybody in ${access.network}`;
    case "named_user":
      return `readable: it names the user ${access.username}`;
    case "in_group":
      return `readable: it names the group ${decision.group}`;
    case "other_network":
      return `not readable: it belongs to another network than ${access.network}`;
    case "kiosk_without_grant":
      return "not readable: a kiosk reads only what names its user or one of its groups";
    case "restricted_to_nobody":
      return "not readable: it is restricted and names nobody";
    case "restricted_to_others": {
      const to = document === undefined ? "" : ` (${describeAccess(document)})`;
      return `not readable: it is restricted and names neither the user nor one of the groups${to}`;
    }
  }
}
