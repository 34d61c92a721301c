/**
 * A service that does everything wrong on demand: the text of a question names the rule that its answer breaks. What
 * stands in no fault is answered as it should be. For tests of who must notice.
 */
import { createServer, type Server, type Socket } from "node:net";
import {
  type AiMessageCommand,
  type AudioEndCommand,
  type AudioMessageCommand,
  EnvelopeDecoder,
  encodeAudio,
  encodeJson,
  encodeServiceCommand,
  parseRelayCommand,
  type RelayCommand,
  type Route,
  type ServiceCommand,
} from "@readback/protocol";

const PACKET_MS = 60;
const OPUS_60 = Uint8Array.of(0x58);
const OPUS_20 = Uint8Array.of(0x48);

/** So much at once is far before its time. */
const PACKETS_AT_ONCE = 100;

export class FaultyService {
  readonly #sockets = new Set<Socket>();
  #mid = 0;

  private constructor(
    private readonly server: Server,
    /** How long it waits where being late is the fault. */
    private readonly lateMs: number,
  ) {}

  static async start({ lateMs }: { readonly lateMs: number }): Promise<FaultyService> {
    const server = createServer();
    const service = new FaultyService(server, lateMs);
    server.on("connection", (socket) => service.#serve(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get address(): { readonly host: string; readonly port: number } {
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("it does not listen");
    return { host: "127.0.0.1", port: address.port };
  }

  /** The faults that it knows. */
  get faults(): readonly string[] {
    return Object.keys(FAULTS);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
    const decoder = new EnvelopeDecoder();
    socket.on("data", (chunk) => {
      decoder.push(chunk);
      for (let result = decoder.next(); result.type !== "incomplete"; result = decoder.next()) {
        if (result.type === "malformed") return socket.destroy();
        if (result.envelope.contentType === "audio") continue;
        const parsed = parseRelayCommand(result.envelope);
        if (parsed.type === "command") this.#handle(parsed.command, socket);
      }
    });
  }

  #handle(command: RelayCommand, socket: Socket): void {
    if (command.command === "hello" || command.command === "keep_alive") return;
    const { network, username, connectionId } = command;
    const speaker = new Speaker(socket, { network, username, connectionId }, command.requestId, ++this.#mid);
    if (command.command !== "ai_message") {
      speaker.say({
        command: "ai_message_error",
        code: "not_found",
        error: "There is nothing.",
        requestId: command.requestId,
      });
      return;
    }
    const spoil = FAULTS[command.text];
    if (spoil === undefined) speaker.answer();
    else spoil(speaker, { command, lateMs: this.lateMs, newMid: () => ++this.#mid });
  }
}

/** Speaks to one user for one request. */
class Speaker {
  constructor(
    readonly socket: Socket,
    readonly route: Route & { readonly network: string; readonly username: string },
    readonly requestId: string | undefined,
    readonly mid: number,
  ) {}

  say(command: ServiceCommand, route: Route = this.route): void {
    this.socket.write(encodeServiceCommand(command, route));
  }

  json(fields: object): void {
    const { network, username } = this.route;
    this.socket.write(encodeJson({ network, username, request_id: this.requestId, ...fields }, this.route));
  }

  message(over: Partial<AudioMessageCommand> = {}): void {
    this.say({
      command: "message",
      messageId: this.mid,
      kind: "answer",
      codec: "opus",
      codecHeader: { sampleRateHz: 16_000, framesPerPacket: 1, frameMs: PACKET_MS },
      durationMs: PACKET_MS,
      requestId: this.requestId,
      ...over,
    });
  }

  packets(...pids: readonly number[]): void {
    for (const pid of pids) this.packet(pid);
  }

  packet(packetId: number, payload: Uint8Array = OPUS_60): void {
    this.socket.write(encodeAudio({ ...this.route, messageId: this.mid, packetId, payload }));
  }

  end(packets: number, ending: AudioEndCommand["ending"] = "complete"): void {
    this.say({
      command: "end_message",
      messageId: this.mid,
      durationMs: packets * PACKET_MS,
      ending,
      requestId: this.requestId,
    });
  }

  words(text = "Yes."): void {
    this.say({
      command: "transcription",
      messageId: this.mid,
      text,
      role: "answer",
      requestId: this.requestId,
    });
  }

  text(requestId = this.requestId, route: Route = this.route): void {
    this.say({ command: "text_message", text: "Yes.", requestId }, route);
  }

  answer(): void {
    this.message();
    this.packets(0, 1, 2);
    this.end(3);
    this.words();
  }
}

interface Circumstances {
  readonly command: AiMessageCommand;
  readonly lateMs: number;
  newMid(): number;
}

type Spoil = (speaker: Speaker, circumstances: Circumstances) => void;

/** A whole answer of which these packets come. */
const ofPackets =
  (count: number, ...pids: readonly number[]): Spoil =>
  (speaker) => {
    speaker.message();
    speaker.packets(...pids);
    speaker.end(count);
    speaker.words();
  };

const withPayload =
  (payload: Uint8Array): Spoil =>
  (speaker) => {
    speaker.message();
    speaker.packet(0, payload);
    speaker.end(1);
    speaker.words();
  };

const FAULTS: Readonly<Record<string, Spoil>> = {
  packet_missing: ofPackets(3, 0, 2),
  packet_repeated: ofPackets(2, 0, 1, 1),
  packet_reordered: ofPackets(3, 0, 2, 1),
  packet_malformed: withPayload(new Uint8Array()),
  packet_shape: withPayload(OPUS_20),
  packet_after_end: (speaker) => {
    speaker.answer();
    speaker.packet(3);
  },
  packet_without_message: (speaker) => {
    speaker.packet(0);
    speaker.text();
  },
  packet_early: (speaker) => {
    speaker.message();
    for (let pid = 0; pid < PACKETS_AT_ONCE; pid++) speaker.packet(pid);
    speaker.end(PACKETS_AT_ONCE);
    speaker.words();
  },
  packet_late: (speaker, { lateMs }) => {
    speaker.message();
    speaker.packet(0);
    setTimeout(() => {
      speaker.packet(1);
      speaker.end(2);
      speaker.words();
    }, lateMs);
  },
  foreign_user: (speaker) => {
    speaker.text();
    speaker.text(undefined, { ...speaker.route, username: "nobody" });
  },
  foreign_connection: (speaker) => speaker.text(undefined, { ...speaker.route, connectionId: "another" }),
  left_relay: (speaker, { lateMs }) => {
    // Its user has gone to another relay by then.
    setTimeout(() => speaker.text(), lateMs);
  },
  message_without_end: (speaker) => {
    speaker.message();
    speaker.packets(0, 1);
    speaker.words();
  },
  end_without_message: (speaker) => {
    speaker.end(1);
    speaker.text();
  },
  duration_wrong: ofPackets(4, 0, 1),
  transcription_before_end: (speaker) => {
    speaker.message();
    speaker.packet(0);
    speaker.words();
    speaker.end(1);
  },
  transcription_missing: (speaker) => {
    speaker.message();
    speaker.packet(0);
    speaker.end(1);
    speaker.text();
  },
  transcription_unexpected: (speaker) => {
    speaker.answer();
    speaker.words();
  },
  answers_overlap: (speaker, { newMid }) => {
    speaker.message();
    speaker.packet(0);
    new Speaker(speaker.socket, speaker.route, speaker.requestId, newMid()).answer();
    speaker.end(1);
    speaker.words();
  },
  outcome_missing: () => undefined,
  outcome_repeated: (speaker) => {
    speaker.text();
    speaker.text();
  },
  request_unknown: (speaker) => {
    speaker.text();
    speaker.text("nobody-asked-this");
  },
  mid_reused: (speaker) => {
    speaker.answer();
    speaker.message();
  },
  move_gap: (speaker) => {
    speaker.message({ firstPacketId: 7 });
    speaker.packet(7);
    speaker.end(8);
    speaker.words();
  },
  move_without_cause: (speaker) => {
    speaker.message();
    speaker.packet(0);
    speaker.end(1, "moved");
    speaker.text();
  },
  interruption_without_cause: (speaker) => {
    speaker.message();
    speaker.packet(0);
    speaker.end(1, "interrupted");
    speaker.words();
  },
  // The first of its users hears it whole; the others stop it.
  heard_not_prefix: (speaker) => {
    if (speaker.route.username === "heard_not_prefix-1") return speaker.answer();
    speaker.message();
    speaker.packet(0);
    speaker.end(1, "interrupted");
    speaker.words("No.");
  },
  acknowledgement_unwanted: (speaker, { newMid }) => {
    const other = new Speaker(speaker.socket, speaker.route, speaker.requestId, newMid());
    other.message({ kind: "acknowledgement" });
    other.packet(0);
    other.end(1);
    speaker.answer();
  },
  malformed_frame: (speaker) => {
    speaker.text();
    speaker.socket.write("LT\nct:json\n\n");
  },
  bad_command: (speaker) => {
    speaker.json({ command: "text_message", text: 7 });
    speaker.text();
  },
  unknown_code: (speaker) => {
    speaker.json({ command: "ai_message_error", code: "out_of_coffee", error: "There is none." });
    speaker.text();
  },
  connection_closed: (speaker) => {
    speaker.text();
    speaker.socket.end();
  },
};
