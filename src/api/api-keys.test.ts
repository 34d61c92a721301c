import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ROLES } from "../lib/role.js";
import { ApiKeys, assertRole, hasRole, isBound, presentedKey } from "./api-keys.js";
import { Rejection } from "./rejection.js";

const NEIGHBOURS = { portIsPrivate: true, isOwnPeer: async () => true };
const near = {
  key: undefined,
  connection: { remoteAddress: "127.0.0.1", remotePort: 50_000, localPort: 8087 },
  host: "localhost:8087",
  forwarded: false,
};

async function refusal(admission: Promise<unknown>): Promise<string> {
  try {
    await admission;
  } catch (error) {
    if (error instanceof Rejection) return error.code;
    throw error;
  }
  return "let in";
}

describe("keys", () => {
  const keys = new ApiKeys(
    [
      { key: "first-key", name: "a" },
      { key: "second-key", networks: ["n"], groups: [] },
    ],
    NEIGHBOURS,
  );

  it("let in who holds one, wherever from, as what it is bound to", async () => {
    const connection = { remoteAddress: "10.0.0.7" };
    const far = { ...near, connection, forwarded: true, host: "api.example" };
    expect(await keys.admit({ ...far, key: "first-key" })).toEqual({ name: "a" });
    expect(await keys.admit({ ...far, key: "second-key" })).toEqual({ networks: ["n"], groups: [] });
  });

  it("let in nobody else, however near", async () => {
    expect(await refusal(keys.admit(near))).toBe("unauthorized");
    expect(await refusal(keys.admit({ ...near, key: "" }))).toBe("unauthorized");
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 40 }), async (key) => {
        fc.pre(key !== "first-key" && key !== "second-key");
        return (await refusal(keys.admit({ ...near, key }))) === "unauthorized";
      }),
    );
  });

  it("are never told back", async () => {
    const told = keys.admit({ ...near, key: "wrong-but-secret" });
    await expect(told).rejects.toThrow(/not known/);
    await expect(told).rejects.not.toThrow(/wrong-but-secret/);
  });

  it("are bound by anything that they say of the request", () => {
    expect(isBound({ name: "a" })).toBe(false);
    for (const bound of [
      { networks: ["n"] },
      { username: "u" },
      { groups: [] },
      { features: [] },
      { mode: "" },
    ])
      expect(isBound(bound), JSON.stringify(bound)).toBe(true);
  });

  it("where there are none, let in neighbours and ask for no key", async () => {
    const none = new ApiKeys([], NEIGHBOURS);
    expect(await none.admit(near)).toEqual({ unanswered: true, roles: ROLES });
    expect(await none.admit({ ...near, key: "any" })).toEqual({ unanswered: true, roles: ROLES });
    expect(await refusal(none.admit({ ...near, forwarded: true }))).toBe("forbidden");
  });
});

describe("roles", () => {
  it("are asking alone unless the key has others, and none implies another", () => {
    expect(ROLES.filter((role) => hasRole({}, role))).toEqual(["ask"]);
    expect(ROLES.filter((role) => hasRole({ roles: ["approve"] }, role))).toEqual(["approve"]);
    assertRole({ roles: ["approve"] }, "approve");
    expect(() => assertRole({ roles: ["approve", "admin"] }, "ask")).toThrow(/add "ask" to the roles/);
  });
});

describe("a key in headers", () => {
  it("is the bearer's, or else the plain one", () => {
    expect(presentedKey("Bearer abc", "def")).toBe("abc");
    expect(presentedKey("bearer   abc  ", undefined)).toBe("abc");
    expect(presentedKey("Basic abc", "def")).toBe("def");
    expect(presentedKey(undefined, undefined)).toBeUndefined();
    expect(presentedKey("Bearer ", undefined)).toBeUndefined();
  });
});
