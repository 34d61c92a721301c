/**
 * A user as reached over one relay connection: frames in, LoudTalks bytes into the connection's outbox. Every frame
 * carries the user's network and username and the last connection id seen from that user [LT-35].
 */
import {
  type AudioEncoder,
  audioEncoder,
  encodeServiceCommand,
  type FrameBytes,
  isPacketDuration,
  type ServiceCommand,
} from "@readback/protocol";
import type { User } from "../domain/user.js";
import type { Outlet, OutletFrame, Revocation, SendResult } from "../turn/outlet.js";
import { TEXT_CHARACTERS_MAX } from "./limits.js";
import type { RelayLink } from "./relay-link.js";

export interface UserRoute extends User {
  readonly connectionId?: string | undefined;
}

export class UserOutlet implements Outlet {
  #audio: { readonly mid: number; readonly encoder: AudioEncoder } | undefined;

  constructor(
    readonly link: RelayLink,
    readonly route: UserRoute,
  ) {}

  /**
   * The user whom a frame on `link` is about. Where the frame has no `cid`, the last one stays in force, unless it is
   * another relay's: there it names nothing.
   */
  static of(frame: UserRoute, link: RelayLink, lastSeen: Outlet | undefined): UserOutlet {
    const { network, username } = frame;
    const here = lastSeen instanceof UserOutlet && lastSeen.link === link ? lastSeen : undefined;
    const known = here?.route;
    if (here !== undefined && (frame.connectionId ?? known?.connectionId) === known?.connectionId)
      return here;
    return new UserOutlet(link, {
      network,
      username,
      connectionId: frame.connectionId ?? known?.connectionId,
    });
  }

  send(frame: OutletFrame): SendResult {
    return this.link.outbox.send(frame, this.#encode);
  }

  revoke(mid: number): Revocation {
    return this.link.outbox.revoke(mid);
  }

  readonly #encode = (frame: OutletFrame): Uint8Array | FrameBytes => {
    if (frame.type !== "audio") return encodeServiceCommand(asCommand(frame), this.route);
    if (this.#audio?.mid !== frame.mid)
      this.#audio = { mid: frame.mid, encoder: audioEncoder(this.route, frame.mid) };
    return this.#audio.encoder.frame(frame.pid, frame.packet);
  };
}

function asCommand(frame: Exclude<OutletFrame, { type: "audio" }>): ServiceCommand {
  const { requestId } = frame;
  switch (frame.type) {
    case "message":
      return {
        command: "message",
        messageId: frame.mid,
        kind: frame.kind ?? "answer",
        codec: "opus",
        codecHeader: {
          sampleRateHz: frame.shape.sampleRateHz,
          framesPerPacket: 1,
          frameMs: frame.shape.packetMs,
        },
        durationMs: wireDuration(frame.shape.packetMs),
        firstPacketId: frame.firstPid,
        requestId,
      };
    case "end_message":
      return {
        command: "end_message",
        messageId: frame.mid,
        durationMs: frame.durationMs,
        ending: frame.flag ?? "complete",
        requestId,
      };
    case "transcription":
      return {
        command: "transcription",
        messageId: frame.mid,
        text: sayable(frame.text),
        role: "answer",
        requestId,
      };
    case "question":
      return {
        command: "transcription",
        messageId: frame.messageId,
        text: sayable(frame.text),
        role: "question",
        heard: frame.heardAs === undefined ? undefined : sayable(frame.heardAs),
        requestId,
      };
    case "text_message":
      return { command: "text_message", text: sayable(frame.text), kind: frame.kind, requestId };
    case "step": {
      const { evidence, ms, ok, target, tool } = frame.step;
      return { command: "step", tool, target, ok, ms: Math.round(ms), evidence, requestId };
    }
    case "error":
      return { command: "ai_message_error", code: frame.code, error: frame.error, requestId };
    case "chat_closed":
      return { command: "chat_closed", reason: frame.reason, requestId };
  }
}

/** A text of any length as one that a frame can carry. */
function sayable(text: string): string {
  return text.length <= TEXT_CHARACTERS_MAX ? text : `${text.slice(0, TEXT_CHARACTERS_MAX - 1)}…`;
}

/** `accepts` has let no other duration through. */
function wireDuration(packetMs: number): 20 | 40 | 60 {
  if (!isPacketDuration(packetMs)) throw new RangeError(`packets of ${packetMs} ms cannot be sent`);
  return packetMs;
}
