/** A relay as a test plays it: sends whatever it likes, keeps everything that comes, and waits for what it wants. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import {
  type AudioEnvelope,
  EnvelopeDecoder,
  encodeRelayCommand,
  parseServiceCommand,
  type RelayCommandDraft,
  type Route,
  type ServiceCommand,
} from "@readback/protocol";

/** What came from the service, as it was understood. */
export type Heard =
  | { readonly type: "command"; readonly command: ServiceCommand; readonly route: Route }
  | { readonly type: "audio"; readonly audio: AudioEnvelope };

type CommandOf<N extends ServiceCommand["command"]> = ServiceCommand & { readonly command: N };

export class ScriptedRelay {
  readonly heard: Heard[] = [];
  readonly closed: Promise<unknown>;
  #ended = false;
  #bytesRead = 0;
  readonly #decoder = new EnvelopeDecoder();
  #wake: (() => void)[] = [];

  private constructor(readonly socket: Socket) {
    this.closed = once(socket, "close");
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", () => socket.destroy()); // A reset by the service is something that a test may want.
    socket.on("close", () => {
      this.#ended = true;
      this.#notify();
    });
  }

  /** `allowHalfOpen`: goes on sending when the service has ended its side; `localAddress`: the address that it has. */
  static async connect(
    port: number,
    allowHalfOpen = false,
    localAddress = "127.0.0.1",
  ): Promise<ScriptedRelay> {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true, allowHalfOpen, localAddress });
    await once(socket, "connect");
    return new ScriptedRelay(socket);
  }

  get ended(): boolean {
    return this.#ended;
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  send(...commands: RelayCommandDraft[]): void {
    this.sendBytes(Buffer.concat(commands.map(encodeRelayCommand)));
  }

  sendBytes(bytes: Uint8Array | string): void {
    this.socket.write(bytes);
  }

  /** A `ct:json` frame with any payload and any further header lines, each ended by a line feed. */
  sendJson(payload: string, headerLines = ""): void {
    const bytes = new TextEncoder().encode(payload);
    this.sendBytes(Buffer.concat([Buffer.from(`LT\nct:json\ncl:${bytes.length}\n${headerLines}\n`), bytes]));
  }

  /** Waits until `find` finds something in what was heard; rejects when the connection ends without it. */
  async until<T>(find: (heard: readonly Heard[]) => T | undefined): Promise<T> {
    for (;;) {
      const found = find(this.heard);
      if (found !== undefined) return found;
      if (this.#ended) throw new Error(`the connection ended after ${JSON.stringify(this.summary())}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** The `nth` command of this name (the first is 0), once it has come. */
  command<N extends ServiceCommand["command"]>(name: N, nth = 0): Promise<CommandOf<N>> {
    return this.until(() => this.commands(name)[nth]);
  }

  commands<N extends ServiceCommand["command"]>(name: N): CommandOf<N>[] {
    return this.heard.flatMap((one) =>
      one.type === "command" && one.command.command === name ? [one.command as CommandOf<N>] : [],
    );
  }

  /** What was heard in short: names of commands, and `mid.pid` of packets. */
  summary(): string[] {
    return this.heard.map((one) =>
      one.type === "audio" ? `${one.audio.messageId}.${one.audio.packetId}` : one.command.command,
    );
  }

  /** Closes and waits until both sides have. */
  async close(): Promise<void> {
    this.socket.destroy();
    await this.closed;
  }

  #receive(chunk: Uint8Array): void {
    this.#bytesRead += chunk.length;
    this.#decoder.push(chunk);
    for (let result = this.#decoder.next(); result.type !== "incomplete"; result = this.#decoder.next()) {
      if (result.type === "malformed") throw new Error(`the service sent a bad frame: ${result.detail}`);
      const { envelope } = result;
      if (envelope.contentType === "audio") {
        this.heard.push({ type: "audio", audio: { ...envelope, payload: envelope.payload.slice() } });
        continue;
      }
      const parsed = parseServiceCommand(envelope);
      if (parsed.type === "refused") throw new Error(`the service sent a bad command: ${parsed.error}`);
      this.heard.push(parsed);
    }
    this.#notify();
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}
