/** A server of a test on a free port of the loopback. */
import type { AddressInfo, Server } from "node:net";

/** Resolves with the port. */
export function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
