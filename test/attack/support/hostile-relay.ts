/** A relay that means harm: plain bytes from an address of its own, as many and as fast as the service takes them. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { frame } from "../../e2e/relay.js";

export class HostileRelay {
  #bytesRead = 0;

  private constructor(readonly socket: Socket) {
    socket.on("data", (chunk) => {
      this.#bytesRead += chunk.length;
    });
    socket.on("error", () => socket.destroy());
  }

  static async connect(port: number, localAddress: string): Promise<HostileRelay> {
    const socket = connect({ host: "127.0.0.1", port, localAddress, noDelay: true });
    socket.setMaxListeners(0);
    await once(socket, "connect");
    return new HostileRelay(socket);
  }

  get closed(): boolean {
    return this.socket.destroyed || this.socket.readableEnded;
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Writes so many frames, as fast as they are taken, for so long at the most. Returns how many were handed over. */
  async pour(count: number, make: (i: number) => Buffer, withinMs: number): Promise<number> {
    const untilMs = performance.now() + withinMs;
    let sent = 0;
    while (sent < count && !this.closed && performance.now() < untilMs) {
      const batch = Array.from({ length: Math.min(100, count - sent) }, (_, i) => make(sent + i));
      sent += batch.length;
      if (!this.socket.write(Buffer.concat(batch))) await this.#drained(untilMs - performance.now());
      else await new Promise((resolve) => setImmediate(resolve));
    }
    return sent;
  }

  close(): void {
    this.socket.destroy();
  }

  #drained(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.socket.once("drain", done);
      this.socket.once("close", done);
    });
  }
}

export function command(name: string, parameters: object = {}): Buffer {
  return frame(["ct:json"], Buffer.from(JSON.stringify({ command: name, ...parameters })));
}
