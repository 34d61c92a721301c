/** How a document's access is stored in the table `documents`. */
import type { DocumentAccess, Visibility } from "../../domain/passage.js";

export function encodeAccess({
  visibility,
  allowedUsers,
  allowedGroups,
}: Omit<DocumentAccess, "network">): string {
  return JSON.stringify([visibility, allowedUsers, allowedGroups]);
}

export function decodeAccess(network: string, stored: string): DocumentAccess {
  const [visibility, allowedUsers, allowedGroups] = JSON.parse(stored) as [Visibility, string[], string[]];
  return { network, visibility, allowedUsers, allowedGroups };
}
