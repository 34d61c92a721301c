import { describe, expect, it } from "vitest";
import { peerAddress } from "./peer-address.js";

describe("peerAddress", () => {
  it.each([
    ["127.0.0.2", "127.0.0.2"],
    ["::ffff:10.1.2.3", "10.1.2.3"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8::6", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    [undefined, "unknown"],
  ])("counts %s as %s", (remoteAddress, address) => {
    expect(peerAddress({ remoteAddress })).toBe(address);
  });
});
