/**
 * Which relays are believed, and in what: tokens of the settings and of a file that is looked at again while the service
 * runs, so that tokens are rotated without a restart. Without any token every relay is believed in everything, and the
 * port then binds a loopback or private address only (see relay-host.ts).
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { KeyRing } from "../api/api-keys.js";
import type { WrongKeys } from "../api/wrong-keys.js";
import { type RelayToken, relayTokensSchema } from "./options.js";

/** Of a token's digest, where it has no name. */
const DIGEST_DIGITS_SHOWN = 8;

/** What a relay may claim. */
export interface RelayRights {
  /** Tells one token from another; nothing of the token can be learnt from it. */
  readonly tokenDigest: string;
  /** For logs, and for the share of the service that the relay's connections have together. */
  readonly name: string;
  /** The networks that it may speak for; absent: any. */
  readonly networks?: readonly string[] | undefined;
  /** Whether the groups that it sends count. */
  readonly vouchesForGroups: boolean;
  /** Whether consent to what disrupts may come over it; absent, where no token is asked for: on this machine. */
  readonly mayConsent?: boolean;
}

/** The tokens of the file cannot be used; the message is for the operator. */
export class TokensUnusable extends Error {
  override readonly name = "TokensUnusable";
}

/** Where the tokens are. */
export interface RelayTokensOptions {
  readonly tokens: readonly RelayToken[];
  readonly tokensFile?: string | undefined;
}

const EVERYTHING: RelayRights = { tokenDigest: "", name: "", vouchesForGroups: true };

export class RelayTokens {
  #ring = new KeyRing<RelayRights>([]);
  #rights: readonly RelayRights[] = [];

  constructor(
    private options: RelayTokensOptions,
    private readonly wrongKeys: WrongKeys,
  ) {}

  /** Whether a relay has to show a token. */
  get needed(): boolean {
    return this.options.tokens.length > 0 || this.options.tokensFile !== undefined;
  }

  /** What a relay may claim that has shown no token; undefined: nothing. */
  get withoutToken(): RelayRights | undefined {
    return this.needed ? undefined : EVERYTHING;
  }

  /** Whether tokens from there are looked at now. */
  hears(address: string): boolean {
    return this.wrongKeys.waitMs(address) === 0;
  }

  /** What the holder of `token` may claim, found in constant time; undefined for an unknown one, and where none is looked at. */
  find(token: string, address: string): RelayRights | undefined {
    if (!this.hears(address)) return undefined;
    const rights = this.#ring.find(token);
    this.wrongKeys.note(address, rights !== undefined);
    return rights;
  }

  /** Whether a token still gives these rights. */
  stillGives(rights: RelayRights): boolean {
    return !this.needed || this.#rights.some((held) => isDeepStrictEqual(held, rights));
  }

  /** What relays may claim, in words for the operator. */
  describe(): string {
    if (!this.needed) return "any relay may name any network, user and groups: no token is asked for";
    const claims = this.#rights.map(({ mayConsent, name, networks, vouchesForGroups }) => {
      const named = networks === undefined ? "any network" : networks.join(", ");
      return `${name}: ${named}${vouchesForGroups ? ", with groups" : ""}${mayConsent ? ", with consent" : ""}`;
    });
    return `relays with a token may name users of its networks (${claims.join("; ") || "no token is there yet"})`;
  }

  /**
   * Reads the tokens: before the first time none is known. `tokens` take the place of those of the settings. Rejects with
   * `TokensUnusable`; then nothing changes.
   */
  async read(tokens = this.options.tokens): Promise<void> {
    const options = { ...this.options, tokens };
    this.#ring = this.#take(await relayTokens(options));
    this.options = options;
  }

  #take(tokens: readonly RelayToken[]): KeyRing<RelayRights> {
    const held = tokens.map(({ token, name, networks, consent, vouchForGroups: vouchesForGroups }) => {
      const tokenDigest = createHash("sha256").update(token).digest("hex");
      const shown = name ?? `token ${tokenDigest.slice(0, DIGEST_DIGITS_SHOWN)}`;
      return [token, { tokenDigest, name: shown, networks, vouchesForGroups, mayConsent: consent }] as const;
    });
    this.#rights = held.map(([, rights]) => rights);
    return new KeyRing(held);
  }
}

/** The tokens of the settings and of the file that they name. Rejects with `TokensUnusable`. */
export async function relayTokens({
  tokens,
  tokensFile,
}: RelayTokensOptions): Promise<readonly RelayToken[]> {
  return tokensFile === undefined ? tokens : [...tokens, ...(await readTokens(tokensFile))];
}

/** No error shows what the file holds. */
async function readTokens(path: string): Promise<readonly RelayToken[]> {
  const unusable = (problem: string) =>
    new TokensUnusable(
      `The relay tokens in ${path} cannot be used: ${problem}. ` +
        'Expected [{"token": "<secret>", "name": "<name>", "networks": ["<network>"], "vouch_for_groups": false, "consent": false}, …].',
    );
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw unusable(error instanceof SyntaxError ? "it is not JSON" : (error as Error).message);
  }
  const checked = relayTokensSchema.safeParse(value);
  if (!checked.success) {
    const { path: place, message } = checked.error.issues[0]!;
    throw unusable(`${place.map(String).join(" → ") || "the whole"}: ${message}`);
  }
  return checked.data.map(({ vouch_for_groups, ...rest }) => ({ ...rest, vouchForGroups: vouch_for_groups }));
}
