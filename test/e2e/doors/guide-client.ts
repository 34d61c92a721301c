/** Somebody at a session that builds a guide, over HTTP: with the keys of an author, of a second person, and of others. */
import { expect } from "vitest";
import type { World } from "../world.js";
import { address, post } from "./ask.js";

export const KEYS = {
  ann: { key: "ann-key-0123456789", networks: ["acme"], username: "ann", roles: ["ask", "author"] },
  eve: { key: "eve-key-0123456789", networks: ["acme"], username: "eve", roles: ["ask", "author"] },
  bob: { key: "bob-key-0123456789", networks: ["acme"], username: "bob", roles: ["ask", "approve"] },
  anybody: { key: "free-key-0123456789", roles: ["ask", "approve"] },
  asks: { key: "ask-key-0123456789", networks: ["acme"], username: "ann" },
} as const;
export type Who = keyof typeof KEYS;
export const ROOT = "/api/v1/guide_sessions";

export interface Body {
  readonly id: string;
  readonly version: number;
  readonly says: string;
  readonly status: string;
  readonly phase: string;
  readonly marked: readonly string[];
  readonly findings: readonly unknown[];
  readonly guide: { readonly steps: readonly { readonly id: string }[] };
  readonly error: { readonly message: string };
  readonly errors: readonly string[];
  readonly trail: readonly { readonly by: string; readonly what: string }[];
}

/** One session, and who sees it at which version. */
export class Client {
  body = {} as Body;
  status = 0;

  constructor(readonly world: World) {}

  async get(who: Who, path = ""): Promise<Body> {
    const headers = { "x-api-key": KEYS[who].key };
    const response = await fetch(address(this.world, path === "" ? `${ROOT}/${this.body.id}` : path), {
      headers,
    });
    this.status = response.status;
    return (await response.json()) as Body;
  }

  async begin(fields: object): Promise<Body> {
    return this.#sent("ann", ROOT, fields);
  }

  /** On the version that was seen last; the guide keeps its rules at each turn. */
  async send(who: Who, path: string, fields: object = {}): Promise<Body> {
    const sent = { version: this.body.version, ...fields };
    return this.#sent(who, `${ROOT}/${this.body.id}/${path}`, sent);
  }

  async say(text: string, fields: object = {}): Promise<string> {
    await this.send("ann", "messages", { text, ...fields });
    expect([this.status, this.body.findings], this.body.says).toEqual([200, []]);
    return this.body.says;
  }

  async #sent(who: Who, path: string, fields: object): Promise<Body> {
    const response = await post(this.world, path, fields, { headers: { "x-api-key": KEYS[who].key } });
    this.status = response.status;
    const body = (await response.json()) as Body;
    if (response.ok) this.body = body;
    return body;
  }
}

export const config = { "http.api_keys": Object.values(KEYS) };

/** Reviewed by its author, approved by somebody else, published, found, and begun. */
export async function published(client: Client, name: string): Promise<void> {
  const { review } = (await client.send("ann", "review")) as Body & {
    review: { blockers: readonly string[] };
  };
  expect(review.blockers).toEqual([]);
  expect((await client.send("ann", "approve")).error.message).toMatch(/"approve"/);
  expect(client.status).toBe(403);
  const claims = { network: "acme", username: "bob" };
  expect((await client.send("anybody", "approve", claims)).error.message).toMatch(
    /bind this key to a `username`/,
  );
  expect((await client.send("ann", "publish")).error.message).toMatch(/second person has to approve/);
  expect(client.status).toBe(409);
  expect(await client.get("bob", `${ROOT}?to_review=true`)).toMatchObject({ guide_sessions: [{ name }] });
  await client.send("bob", "approve");
  expect(client.body).toMatchObject({ status: "approved", approved_by: "bob" });
  await client.send("ann", "publish");
  expect(client.body).toMatchObject({ status: "published", published: { version: 1 } });
  expect(await client.get("asks", "/api/v1/guides")).toMatchObject({ guides: [{ name, version: 1 }] });
  expect((await client.send("ann", "undo")).error.message).toMatch(/its guide is published/);
}
