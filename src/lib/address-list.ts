/** Lists of addresses that may connect: single ones, networks such as `10.0.0.0/8`, and `private` for all private ones. */
import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { plainAddress } from "./peer-address.js";
import { PRIVATE_HOST, PRIVATE_RANGES } from "./private-address.js";

const entry = z.string().refine((text) => rangesOf(text).length > 0, {
  error: `expected an address, a network such as "10.0.0.0/8", or "${PRIVATE_HOST}"`,
});

/** A setting: which addresses may connect; empty: all. */
export const addressListSetting = z.array(entry).default([]);

type SocketEnds = Partial<Record<"localAddress" | "remoteAddress", string | undefined>>;

/** Whether the other end of a socket is on the list, or is this machine itself; everybody is on an empty list. */
export function addressList(entries: readonly string[]): (socket: SocketEnds) => boolean {
  const list = new BlockList();
  for (const range of entries.flatMap(rangesOf)) list.addSubnet(...range);
  return ({ localAddress, remoteAddress = "" }) => {
    const address = plainAddress(remoteAddress);
    const isOwn = remoteAddress !== "" && remoteAddress === localAddress;
    return entries.length === 0 || isOwn || (isIP(address) > 0 && list.check(address, familyOf(address)));
  };
}

type Range = readonly [network: string, prefix: number, family: "ipv4" | "ipv6"];

/** Empty for what is no entry of a list. */
function rangesOf(entry: string): readonly Range[] {
  if (entry === PRIVATE_HOST) return PRIVATE_RANGES;
  const [, network = "", prefix] = /^([\d.a-f:]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? [];
  const family = familyOf(network);
  const bitsMax = family === "ipv6" ? 128 : 32;
  const bits = Number(prefix ?? bitsMax);
  return isIP(network) > 0 && bits <= bitsMax ? [[network, bits, family]] : [];
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
