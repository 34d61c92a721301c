/** An evaluation asks as the doors do: over the same chats and the same `runTurn` as the radio. */

import { hear, hearAll } from "../chat/door.js";
import type { ChatRegistry } from "../chat/registry.js";
import { TurnFailure } from "../domain/failure.js";
import type { TurnRequest } from "../domain/turn.js";
import type { Answerer, Speaker } from "../evaluation/answerer.js";
import type { Random } from "../lib/random.js";

/** Each conversation has a session of its own, which is closed after it. */
export function createAnswerer(chats: ChatRegistry, random: Random): Answerer {
  return (speaker) => {
    const { network, username } = speaker;
    const session = `evaluation ${random.id()}`;
    return {
      async ask(text, signal) {
        try {
          const turn = random.id();
          const request = requestOf(speaker, text, turn);
          return { ...(await hearAll(hear(chats, request, session, signal), signal)).report, turn };
        } catch (error) {
          if (!(error instanceof TurnFailure) || signal.aborted) throw error;
          const failure = { code: error.code, error: error.message };
          return {
            answer: undefined,
            failure,
            sources: [],
            timingsMs: {},
            usage: { inputTokens: 0, outputTokens: 0 },
          };
        }
      },
      async close() {
        const chat = chats.find({ network, username }, session);
        if (chat !== undefined) await chats.close(chat, "closed");
      },
    };
  };
}

function requestOf(speaker: Speaker, text: string, id: string): TurnRequest {
  const { network, username, groups, features, mode, language } = speaker;
  return {
    id,
    user: { network, username },
    text,
    responseType: "text",
    features,
    groups,
    ...(mode === undefined ? {} : { mode }),
    ...(language === undefined ? {} : { language }),
  };
}
