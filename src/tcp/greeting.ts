/** What the service says of itself when a relay says `hello` [LT-49]. */
import { type HelloReply, PROTOCOL_VERSION } from "@readback/protocol";
import { MAILBOX_MAX } from "../chat/chat.js";
import { UTTERANCE_MS_MAX } from "../chat/recording.js";
import { MESSAGE_CHARS_MAX, MESSAGE_TOKENS_MAX, MESSAGE_WORDS_MAX } from "../turn/admit.js";

export interface GreetingFacts {
  readonly idleTimeoutMs: number;
  /** Whether spoken questions are recognised. */
  readonly hears: boolean;
  /** Whether relays have to show tokens. */
  readonly asksForTokens: boolean;
}

export function greetingOf({ asksForTokens, hears, idleTimeoutMs }: GreetingFacts): HelloReply {
  return {
    command: "hello",
    version: PROTOCOL_VERSION,
    limits: {
      questionCharacters: MESSAGE_CHARS_MAX,
      questionTokens: MESSAGE_TOKENS_MAX,
      questionWords: MESSAGE_WORDS_MAX,
      questionsWaiting: MAILBOX_MAX,
      voiceMs: UTTERANCE_MS_MAX,
      idleMs: idleTimeoutMs,
    },
    on: [...(hears ? ["voice_in"] : []), ...(asksForTokens ? ["tokens"] : [])],
  };
}
