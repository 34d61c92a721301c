/**
 * `message` [LT-53]: the button is pressed. That stops the answer under way, whether or not what follows can be
 * understood here.
 */
import type { VoiceMessageCommand } from "@readback/protocol";
import { Recording } from "../../chat/recording.js";
import { TurnFailure } from "../../domain/failure.js";
import type { SpokenRequest } from "../../domain/turn.js";
import type { DispatchDeps, Visit } from "../visit.js";
import { refuse } from "./refuse.js";
import { turnContext } from "./turn-context.js";

export function voiceMessage(visit: Visit<VoiceMessageCommand>, deps: DispatchDeps): void {
  const { network, username, messageId } = visit.command;
  const user = { network, username };
  const open = deps.chats.find(user);
  if (open?.isSpeaking(messageId) === true)
    return refuse(visit, "bad_parameter", `The voice message ${messageId} is open already.`, deps);
  if (!deps.chats.listens) {
    deps.chats.cancel(user);
    const text = "Spoken questions cannot be understood here. Send text.";
    return refuse(visit, "transcription_unavailable", text, deps);
  }
  try {
    const chat = deps.chats.open(user, visit.outlet);
    const giveUp = (failure: TurnFailure) => chat.giveUp(messageId, failure);
    const recording = new Recording(shapeOf(visit.command), deps.clock, giveUp, deps.chats.voices);
    chat.press(requestOf(visit, recording, deps), recording);
  } catch (error) {
    if (!(error instanceof TurnFailure)) throw error;
    refuse(visit, error.code, error.message, deps);
  }
}

function requestOf(
  visit: Visit<VoiceMessageCommand>,
  utterance: Recording,
  deps: DispatchDeps,
): SpokenRequest {
  return { ...turnContext(visit, deps), messageId: visit.command.messageId, utterance };
}

function shapeOf({ codecHeader, durationMs }: VoiceMessageCommand) {
  return { sampleRateHz: codecHeader.sampleRateHz, packetMs: durationMs };
}
