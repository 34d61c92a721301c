/**
 * What the router remembers of a chat: the last routes, each with the beginning of its message. References are
 * resolved with it ("the same for the other one"); it never makes a route more likely.
 */
import type { HistoryEntry } from "../domain/turn.js";

/** The route of an earlier turn. */
export interface PastRoute {
  /** Name of the route that the turn took. */
  readonly route: string;
  /** The beginning of the message, at most `TOPIC_CHARS_MAX` characters. */
  readonly topic: string;
}

export const PAST_ROUTES_MAX = 6;

export const TOPIC_CHARS_MAX = 60;

/**
 * The last turns that were answered, newest last. A history that a caller brings along does not say which route it took:
 * that counts as `usual`.
 */
export function pastRoutes(history: readonly HistoryEntry[], usual: string): readonly PastRoute[] {
  return history
    .flatMap(({ role, answer }, i): PastRoute[] => {
      const question = history[i - 1];
      if (role !== "assistant" || question?.role !== "user") return [];
      return [{ route: answer?.route.route ?? usual, topic: topicOf(question.text) }];
    })
    .slice(-PAST_ROUTES_MAX);
}

/** The message on one line, cut to whole characters. */
export function topicOf(message: string): string {
  const line = message.replace(/[\s\p{Cc}]+/gu, " ").trim();
  let topic = "";
  for (const character of line) {
    if (topic.length + character.length > TOPIC_CHARS_MAX) break;
    topic += character;
  }
  return topic.trimEnd();
}
