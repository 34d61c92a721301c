import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { isOwnPeer, usersIn } from "./peer-user.js";

/** The server's end of a connection within this process. */
async function accepted(host: string): Promise<Socket> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, host);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const [socket] = (await once(server, "connection")) as [Socket];
  return socket;
}

const LIST = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F97 0100007F:ED1E 01 00000000:00000000 00:00000000 00000000     0        0 75547 1 0000 20 4 30 10 -1
   1: 0100007F:ED1E 0100007F:1F97 01 00000000:00000000 00:00000000 00000000    33        0 78844 2 0000 20 0 0 11 -1
   2: 0100007F:ED1F 0100007F:1F97 06 00000000:00000000 03:0000072F 00000000     0        0 0 3 0000
   3: 0200007F:ED20 0100007F:1F97 01 00000000:00000000 00:00000000 00000000  1000        0 78845 2 0000 20 0 0 11 -1
   4: 0100007F:ED20 0100007F:1F97 05 00000000:00000000 00:00000000 00000000     7        0 78846 2 0000 20 0 0 11 -1
`;

describe("the user at the other end", () => {
  it("is found by the two ports, whichever end is listed first", () => {
    expect(usersIn(LIST, { remotePort: 0xed1e, localPort: 8087 })).toEqual([33]);
    expect(usersIn(LIST, { remotePort: 8087, localPort: 0xed1e })).toEqual([0]);
  });

  it("is nobody for a connection that is over or not listed, and everybody who may be meant", () => {
    expect(usersIn(LIST, { remotePort: 0xed1f, localPort: 8087 })).toEqual([]);
    expect(usersIn(LIST, { remotePort: 1, localPort: 8087 })).toEqual([]);
    expect(usersIn(LIST, { remotePort: undefined, localPort: 8087 })).toEqual([]);
    expect(usersIn(LIST, { remotePort: 0xed20, localPort: 8087 })).toEqual([1000, 7]);
    expect(usersIn("", { remotePort: 1, localPort: 2 })).toEqual([]);
  });

  it.runIf(process.platform === "linux").each(["127.0.0.1", "::1"])(
    "is this process' own, at %s",
    async (host) => {
      const socket = await accepted(host);
      expect(await isOwnPeer(socket)).toBe(true);
      expect(isOwnPeer(socket)).toBe(isOwnPeer(socket));
    },
  );

  it.runIf(process.platform === "linux")("is not, where nobody is found", async () => {
    expect(await isOwnPeer({ remotePort: 1, localPort: 2 })).toBe(false);
  });
});
