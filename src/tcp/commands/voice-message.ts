/** `message` [LT-53]: a spoken question. Without a transcription service it is refused, and its audio dropped. */
import type { VoiceMessageCommand } from "@readback/protocol";
import type { DispatchDeps, Visit } from "../visit.js";
import { refuse } from "./refuse.js";

export function voiceMessage(visit: Visit<VoiceMessageCommand>, deps: DispatchDeps): void {
  refuse(
    visit,
    "transcription_unavailable",
    "Spoken questions cannot be understood here yet. Send text.",
    deps,
  );
}
