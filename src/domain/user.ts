/** Who speaks: a user of a network (the tenant). Both names are compared byte by byte. */

export interface User {
  readonly network: string;
  readonly username: string;
}

/** Of an access, or of what else tells more than who it is. */
export function userOf({ network, username }: User): User {
  return { network, username };
}

/** One string for the pair, for maps. Names hold no control characters, so the separator is unambiguous. */
export function userKey(user: User): string {
  return `${user.network}\u0000${user.username}`;
}

export function sameUser(one: User, other: User): boolean {
  return userKey(one) === userKey(other);
}

/** What decides which documents may be read: the user, the groups claimed for this turn, and whether it is a kiosk. */
export interface Access extends User {
  readonly groups: readonly string[];
  /** A kiosk reads only what is explicitly granted to its user or groups. */
  readonly kiosk: boolean;
}
