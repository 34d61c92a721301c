/**
 * A relay for end-to-end tests: a plain socket, frames written by hand and read with the protocol's decoder only, so
 * that tests see the wire's own spelling. It keeps everything that it received, in order.
 */
import { connect, type Socket } from "node:net";
import { type Envelope, EnvelopeDecoder } from "@readback/protocol";
import { Changes, type Truthy } from "./changes.js";

export interface Frame {
  readonly nw: string | undefined;
  readonly un: string | undefined;
  readonly cid: string | undefined;
  /** Of `ct:a` only. */
  readonly mid?: number;
  readonly pid?: number;
  readonly packet?: Buffer;
  /** Of `ct:json` only: the payload, and the same as it came. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly text?: string;
}

export class TestRelay {
  readonly frames: Frame[] = [];
  readonly #decoder = new EnvelopeDecoder();
  readonly #changes = new Changes();
  #closed = false;
  #marks = 0;

  private constructor(private readonly socket: Socket) {
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#closed = true;
      this.#changes.notify();
    });
  }

  static async connect(port: number): Promise<TestRelay> {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    return TestRelay.over(socket);
  }

  /** On a connection that stands, such as one with TLS. */
  static over(socket: Socket): TestRelay {
    return new TestRelay(socket);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** A user whose device hangs on this relay by connection `cid`. */
  user(network: string, username: string, cid = `c-${username}`): TestUser {
    return new TestUser(this, network, username, cid);
  }

  /** A JSON frame with these header lines besides `ct` and `cl`. */
  send(payload: object | string, lines: readonly string[] = []): void {
    const json = typeof payload === "string" ? payload : JSON.stringify(payload);
    this.sendRaw(frame(["ct:json", ...lines], Buffer.from(json)));
  }

  sendAudio(lines: readonly string[], packet: Uint8Array): void {
    this.sendRaw(frame(["ct:a", ...lines], packet));
  }

  sendRaw(bytes: Uint8Array | string): void {
    this.socket.write(bytes);
  }

  /** The first truthy value of `look`, asked again whenever something has changed. */
  until<T>(look: (frames: readonly Frame[]) => T, what = "it"): Promise<Truthy<T>> {
    const tell = () => {
      const state = this.#closed ? "closed" : "open";
      return [
        `waited for ${what} in vain; the connection is ${state}; received:`,
        ...summary(this.frames),
      ].join("\n");
    };
    return this.#changes.until(() => look(this.frames), tell);
  }

  /** Resolves when the service has hung up. */
  async closed(): Promise<void> {
    await this.until(() => this.#closed, "the service to hang up");
  }

  /**
   * Everything that the service has sent so far is here when this resolves: a `keep_alive` that comes back was queued
   * behind it.
   */
  async flushed(): Promise<void> {
    this.#marks += 1;
    const mark = this.#marks;
    this.send({ command: "keep_alive", mark });
    const indexOfEcho = () => this.frames.findIndex(({ json }) => json?.mark === mark);
    await this.until(() => indexOfEcho() >= 0 || this.#closed, "the keep_alive");
    if (indexOfEcho() < 0) throw new Error("the service has hung up");
    this.frames.splice(indexOfEcho(), 1);
  }

  /** Stops and resumes reading, as a relay does that does not keep up. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Vanishes without a word. */
  destroy(): void {
    this.socket.resetAndDestroy();
  }

  close(): void {
    this.socket.destroy();
  }

  #receive(chunk: Uint8Array): void {
    this.#decoder.push(chunk);
    for (let result = this.#decoder.next(); result.type !== "incomplete"; result = this.#decoder.next()) {
      if (result.type === "malformed")
        throw new Error(`the service sent a malformed frame: ${result.detail}`);
      this.frames.push(frameOf(result.envelope));
    }
    this.#changes.notify();
  }
}

/** One user as seen through one relay. */
export class TestUser {
  constructor(
    readonly relay: TestRelay,
    readonly network: string,
    readonly username: string,
    readonly cid: string,
  ) {}

  get lines(): string[] {
    return [`nw:${this.network}`, `un:${this.username}`, `cid:${this.cid}`];
  }

  send(command: string, parameters: object = {}): void {
    const { network, username } = this;
    this.relay.send({ command, network, username, ...parameters }, this.lines);
  }

  ask(text: string, parameters: object = {}): void {
    this.send("ai_message", { text, ...parameters });
  }

  askAloud(text: string, parameters: object = {}): void {
    this.ask(text, { response_type: "audio", ...parameters });
  }

  /** Presses the button: a voice message of 60 ms packets at 16 kHz, unless it is told otherwise. */
  press(messageId: number, parameters: object = {}): void {
    this.send("message", {
      message_id: messageId,
      codec: "opus",
      codec_header: "gD4BPA==",
      duration: 60,
      ...parameters,
    });
  }

  /** Sends packets of a voice message. */
  speak(messageId: number, packets: readonly Uint8Array[], fromPid = 0): void {
    for (const [i, packet] of packets.entries())
      this.relay.sendAudio([...this.lines, `mid:${messageId}`, `pid:${fromPid + i}`], packet);
  }

  release(messageId: number): void {
    this.send("end_message", { message_id: messageId });
  }

  /** Presses, says everything, releases. */
  say(messageId: number, packets: readonly Uint8Array[], parameters: object = {}): void {
    this.press(messageId, parameters);
    this.speak(messageId, packets);
    this.release(messageId);
  }

  /** What this user was sent on this relay, in order. */
  get frames(): Frame[] {
    return this.relay.frames.filter(({ nw, un }) => nw === this.network && un === this.username);
  }

  get summary(): string[] {
    return summary(this.frames);
  }

  until<T>(look: (frames: readonly Frame[]) => T, what?: string): Promise<Truthy<T>> {
    return this.relay.until(() => look(this.frames), what);
  }

  /** Waits until this user was sent `count` commands of this name; returns the last one's payload. */
  async received(command: string, count = 1): Promise<Readonly<Record<string, unknown>>> {
    const matching = (frames: readonly Frame[]) =>
      frames.flatMap(({ json }) => (json?.command === command ? [json] : []));
    const found = await this.until((frames) => matching(frames)[count - 1], `${count} × ${command}`);
    return found;
  }

  /** Waits for the frame that ends the answer to `requestId`, or to the only question; returns its payload. */
  answered(requestId?: string): Promise<Readonly<Record<string, unknown>>> {
    const last = ["text_message", "transcription", "ai_message_error"];
    const isLast = (json: Frame["json"]) => last.includes(String(json?.command)) && json?.role !== "question";
    return this.until(
      (frames) => frames.find(({ json }) => isLast(json) && json?.request_id === requestId)?.json,
      `an answer to ${requestId ?? "the question"}`,
    );
  }

  /** Waits for this user's first `count` packets on this relay. */
  async packets(count: number): Promise<readonly Buffer[]> {
    await this.until((frames) => packetsOf(frames).length >= count, `${count} packets`);
    return packetsOf(this.frames);
  }
}

/** A frame exactly as told; `cl` is added. */
export function frame(lines: readonly string[], payload: Uint8Array): Buffer {
  const header = ["LT", ...lines, `cl:${payload.length}`, "", ""].join("\n");
  return Buffer.concat([Buffer.from(header), payload]);
}

export function packetsOf(frames: readonly Frame[]): Buffer[] {
  return frames.flatMap(({ packet }) => (packet === undefined ? [] : [packet]));
}

export function pidsOf(frames: readonly Frame[]): number[] {
  return frames.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
}

/** Frames in a short form that a test can spell out: `message 1`, `audio 1/0`, `end_message 1 40 ms moved`, … */
export function summary(frames: readonly Frame[]): string[] {
  return frames.map(({ json, mid, pid }) => {
    if (json === undefined) return `audio ${mid}/${pid}`;
    const { command, message_id: id, text, code, reason } = json;
    const rest = [
      id,
      json.first_pid === undefined ? undefined : `from ${String(json.first_pid)}`,
      json.duration_ms === undefined ? undefined : `${String(json.duration_ms)} ms`,
      json.interrupted === true ? "interrupted" : undefined,
      json.moved === true ? "moved" : undefined,
      text === undefined ? undefined : `"${String(text).trim()}"`,
      code,
      reason,
      json.role === "question" ? "(question)" : undefined,
    ];
    return [command, ...rest].filter((part) => part !== undefined).join(" ");
  });
}

function frameOf(envelope: Envelope): Frame {
  const route = { nw: envelope.network, un: envelope.username, cid: envelope.connectionId };
  if (envelope.contentType === "audio") {
    const { messageId: mid, packetId: pid, payload } = envelope;
    return { ...route, mid, pid, packet: Buffer.from(payload) };
  }
  const text = Buffer.from(envelope.payload).toString("utf8");
  return { ...route, json: JSON.parse(text), text };
}
