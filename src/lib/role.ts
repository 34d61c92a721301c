/** What the holder of an API key may do: ask; consent to operations and see what was done; change what is known; look after it all. */
export const ROLES = ["ask", "approve", "author", "admin"] as const;
export type Role = (typeof ROLES)[number];
