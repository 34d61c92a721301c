/**
 * `message` [LT-53]: the button is pressed. That stops the answer under way, whether or not what follows can be
 * understood here.
 */
import type { VoiceMessageCommand } from "@readback/protocol";
import { Recording } from "../../chat/recording.js";
import { TurnFailure } from "../../domain/failure.js";
import type { DispatchDeps, Visit } from "../visit.js";
import { turnContext } from "./turn-context.js";

export function voiceMessage(visit: Visit<VoiceMessageCommand>, deps: DispatchDeps): void {
  const { command, outlet, user } = visit;
  const { codecHeader, durationMs, messageId } = command;
  const { chats, clock } = deps;
  if (chats.find(user)?.isSpeaking(messageId) === true)
    throw new TurnFailure("bad_parameter", `The voice message ${messageId} is open already.`);
  if (!chats.listens) {
    chats.cancel(user);
    const text = "Spoken questions cannot be understood here. Send text.";
    throw new TurnFailure("transcription_unavailable", text);
  }
  const chat = chats.open(user, outlet);
  const shape = { sampleRateHz: codecHeader.sampleRateHz, packetMs: durationMs };
  const giveUp = (failure: TurnFailure) => chat.giveUp(messageId, failure);
  const utterance = new Recording(shape, clock, giveUp, chats.voices);
  chat.press({ ...turnContext(visit, deps), messageId, utterance }, utterance);
}
