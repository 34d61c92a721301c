/** Whom a request speaks for: what it claims, within what its API key allows. */
import type { User } from "../domain/user.js";
import type { Caller } from "./api-keys.js";
import { Rejection } from "./rejection.js";

export interface Claims {
  readonly network?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly groups?: readonly string[] | null | undefined;
}

/** Whom a request speaks for that names nobody, at doors whose protocol has no word for it. */
export interface DefaultUser {
  readonly network: string;
  readonly username: string;
}

export interface Identity {
  readonly user: User;
  readonly groups: readonly string[];
}

/**
 * What a key binds need not be claimed, and cannot be claimed otherwise; a key of several networks, or of none, leaves
 * the choice to the request. Throws `Rejection`.
 */
export function identityOf(caller: Caller, claims: Claims, otherwise?: DefaultUser): Identity {
  return {
    user: { network: networkOf(caller, claims, otherwise), username: usernameOf(caller, claims, otherwise) },
    groups: groupsOf(caller, claims),
  };
}

function networkOf({ networks }: Caller, { network }: Claims, otherwise?: DefaultUser): string {
  const only = networks?.length === 1 ? networks[0] : undefined;
  const fallback = networks === undefined ? otherwise?.network : undefined;
  const meant = network ?? only ?? fallback;
  if (meant === undefined) throw missing("network", "the user's network");
  if (networks !== undefined && !networks.includes(meant)) throw notAllowed("network");
  return meant;
}

function usernameOf(caller: Caller, { username }: Claims, otherwise?: DefaultUser): string {
  const meant = username ?? caller.username ?? otherwise?.username;
  if (meant === undefined) throw missing("username", "the user's name");
  if (caller.username !== undefined && meant !== caller.username) throw notAllowed("username");
  return meant;
}

function groupsOf(caller: Caller, { groups }: Claims): readonly string[] {
  if (caller.groups === undefined) return groups ?? [];
  const allowed = caller.groups;
  if (groups?.some((group) => !allowed.includes(group))) throw notAllowed("groups");
  return groups ?? allowed;
}

function missing(field: string, what: string): Rejection {
  return new Rejection("missing_parameter", `"${field}" is missing: expected ${what}.`, field);
}

/** Does not say what would be allowed. */
function notAllowed(field: string): Rejection {
  return new Rejection("forbidden", `This API key is not for the "${field}" that was asked for.`, field);
}
