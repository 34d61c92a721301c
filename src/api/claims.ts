/** Whom a request speaks for: what it claims, within what its API key allows. */
import type { User } from "../domain/user.js";
import type { Caller } from "./api-keys.js";
import { Rejection } from "./rejection.js";

export interface Claims {
  readonly network?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly groups?: readonly string[] | null | undefined;
  readonly features?: readonly string[] | null | undefined;
  readonly mode?: string | null | undefined;
}

/** Whom a request speaks for that names nobody, at doors whose protocol has no word for it. */
export interface DefaultUser {
  readonly network: string;
  readonly username: string;
}

/** Everything by which it is decided what may be read, and how it is said. */
export interface Identity {
  readonly user: User;
  readonly groups: readonly string[];
  readonly features: readonly string[];
  readonly mode?: string;
}

/**
 * What a key binds need not be claimed, and cannot be claimed otherwise; a key of several networks, or of none, leaves
 * the choice to the request. Throws `Rejection`.
 */
export function identityOf(caller: Caller, claims: Claims, otherwise?: DefaultUser): Identity {
  const mode = modeOf(caller, claims);
  return {
    user: { network: networkOf(caller, claims, otherwise), username: usernameOf(caller, claims, otherwise) },
    groups: groupsOf(caller, claims),
    features: featuresOf(caller, claims),
    ...(mode === "" ? {} : { mode }),
  };
}

/** The network that is meant, as far as the key allows it. Throws `Rejection`. */
export function networkOf({ networks }: Caller, { network }: Claims, otherwise?: DefaultUser): string {
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

/** Fewer of them would read more, and so would others: a key's features are taken whole. */
function featuresOf(caller: Caller, { features }: Claims): readonly string[] {
  if (caller.features === undefined || features == null) return caller.features ?? features ?? [];
  const [bound, claimed] = [new Set(caller.features), new Set(features)];
  const same = bound.size === claimed.size && [...bound].every((feature) => claimed.has(feature));
  if (!same) throw notAllowed("features");
  return caller.features;
}

/** Empty: none. */
function modeOf(caller: Caller, { mode }: Claims): string {
  if (caller.mode !== undefined && mode != null && mode !== caller.mode) throw notAllowed("mode");
  return caller.mode ?? mode ?? "";
}

function missing(field: string, what: string): Rejection {
  return new Rejection("missing_parameter", `"${field}" is missing: expected ${what}.`, field);
}

/** Does not say what would be allowed. */
function notAllowed(field: string): Rejection {
  return new Rejection("forbidden", `This API key is not for the "${field}" that was asked for.`, field);
}
