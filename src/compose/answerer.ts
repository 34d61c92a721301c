/** An evaluation asks as the doors do: over the same chats and the same `runTurn` as the radio. */

import { hear, hearAll } from "../chat/door.js";
import type { ChatRegistry } from "../chat/registry.js";
import { TurnFailure } from "../domain/failure.js";
import type { TurnRequest } from "../domain/turn.js";
import type { Answerer, EvaluationQuestion } from "../evaluation/answerer.js";
import type { Random } from "../lib/random.js";

/** Each question has a session of its own, which is closed after the answer: nothing is remembered from one to the next. */
export function createAnswerer(chats: ChatRegistry, random: Random): Answerer {
  return async (question, signal) => {
    const request = requestOf(question, random.id());
    const session = `evaluation ${request.id}`;
    try {
      return (await hearAll(hear(chats, request, session, signal), signal)).report;
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
    } finally {
      const chat = chats.find(request.user, session);
      if (chat !== undefined) await chats.close(chat, "closed");
    }
  };
}

function requestOf(question: EvaluationQuestion, id: string): TurnRequest {
  const { network, username, groups, text, features, mode, language, history } = question;
  return {
    id,
    user: { network, username },
    text,
    responseType: "text",
    features,
    groups,
    ...(mode === undefined ? {} : { mode }),
    ...(language === undefined ? {} : { language }),
    ...(history === undefined ? {} : { history }),
  };
}
