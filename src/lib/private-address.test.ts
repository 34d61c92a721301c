import { isIP } from "node:net";
import { describe, expect, it } from "vitest";
import { boundHost, isNearby, PRIVATE_HOST } from "./private-address.js";

describe("an address for relays without tokens", () => {
  it.each([
    "127.0.0.1",
    "127.8.9.10",
    "localhost",
    "::1",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.7.7",
    "169.254.1.1",
    "fd00::1",
    "fe80::1",
    PRIVATE_HOST,
  ])("may be %s", (host) => expect(isNearby(host)).toBe(true));

  it.each([
    "0.0.0.0",
    "::",
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "192.169.0.1",
    "2001:db8::1",
    "::ffff:8.8.8.8",
    "example.org",
    "private.example.org",
    "",
  ])("may not be %s", (host) => expect(isNearby(host)).toBe(false));
});

describe("the private address of this machine", () => {
  it("is one that may be bound", () => {
    const host = boundHost(PRIVATE_HOST);
    expect(isIP(host)).toBe(4);
    expect(isNearby(host)).toBe(true);
  });

  it("is asked for by its name only", () => {
    expect(boundHost("10.0.0.9")).toBe("10.0.0.9");
  });
});
