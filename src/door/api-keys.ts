/**
 * Who may use the doors of the API, and as whom. With keys, whoever holds one; a key may be bound to networks, to a
 * user and to groups. Without any, only this machine: what comes from elsewhere, or through a proxy, is turned away.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
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
}

/** What a request may claim: nothing is bound where no key is. */
export type Caller = Omit<ApiKey, "key">;

/** Whether a key's holder may not ask as anybody. */
export function isBound({ groups, networks, username }: Caller): boolean {
  return groups !== undefined || networks !== undefined || username !== undefined;
}

/** What a request shows of where it comes from. */
export interface Visitor {
  /** What follows `Bearer` in `authorization`, or the value of `x-api-key`. */
  readonly key: string | undefined;
  /** Address of the connection's other end. */
  readonly address: string | undefined;
  /** The host that the visitor meant to reach, as in HTTP's `Host`; absent where the protocol has none. */
  readonly host?: string | undefined;
  /** Whether a proxy says that it speaks for somebody else. */
  readonly forwarded?: boolean;
}

const KEY_PRESENTED_CHARS_MAX = 1_024;

/** Who decides whether a visitor may come in, and as whom. Throws `Rejection` for who may not. */
export interface Doorkeeper<Admitted extends Caller = Caller> {
  admit(visitor: Visitor): Admitted;
}

export class ApiKeys implements Doorkeeper {
  readonly #ring: KeyRing<Caller>;

  constructor(private readonly keys: readonly ApiKey[]) {
    this.#ring = new KeyRing(keys.map(({ key, ...caller }) => [key, caller]));
  }

  admit(visitor: Visitor): Caller {
    if (this.keys.length === 0) return admitNeighbour(visitor);
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

const NO_KEYS =
  "No API key is configured here, so only this machine may ask. Set http.api_keys to let others in.";

/**
 * A web page that a browser on this machine shows can reach this machine too, under a name of its own; that name is in
 * `Host`. So without keys only names that nobody else can own are answered.
 */
function admitNeighbour({ address, forwarded, host }: Visitor): Caller {
  const near = address !== undefined && isLoopback(address);
  if (!near || forwarded === true || (host !== undefined && !isLocalName(host))) {
    throw new Rejection("forbidden", NO_KEYS);
  }
  return {};
}

/** Whether an address is of this machine: 127.0.0.0/8, ::1, and the former written as IPv6. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

/** Whether a `Host` is an address, or `localhost`, with or without a port. */
function isLocalName(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return name.toLowerCase() === "localhost" || isIP(name) !== 0;
}

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
