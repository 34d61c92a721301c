/** One relay connection as the rest of the TCP edge sees it: its outbox, and what the relay says it can take. */
import {
  type AiMessageErrorCommand,
  encodeServiceCommand,
  type HelloCommand,
  isPacketDuration,
  type Route,
  SAMPLE_RATES_HZ,
  type ServiceCommand,
} from "@readback/protocol";
import type { AudioShape } from "../turn/outlet.js";
import type { Outbox } from "./outbox.js";

export class RelayLink {
  #hello: HelloCommand | undefined;

  constructor(
    readonly id: string,
    readonly outbox: Outbox,
  ) {}

  /** The relay has said what it can take. */
  greet(hello: HelloCommand): void {
    this.#hello = hello;
  }

  /** Whether packets of `shape` may go to this relay: a shape of the protocol, and one of its own list if it sent one. */
  accepts(shape: AudioShape): boolean {
    if (!isPacketDuration(shape.packetMs) || !SAMPLE_RATES.includes(shape.sampleRateHz)) return false;
    const declared = this.#hello?.audio ?? [];
    return (
      declared.length === 0 ||
      declared.some(
        ({ sampleRateHz, frameMs }) => sampleRateHz === shape.sampleRateHz && frameMs === shape.packetMs,
      )
    );
  }

  /** Sends a command that belongs to no reply. */
  reply(command: ServiceCommand, route: Route): void {
    this.outbox.post(encodeServiceCommand(command, route));
  }

  refuse(error: Omit<AiMessageErrorCommand, "command">, route: Route): void {
    this.reply({ command: "ai_message_error", ...error }, route);
  }
}

const SAMPLE_RATES: readonly number[] = SAMPLE_RATES_HZ;
