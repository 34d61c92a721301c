/** Interfaces, open ports and connections. */
import { networkInterfaces } from "node:os";
import type { Machine } from "./machine.js";

const ROWS_MAX = 200;

export async function networkInfo(machine: Machine): Promise<object> {
  const text = await machine.run("ss", ["-Hntuap"]);
  const sockets = text.split("\n").map((line) => line.trim().split(/\s+/));
  // `tcp LISTEN 0 511 127.0.0.1:6379 0.0.0.0:* users:(("redis-server",pid=71,fd=6))`; UDP is bound without a peer.
  const open = sockets.flatMap(([protocol = "", state = "", , , local = "", , owner = ""]) => {
    if (state !== "LISTEN" && state !== "UNCONN") return [];
    const [address = "", port = ""] = local.split(/:(?=\d+$)/);
    const process = /"([^"]+)"/.exec(owner)?.[1];
    const isLocal = /^(?:127\.|\[::1\]|\[::ffff:127\.)/.test(address);
    return { port: Number(port), protocol, local_only: isLocal, ...(process !== undefined && { process }) };
  });
  const ports = [
    ...new Map(open.map((one) => [`${one.protocol} ${one.port} ${one.local_only}`, one])).values(),
  ];
  ports.sort((a, b) => a.port - b.port);
  return {
    interfaces: interfaces(),
    open_port_count: ports.length,
    open_ports: ports.slice(0, ROWS_MAX),
    truncated: ports.length > ROWS_MAX,
    connection_count: sockets.filter(([protocol, state]) => protocol === "tcp" && state === "ESTAB").length,
  };
}

/** Those that are up, with their addresses. */
export function interfaces(): readonly { readonly name: string; readonly addresses: readonly string[] }[] {
  const all = Object.entries(networkInterfaces()).slice(0, ROWS_MAX);
  return all.map(([name, addresses = []]) => ({ name, addresses: addresses.map(({ address }) => address) }));
}
