/**
 * Who may use the doors of the API, and as whom. With keys, whoever holds one; a key may be bound to networks, to a
 * user, to groups, to features and to a mode. Without any, only the user who runs the service: see `neighbour.ts`.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { ROLES, type Role } from "../lib/role.js";
import { assertNeighbour, type NeighbourDeps, type Visitor } from "./neighbour.js";
import { Rejection } from "./rejection.js";

/** One key of the settings, and what whoever presents it may claim to be. */
export interface ApiKey {
  readonly key: string;
  /** For logs: keys themselves are never shown. */
  readonly name?: string | undefined;
  /** Absent: any network. */
  readonly networks?: readonly string[] | undefined;
  /** The one user that this key asks as; absent: any. */
  readonly username?: string | undefined;
  /** The groups of this key's users; absent: whatever the request claims. */
  readonly groups?: readonly string[] | undefined;
  /** The features of every request, no others and no fewer; absent: whatever the request names. */
  readonly features?: readonly string[] | undefined;
  /** The mode of every request, and empty for none; absent: whatever the request names. */
  readonly mode?: string | undefined;
  /** Whether it may read the questions of its networks that were not answered. */
  readonly unanswered?: boolean | undefined;
  /** Absent: `ask` alone. None implies another. */
  readonly roles?: readonly Role[] | undefined;
}

/** What a request may claim: nothing is bound where no key is. */
export type Caller = Omit<ApiKey, "key">;

/** Whether a key's holder may not ask as anybody. */
export function isBound({ features, groups, mode, networks, username }: Caller): boolean {
  return [features, groups, mode, networks, username].some((bound) => bound !== undefined);
}

/** Whether a caller may do what needs `role`. */
export function hasRole({ roles = ["ask"] }: Caller, role: Role): boolean {
  return roles.includes(role);
}

/** Throws `Rejection`, which says what to change, where the caller has not this role. */
export function assertRole(caller: Caller, role: Role): void {
  if (hasRole(caller, role)) return;
  const remedy = `add "${role}" to the roles of this key in the settings`;
  throw new Rejection("forbidden", `This needs an API key with the role "${role}": ${remedy}.`);
}

const KEY_PRESENTED_CHARS_MAX = 1_024;

/** Who decides whether a visitor may come in, and as whom. Rejects with `Rejection` for who may not. */
export interface Doorkeeper<Admitted extends Caller = Caller> {
  admit(entry: Entry): Promise<Admitted>;
}

/** A visitor whose request has an end. */
export interface Entry extends Visitor {
  /** Calls `listener` once when the request is over. */
  readonly whenOver: (listener: () => void) => void;
}

export class ApiKeys implements Doorkeeper {
  readonly #ring: KeyRing<Caller>;

  /** `neighbours`: what decides without any key. */
  constructor(
    private readonly keys: readonly ApiKey[],
    private readonly neighbours: NeighbourDeps,
  ) {
    this.#ring = new KeyRing(keys.map(({ key, ...caller }) => [key, caller]));
  }

  async admit(visitor: Visitor): Promise<Caller> {
    if (this.keys.length === 0) {
      await assertNeighbour(visitor, this.neighbours);
      return { unanswered: true, roles: ROLES };
    }
    const { key } = visitor;
    if (key === undefined || key === "") {
      throw new Rejection("unauthorized", "An API key is needed: send it as Authorization: Bearer <key>.");
    }
    const caller = this.#ring.find(key);
    if (caller === undefined) throw new Rejection("unauthorized", "This API key is not known here.");
    return caller;
  }
}

/** Secrets, each with what it stands for. */
export class KeyRing<Held> {
  readonly #keys: readonly { readonly digest: Buffer; readonly held: Held }[];

  constructor(keys: readonly (readonly [secret: string, held: Held])[]) {
    this.#keys = keys.map(([secret, held]) => ({ digest: digestOf(secret), held }));
  }

  /** Compares with every key in constant time, so that the answer's time tells nothing of any. */
  find(presented: string): Held | undefined {
    if (presented.length > KEY_PRESENTED_CHARS_MAX) return undefined;
    const digest = digestOf(presented);
    let found: Held | undefined;
    for (const { digest: known, held } of this.#keys) {
      if (timingSafeEqual(known, digest)) found = held;
    }
    return found;
  }
}

/** The key in HTTP's headers, or in gRPC's metadata of the same names. */
export function presentedKey(
  authorization: string | undefined,
  apiKey: string | undefined,
): string | undefined {
  const [, bearer] = /^Bearer +([^ ](?:.*[^ ])?) *$/i.exec(authorization ?? "") ?? [];
  return bearer ?? apiKey;
}

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
