/** Where relays connect to, as a command's option says it. */
import { InvalidArgumentError } from "commander";
import type { ListenAddress } from "../lib/listen.js";

const PORT_MAX = 65_535;

/** The address in `host:port`; an IPv6 host stands in brackets. */
export function relayAddress(relay: string): ListenAddress {
  const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(relay) ?? [];
  if (host === "" || Number(port) > PORT_MAX)
    throw new InvalidArgumentError("Expected host:port, such as 127.0.0.1:8086 or [::1]:8086.");
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}
