import { describe, expect, it } from "vitest";
import { addressList, addressListSetting } from "./address-list.js";

const from = (remoteAddress: string | undefined, localAddress = "10.1.1.1") => ({
  remoteAddress,
  localAddress,
});

describe("a list of addresses", () => {
  it.each([
    [["10.0.0.7"], "10.0.0.7", true],
    [["10.0.0.7"], "10.0.0.8", false],
    [["10.0.0.0/8", "192.0.2.1"], "10.255.0.1", true],
    [["10.0.0.0/8", "192.0.2.1"], "192.0.2.1", true],
    [["10.0.0.0/8"], "11.0.0.1", false],
    [["0.0.0.0/0"], "8.8.8.8", true],
    [["10.0.0.0/8"], "::ffff:10.2.3.4", true],
    [["10.0.0.0/8"], "::FFFF:11.2.3.4", false],
    [["fd00::/8"], "fd12::1", true],
    [["fd00::/8"], "fe80::1%eth0", false],
    [["fe80::/10"], "fe80::1%eth0", true],
    [["private"], "172.20.0.5", true],
    [["private"], "fd12::1", true],
    [["private"], "172.32.0.5", false],
    [[], "8.8.8.8", true],
    [["10.0.0.7"], undefined, false],
  ])("%j and %s: %s", (entries, address, listed) => {
    expect(addressList(entries)(from(address))).toBe(listed);
  });

  it("always has this machine itself", () => {
    expect(addressList(["192.0.2.1"])(from("10.1.1.1"))).toBe(true);
    expect(addressList(["192.0.2.1"])(from("127.0.0.1", "127.0.0.1"))).toBe(true);
  });

  it.each([
    "10.0.0.0/33",
    "10.0.0",
    "::/129",
    "example.org",
    "10.0.0.0/",
    "",
    "fe80::1%eth0",
    "10.0.0.0/8/8",
  ])("is not made of %j", (entry) => {
    expect(addressListSetting.safeParse([entry]).success).toBe(false);
  });
});
