import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { Authority } from "../../test/support/certificates.js";
import { listen } from "./listen.js";
import { HANDSHAKES_MAX, PortGate } from "./port-gate.js";
import { TlsIdentity } from "./tls-identity.js";

it("lets hands be shaken from other addresses while one begins handshakes without end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "readback-gate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const authority = new Authority(folder);
  const { cert, key } = authority.issue("service");
  const clock = { now: () => Date.now() + 60_000, monotonic: () => 0, after: () => ({ cancel() {} }) };
  const tls = new TlsIdentity("x.tls", { certFile: cert, keyFile: key }, clock);
  const refused: string[] = [];
  const gate = new PortGate({ tls, tell: (reason) => refused.push(reason) });
  const server = gate.server((socket) => socket.end("hello"));
  const port = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => void server.close());
  const idle: Socket[] = [];
  onTestFinished(() => {
    for (const socket of idle) socket.destroy();
  });
  for (let nth = 0; nth < HANDSHAKES_MAX.connectionsPerAddressMax + 5; nth++) {
    const socket = connect({ host: "127.0.0.1", port, localAddress: "127.0.0.2" });
    socket.on("error", () => socket.destroy());
    idle.push(socket);
    await once(socket, "connect");
  }
  // The oldest make room for the newest of the same address.
  await Promise.all(idle.slice(0, 5).map((socket) => socket.destroyed || once(socket, "close")));
  const client = connectTls({ host: "127.0.0.1", port, ca: readFileSync(authority.cert) });
  const [greeting] = (await once(client, "data")) as [Buffer];
  expect(String(greeting)).toBe("hello");
  expect(refused.length).toBeGreaterThanOrEqual(5);
});
