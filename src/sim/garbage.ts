/** What a broken or malicious relay sends, and what the service must do about it. */
import { encodeAudio, encodeJson, encodeJsonText } from "@readback/protocol";
import type { Random } from "../lib/random.js";
import type { GarbageKind } from "./scenario.js";

export interface Garbage {
  readonly bytes: Uint8Array;
  /**
   * `close`: the frame is malformed, and its connection must be closed [LT-12]. `error`: the command is refused and the
   * connection lives on [LT-47]. `nothing`: it is ignored [LT-54]. `hang_up`: we leave in the middle of a frame.
   */
  readonly reaction: "close" | "error" | "nothing" | "hang_up";
}

/** Nobody whom anybody else in the simulation is. */
export const GHOST = { network: "nowhere", username: "ghost", connectionId: "ghost" } as const;

const NOISE_BYTES = 512;

/** 60 ms of Opus without a sound: a TOC byte and a frame of no bytes. */
const EMPTY_PACKET = Uint8Array.of(0x58);

/** Whether its `request_id` can be read, so that the error must carry it. */
export function isRequest(kind: GarbageKind): boolean {
  return kind === "unknown_command" || kind === "bad_parameter" || kind === "identity_mismatch";
}

export function garbageOf(kind: GarbageKind, requestId: string, random: Random): Garbage {
  const command = (fields: object, route: object = GHOST) =>
    encodeJson({ request_id: requestId, ...fields }, { ...GHOST, ...route });
  switch (kind) {
    case "noise":
      // A first byte that cannot begin a frame; the rest may be anything.
      return {
        bytes: Uint8Array.from({ length: NOISE_BYTES }, (_, i) => (i === 0 ? 0 : random.fraction() * 256)),
        reaction: "close",
      };
    case "huge_frame":
      return { bytes: new TextEncoder().encode("LT\nct:json\ncl:4000000000\n\n"), reaction: "close" };
    case "half_frame":
      return { bytes: new TextEncoder().encode('LT\nct:json\ncl:4000\n\n{"command":'), reaction: "hang_up" };
    case "bad_json":
      return { bytes: encodeJsonText(new TextEncoder().encode("{]"), GHOST), reaction: "error" };
    case "unknown_command":
      return { bytes: command({ command: "make_coffee" }), reaction: "error" };
    case "bad_parameter":
      return { bytes: command({ command: "ai_message", text: 7 }), reaction: "error" };
    case "identity_mismatch":
      return { bytes: command({ command: "get_chat", username: "somebody else" }), reaction: "error" };
    case "stray_audio":
      return {
        bytes: encodeAudio({
          ...GHOST,
          messageId: 1,
          packetId: Math.floor(random.fraction() * 1_000),
          payload: EMPTY_PACKET,
        }),
        reaction: "nothing",
      };
  }
}
