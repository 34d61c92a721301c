/** Addresses that strangers on the Internet cannot reach: this machine's own, and those of private networks. */
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { plainAddress } from "./peer-address.js";

/** Stands for this machine's first private address; in a container, the one that it has among containers. */
export const PRIVATE_HOST = "private";

/** RFC 1918, RFC 4193, and what stays on a link (RFC 3927, RFC 4291). */
export const PRIVATE_RANGES = [
  ["10.0.0.0", 8, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["::1", 128, "ipv6"],
] as const;

const nearby = new BlockList();
for (const [network, prefix, family] of PRIVATE_RANGES) nearby.addSubnet(network, prefix, family);

/** Whether `host` is a loopback or private address, or a name that stands for one. */
export function isNearby(host: string): boolean {
  if (host === PRIVATE_HOST || host.toLowerCase() === "localhost") return true;
  const family = isIP(host);
  return family !== 0 && nearby.check(host, family === 6 ? "ipv6" : "ipv4");
}

/** Whether `host` stands for every address of this machine. */
export function isWildcard(host: string): boolean {
  return ["0.0.0.0", "::", "0:0:0:0:0:0:0:0"].includes(host);
}

/** The address to bind for a configured host; loopback where a private one is asked for and there is none. */
export function boundHost(host: string): string {
  if (host !== PRIVATE_HOST) return host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const found = addresses.find(
    ({ address, family, internal }) => family === "IPv4" && !internal && isNearby(address),
  );
  return found?.address ?? "127.0.0.1";
}

/** Whether an address is of this machine: 127.0.0.0/8, ::1, and the former written as IPv6. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

/** Whether a setting's host is this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === "localhost" || isLoopback(host);
}
