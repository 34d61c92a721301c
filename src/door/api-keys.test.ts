import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiKeys, isLoopback, presentedKey } from "./api-keys.js";
import { Rejection } from "./rejection.js";

const near = { key: undefined, address: "127.0.0.1", host: "localhost:8087", forwarded: false };

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Rejection) return error.code;
    throw error;
  }
  return "let in";
}

describe("keys", () => {
  const keys = new ApiKeys([
    { key: "first-key", name: "a" },
    { key: "second-key", networks: ["n"], groups: [] },
  ]);

  it("let in who holds one, wherever from, as what it is bound to", () => {
    expect(keys.admit({ ...near, key: "first-key", address: "10.0.0.7", forwarded: true })).toEqual({
      name: "a",
    });
    expect(keys.admit({ ...near, key: "second-key", host: "api.example" })).toEqual({
      networks: ["n"],
      groups: [],
    });
  });

  it("let in nobody else, however near", () => {
    expect(refusal(() => keys.admit(near))).toBe("unauthorized");
    expect(refusal(() => keys.admit({ ...near, key: "" }))).toBe("unauthorized");
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (key) => {
        fc.pre(key !== "first-key" && key !== "second-key");
        return refusal(() => keys.admit({ ...near, key })) === "unauthorized";
      }),
    );
  });

  it("are never told back", () => {
    const told = () => keys.admit({ ...near, key: "wrong-but-secret" });
    expect(told).toThrow(/not known/);
    expect(told).not.toThrow(/wrong-but-secret/);
  });
});

describe("without keys", () => {
  const none = new ApiKeys([]);

  it("lets in this machine only", () => {
    expect(none.admit(near)).toEqual({});
    expect(none.admit({ key: "any", address: "::1" })).toEqual({});
    for (const address of ["10.0.0.7", "::ffff:10.0.0.7", "fe80::1", "127.0.0.1.evil.example", "", undefined])
      expect(
        refusal(() => none.admit({ ...near, address })),
        address,
      ).toBe("forbidden");
  });

  it("believes no proxy, and no name that somebody else could own", () => {
    expect(refusal(() => none.admit({ ...near, forwarded: true }))).toBe("forbidden");
    for (const host of ["evil.example", "localhost.evil.example", "", "evil.example:8087"])
      expect(
        refusal(() => none.admit({ ...near, host })),
        host,
      ).toBe("forbidden");
  });
});

describe("this machine's addresses", () => {
  it("are 127.0.0.0/8 and ::1, in each of their spellings", () => {
    for (const address of ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"])
      expect(isLoopback(address), address).toBe(true);
    for (const address of ["128.0.0.1", "12.7.0.0", "127.0.0", "127.0.0.1.2", "::2", "unknown"])
      expect(isLoopback(address), address).toBe(false);
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
