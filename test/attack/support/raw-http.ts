/** HTTP as bytes: what an attacker sends, and what no client library lets a test say. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface RawReply {
  readonly status: number;
  /** Head and body as they came. */
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly version?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** One request on a connection of its own, until the server closes that. Status 0: it closed without a word. */
export async function rawRequest(
  port: number,
  { method = "GET", path, version = "1.1", headers = [], body }: RawRequest,
  from = "127.0.0.1",
): Promise<RawReply> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${path} HTTP/${version}`, ...headers, ...length, "Connection: close", "", ""];
  socket.write(lines.join("\r\n") + (body ?? ""));
  let text = "";
  try {
    for await (const bytes of socket) text += String(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
  }
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), text };
}

/** `count` connections on which these bytes were sent and nothing more; those that the server closes stay in the list. */
export async function openConnections(
  port: number,
  count: number,
  { bytes = "", from = "127.0.0.1" }: { readonly bytes?: string; readonly from?: string } = {},
): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from });
    // Being thrown out is what the test is about.
    socket.on("error", () => socket.destroy());
    return socket;
  });
  await Promise.all(
    sockets.map(async (socket) => {
      await Promise.allSettled([Promise.race([once(socket, "connect"), once(socket, "close")])]);
      if (bytes !== "" && !socket.destroyed) socket.write(bytes);
    }),
  );
  return sockets;
}
