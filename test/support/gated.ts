/** A capability behind the real gate, without delivery: what the user is told, and the answer that the chat keeps. */

import { phrasesFor } from "../../src/answer/phrases.js";
import type { AskRequest, Draft } from "../../src/capability/capability.js";
import type { Answer } from "../../src/domain/answer.js";
import { distinctSources, documentSources } from "../../src/domain/source-ref.js";
import type { HistoryEntry } from "../../src/domain/turn.js";
import { type Clock, systemClock } from "../../src/lib/clock.js";
import { Gate } from "../../src/turn/gate.js";
import { RecordedEvents } from "./events.js";
import { english } from "./locales.js";

export const talkAccess = { network: "plant", username: "ann", groups: [], kiosk: false } as const;

/** For answers in which no model is to speak of an emergency. */
export const noEmergency: Draft = () => {
  throw new Error("the model speaks of an emergency");
};

export function askRequest(more: Partial<AskRequest> = {}): AskRequest {
  return {
    question: "",
    history: [],
    access: talkAccess,
    locale: english,
    persona: "default",
    responseType: "audio",
    telemetry: new RecordedEvents(),
    beginByMs: 20_000,
    rewind: () => true,
    ...more,
  };
}

/** The answer to a request, checked by the gate. */
export async function gatedAnswer(
  capability: Draft,
  more: Partial<AskRequest>,
  clock: Pick<Clock, "now"> = systemClock,
): Promise<Answer> {
  const request = askRequest(more);
  const { persona, question } = request;
  const route = { route: "test", layer: "default", confidence: 1 } as const;
  const phrases = phrasesFor(persona, request.locale);
  const gate = new Gate({ question, persona, phrases, route, nowMs: () => clock.now() }, () => 0);
  const rewind = () => {
    if (!request.rewind()) return false;
    gate.rewind();
    return true;
  };
  const draft = capability({ ...request, rewind }, new AbortController().signal);
  let answer: Answer | undefined;
  for await (const event of gate.run(draft)) if (event.type === "answer") answer = event.answer;
  if (answer === undefined) throw new Error("the draft ended without an answer");
  return answer;
}

/** The two lines that a chat keeps of a turn. */
export function remembered(question: string, answer: Answer): readonly HistoryEntry[] {
  const sources = distinctSources(documentSources(answer.passages.map(({ documentId }) => documentId)));
  return [
    { role: "user", text: question, sources },
    { role: "assistant", text: answer.text, sources, answer },
  ];
}
