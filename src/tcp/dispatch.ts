/**
 * From a decoded frame to whoever deals with it: one handler per command. A command about a user moves that user's
 * line to this relay before anything else happens [LT-90].
 */
import {
  type AiMessageErrorCommand,
  type AudioEnvelope,
  type Envelope,
  type HelloCommand,
  parseRelayCommand,
  type Route,
} from "@readback/protocol";
import { WRONG_KEYS_MANY } from "../api/wrong-keys.js";
import { workFor } from "../lib/origin.js";
import { aiMessage } from "./commands/ai-message.js";
import { cancel } from "./commands/cancel.js";
import { closeChat } from "./commands/close-chat.js";
import { endMessage } from "./commands/end-message.js";
import { getChat } from "./commands/get-chat.js";
import { suggestedQuestions } from "./commands/suggested-questions.js";
import { summarize } from "./commands/summarize.js";
import { voiceMessage } from "./commands/voice-message.js";
import type { RelayLink } from "./relay-link.js";
import { UserOutlet, type UserRoute } from "./user-outlet.js";
import type { DispatchDeps, UserCommand } from "./visit.js";

export function dispatch(envelope: Envelope, link: RelayLink, deps: DispatchDeps): void {
  if (envelope.contentType === "audio") {
    hearAudio(envelope, link, deps);
    return;
  }
  const parsed = parseRelayCommand(envelope);
  if (parsed.type === "refused") {
    const { code, error, requestId, connectionId, identity } = parsed;
    turnAway({ code, error, requestId }, { ...identity, connectionId }, link, deps);
    return;
  }
  const { command } = parsed;
  if (command.command === "keep_alive") {
    if (link.reading.hears(envelope.payload)) return;
    link.reply(command, {
      network: envelope.network,
      username: envelope.username,
      connectionId: envelope.connectionId,
    });
  } else if (command.command === "hello") {
    greet(command, link, deps);
  } else if (!link.speaksFor(command.network)) {
    const { requestId } = command;
    turnAway({ code: "blocked", error: notItsNetwork(link), requestId }, command, link, deps);
  } else {
    const { network, username } = command;
    const user = { network, username };
    deps.telemetry.emit({ type: "command_received", connection: link.id, command: command.command, user });
    workFor(link.origin(user), () => handle(vouched(command, link), see(command, link, deps), link, deps));
  }
}

/** What the relay takes, and who it is: an unknown token leaves it without any [LT-48]. */
function greet(hello: HelloCommand, link: RelayLink, deps: DispatchDeps): void {
  const { requestId, token } = hello;
  const didAnnounce = link.announces;
  link.greet(hello);
  if (link.announces && !didAnnounce) deps.chats.announces(link);
  if (token !== undefined && deps.tokens.needed) {
    const error = deps.tokens.hears(link.address) ? "This token is not known here." : WRONG_KEYS_MANY;
    link.rights = deps.tokens.find(token, link.address);
    if (link.rights === undefined) return turnAway({ code: "blocked", error, requestId }, {}, link, deps);
    deps.telemetry.emit({ type: "relay_identified", connection: link.id, relay: link.rights.name });
  }
  link.reply({ ...deps.greeting(), requestId }, {});
}

function notItsNetwork({ rights }: RelayLink): string {
  return rights === undefined
    ? "This service asks relays for a token: send hello with one first."
    : "This relay's token is not for this network.";
}

/** The command without the groups that the relay may not vouch for. */
function vouched(command: UserCommand, { rights }: RelayLink): UserCommand {
  return rights?.vouchesForGroups === true || !("groups" in command) ? command : { ...command, groups: [] };
}

/** Refuses a command [LT-47]. */
function turnAway(
  refusal: Omit<AiMessageErrorCommand, "command">,
  { network, username, connectionId }: Route,
  link: RelayLink,
  { telemetry }: DispatchDeps,
): void {
  const user = network === undefined || username === undefined ? {} : { user: { network, username } };
  const { code, error: detail } = refusal;
  telemetry.emit({ type: "command_refused", connection: link.id, code, detail, ...user });
  link.refuse(refusal, { network, username, connectionId });
}

function handle(command: UserCommand, outlet: UserOutlet, link: RelayLink, deps: DispatchDeps): void {
  switch (command.command) {
    case "ai_message":
      return aiMessage({ command, outlet, link }, deps);
    case "get_chat":
      return getChat({ command, outlet, link }, deps);
    case "close_chat":
      return closeChat({ command, outlet, link }, deps);
    case "cancel":
      return cancel({ command, outlet, link }, deps);
    case "message":
      return voiceMessage({ command, outlet, link }, deps);
    case "end_message":
      return endMessage({ command, outlet, link }, deps);
    case "suggested_questions":
      return suggestedQuestions({ command, outlet, link }, deps);
    case "summarize":
      return summarize({ command, outlet, link }, deps);
  }
}

/** Audio is about a user too, so it moves the user's line; without an open voice message it goes nowhere [LT-54]. */
function hearAudio(audio: AudioEnvelope, link: RelayLink, deps: DispatchDeps): void {
  const { network, username, messageId, packetId, payload } = audio;
  const user = { network, username };
  if (link.speaksFor(network)) {
    see(audio, link, deps);
    if (deps.chats.find(user)?.hear(messageId, packetId, payload)) return;
  }
  deps.telemetry.emit({ type: "audio_dropped", connection: link.id, user });
}

/** Moves a user to where this frame came from. */
function see(
  { network, username, connectionId }: UserRoute,
  link: RelayLink,
  { chats }: DispatchDeps,
): UserOutlet {
  const user = { network, username };
  const outlet = UserOutlet.of({ ...user, connectionId }, link, chats.lastSeen(user));
  chats.seen(user, outlet);
  return outlet;
}
