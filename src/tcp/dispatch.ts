/**
 * From a decoded frame to whoever deals with it: one handler per command. A command about a user moves that user's
 * line to this relay before anything else happens [LT-90].
 */
import { type AudioEnvelope, type Envelope, type HelloCommand, parseRelayCommand } from "@readback/protocol";
import { WRONG_KEYS_MANY } from "../api/wrong-keys.js";
import { TurnFailure } from "../domain/failure.js";
import type { User } from "../domain/user.js";
import { workFor } from "../lib/origin.js";
import { aiMessage } from "./commands/ai-message.js";
import { cancel } from "./commands/cancel.js";
import { closeChat } from "./commands/close-chat.js";
import { endMessage } from "./commands/end-message.js";
import { getChat } from "./commands/get-chat.js";
import { refuse } from "./commands/refuse.js";
import { suggestedQuestions } from "./commands/suggested-questions.js";
import { summarize } from "./commands/summarize.js";
import { voiceMessage } from "./commands/voice-message.js";
import type { RelayLink } from "./relay-link.js";
import { UserOutlet } from "./user-outlet.js";
import type { DispatchDeps, UserCommand, Visit } from "./visit.js";

export function dispatch(envelope: Envelope, link: RelayLink, deps: DispatchDeps): void {
  if (envelope.contentType === "audio") {
    hearAudio(envelope, link, deps);
    return;
  }
  const parsed = parseRelayCommand(envelope);
  if (parsed.type === "refused") {
    const { code, error, requestId, connectionId, identity } = parsed;
    refuse({ code, error, requestId }, { ...identity, connectionId }, link, deps);
    return;
  }
  const { command } = parsed;
  if (command.command === "keep_alive") {
    if (link.reading.hears(envelope.payload)) return;
    const { network, username, connectionId } = envelope;
    link.reply(command, { network, username, connectionId });
  } else if (command.command === "hello") {
    greet(command, link, deps);
  } else if (!link.speaksFor(command.network)) {
    const { requestId } = command;
    refuse({ code: "blocked", error: notItsNetwork(link), requestId }, command, link, deps);
  } else {
    const { network, username } = command;
    const user = { network, username };
    deps.telemetry.emit({ type: "command_received", connection: link.id, command: command.command, user });
    workFor(link.origin(user), () => {
      const outlet = see(user, command.connectionId, link, deps);
      handle({ command: vouched(command, link), user, outlet, link }, deps);
    });
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
    if (link.rights === undefined) return refuse({ code: "blocked", error, requestId }, {}, link, deps);
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

const HANDLERS: {
  readonly [Name in UserCommand["command"]]: (
    visit: Visit<Extract<UserCommand, { command: Name }>>,
    deps: DispatchDeps,
  ) => void;
} = {
  ai_message: aiMessage,
  get_chat: getChat,
  close_chat: closeChat,
  cancel,
  message: voiceMessage,
  end_message: endMessage,
  suggested_questions: suggestedQuestions,
  summarize,
};

function handle(visit: Visit<UserCommand>, deps: DispatchDeps): void {
  const { command, link, outlet } = visit;
  try {
    (HANDLERS[command.command] as (visit: Visit<UserCommand>, deps: DispatchDeps) => void)(visit, deps);
  } catch (error) {
    if (!(error instanceof TurnFailure)) throw error;
    refuse(
      { code: error.code, error: error.message, requestId: command.requestId },
      outlet.route,
      link,
      deps,
    );
  }
}

/** Audio is about a user too, so it moves the user's line; without an open voice message it goes nowhere [LT-54]. */
function hearAudio(audio: AudioEnvelope, link: RelayLink, deps: DispatchDeps): void {
  const { network, username, messageId, packetId, payload } = audio;
  const user = { network, username };
  if (link.speaksFor(network)) {
    see(user, audio.connectionId, link, deps);
    if (deps.chats.find(user)?.hear(messageId, packetId, payload)) return;
  }
  deps.telemetry.emit({ type: "audio_dropped", connection: link.id, user });
}

/** Moves a user to where this frame came from. */
function see(
  user: User,
  connectionId: string | undefined,
  link: RelayLink,
  { chats }: DispatchDeps,
): UserOutlet {
  const outlet = UserOutlet.of({ ...user, connectionId }, link, chats.lastSeen(user));
  chats.seen(user, outlet);
  return outlet;
}
