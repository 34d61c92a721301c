/** Where a connection comes from, as limits count it. */
import { isIPv6 } from "node:net";

const MAPPED_PREFIX = "::ffff:";

/** Groups of an IPv6 address that name a network; whoever has that network has all its addresses. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/** An address without what depends on how it was reached: IPv4 that comes mapped to IPv6, the zone of a link. */
export function plainAddress(address: string): string {
  const mapped = address.toLowerCase().startsWith(MAPPED_PREFIX)
    ? address.slice(MAPPED_PREFIX.length)
    : address;
  return mapped.split("%")[0]!;
}

/** An IPv4 address as it is, also where it comes mapped to IPv6; of an IPv6 address its network (`/64`). */
export function peerAddress({
  remoteAddress = "unknown",
}: {
  readonly remoteAddress?: string | undefined;
}): string {
  const address = plainAddress(remoteAddress);
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  if (tail !== undefined) groups.push(...Array(GROUPS - groups.length - last.length).fill("0"), ...last);
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::/64`;
}
