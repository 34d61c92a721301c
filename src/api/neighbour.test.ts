import { describe, expect, it } from "vitest";
import { isLoopback, isLoopbackHost } from "../lib/private-address.js";
import { assertNeighbour, type NeighbourDeps, type Visitor } from "./neighbour.js";
import { Rejection } from "./rejection.js";

const OWN: NeighbourDeps = { portIsPrivate: true, isOwnPeer: async () => true };
const connection = { remoteAddress: "127.0.0.1", remotePort: 50_000, localPort: 8087 };
const near: Visitor = { key: undefined, connection, host: "localhost:8087", forwarded: false };

async function isLetIn(visitor: Partial<Visitor>, deps: Partial<NeighbourDeps> = {}): Promise<boolean> {
  try {
    await assertNeighbour({ ...near, ...visitor }, { ...OWN, ...deps });
    return true;
  } catch (error) {
    if (error instanceof Rejection && error.code === "forbidden") return false;
    throw error;
  }
}

describe("a neighbour", () => {
  it("has a loopback address", async () => {
    const at = (remoteAddress?: string) => ({ connection: { ...connection, remoteAddress } });
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
      expect(await isLetIn(at(address)), address).toBe(true);
    for (const address of ["10.0.0.7", "::ffff:10.0.0.7", "fe80::1", "127.0.0.1.evil.example", "", undefined])
      expect(await isLetIn(at(address)), address).toBe(false);
    expect(await isLetIn({ connection: undefined })).toBe(false);
  });

  it("means this machine and this very port", async () => {
    for (const host of ["localhost:8087", "LOCALHOST:8087", "127.0.0.1:8087", "127.1.2.3:8087", "[::1]:8087"])
      expect(await isLetIn({ host }), host).toBe(true);
    const others = ["evil.example", "evil.example:8087", "localhost.evil.example:8087", "10.0.0.7:8087"];
    const ports = [
      "localhost",
      "localhost:8088",
      "127.0.0.1:80",
      "[::1]",
      "localhost:",
      "localhost:8087:8087",
    ];
    for (const host of [...others, ...ports, "", "[::2]:8087", undefined])
      expect(await isLetIn({ host }), host).toBe(false);
    const http = { connection: { ...connection, localPort: 80 } };
    expect(await isLetIn({ ...http, host: "localhost" })).toBe(true);
  });

  it("was passed on by no proxy, and asked by no page but our own", async () => {
    expect(await isLetIn({ forwarded: true })).toBe(false);
    expect(await isLetIn({ webOrigin: "http://localhost:8087" })).toBe(true);
    for (const webOrigin of [
      "null",
      "http://localhost:3000",
      "https://localhost:8087",
      "https://evil.example",
    ])
      expect(await isLetIn({ webOrigin }), webOrigin).toBe(false);
  });

  it("is the user who runs the service, as far as the system tells", async () => {
    expect(await isLetIn({}, { isOwnPeer: async () => false })).toBe(false);
    expect(await isLetIn({}, { isOwnPeer: async () => undefined })).toBe(true);
  });

  it("is nobody on a port that strangers reach, and nothing is looked up for strangers", async () => {
    const isOwnPeer = () => Promise.reject(new Error("looked up"));
    expect(await isLetIn({}, { portIsPrivate: false, isOwnPeer })).toBe(false);
    expect(await isLetIn({ forwarded: true }, { isOwnPeer })).toBe(false);
  });
});

describe("this machine's addresses", () => {
  it("are 127.0.0.0/8 and ::1, in each of their spellings", () => {
    for (const address of ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"])
      expect(isLoopback(address), address).toBe(true);
    for (const address of ["128.0.0.1", "12.7.0.0", "127.0.0", "127.0.0.1.2", "::2", "unknown"])
      expect(isLoopback(address), address).toBe(false);
  });

  it("may be written as localhost in settings", () => {
    expect(["localhost", "127.0.0.1", "::1"].map(isLoopbackHost)).toEqual([true, true, true]);
    expect(["0.0.0.0", "::", "10.0.0.7", "localhost.example"].map(isLoopbackHost)).toEqual(
      Array(4).fill(false),
    );
  });
});
