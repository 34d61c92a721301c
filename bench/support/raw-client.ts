/** A client of the bare hop: sends a tag, and notes when the first byte of the speech comes back. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { sharedNowMs } from "./stats.js";

interface Asked {
  firstByteMs: number | undefined;
  bytes: number;
  readonly resolve: (firstByteMs: number) => void;
}

export class RawClient {
  #asked: Asked | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly bodyBytes: number,
  ) {
    socket.on("data", (chunk) => this.#receive(chunk.length));
  }

  /** `bodyBytes`: how long each answer is. */
  static async connect(port: number, bodyBytes: number): Promise<RawClient> {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    await once(socket, "connect");
    return new RawClient(socket, bodyBytes);
  }

  /** Resolves when the whole answer has come, with the time of its first byte. */
  ask(tag: string): Promise<number> {
    return new Promise((resolve) => {
      this.#asked = { firstByteMs: undefined, bytes: 0, resolve };
      this.socket.write(tag);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #receive(bytes: number): void {
    const asked = this.#asked;
    if (asked === undefined) return;
    asked.firstByteMs ??= sharedNowMs();
    asked.bytes += bytes;
    if (asked.bytes < this.bodyBytes) return;
    this.#asked = undefined;
    asked.resolve(asked.firstByteMs);
  }
}
