/**
 * "Repeat", "source" and "say that again slower": answered from the answer that the chat keeps, without a model and
 * without a search. What the user may not read any more is not in the history of the turn, and so is not said again.
 */

import type { AskRequest, Draft } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { Answer } from "../domain/answer.js";
import { isWarningText } from "../extractive/passage-units.js";
import { type Clock, systemClock } from "../lib/clock.js";
import type { Locale } from "../locale/locale.js";
import type { Replay } from "../routing/router.js";
import { type Phrases, phrasesFor } from "./phrases.js";
import {
  type Earlier,
  earlierAnswers,
  evidenceOf,
  heardEvidence,
  heardPhrase,
  isStep,
  retell,
  saidClaims,
  sourcesOf,
  systemsOf,
} from "./retelling.js";

/** The draft for this command. */
export function createReplay(what: Replay, clock: Pick<Clock, "now"> = systemClock): Draft {
  return async function* (request) {
    const phrases = phrasesFor(request.persona, request.locale);
    const earlier = earlierAnswers(request.history);
    if (what === "source") yield* sourceOf(request, earlier, phrases, clock.now());
    else yield* again(what, earlier[0], phrases);
  };
}

function* again(
  what: "repeat" | "slower",
  last: Earlier | undefined,
  phrases: Phrases,
): Generator<DraftEvent> {
  if (last === undefined) {
    yield* nothingSaid(phrases);
    return;
  }
  if (last.answer === undefined) {
    yield* heardAgain(last, phrases);
    return;
  }
  const { answer } = last;
  yield { type: "about", question: last.question };
  yield* evidenceOf(answer);
  const steps = saidClaims(answer).filter(isStep);
  if (what === "slower" && steps.length > 1) yield* oneStep(answer, phrases);
  else {
    yield* retell(answer);
    yield endLike(answer);
  }
}

/** The warnings and the first step; "continue" brings the next. */
function* oneStep(answer: Answer, phrases: Phrases): Generator<DraftEvent> {
  const claims = saidClaims(answer);
  const first = claims.find(isStep)!;
  const warnings = claims.filter(({ text }) => isWarningText(text));
  yield { type: "text", text: [...warnings, first].map(({ text }) => text).join("\n\n") };
  yield { type: "phrase", text: phrases.talk.nextStep };
  yield { type: "end", searched: "not_needed", degraded: answer.degraded, outcome: "answered" };
}

/** What was heard of an answer that broke off; a line that only the caller remembers is what the caller sent. */
function* heardAgain(last: Earlier, phrases: Phrases): Generator<DraftEvent> {
  const { heard, isOurs, question } = last;
  if (isOurs) {
    yield heardPhrase(last);
    yield { type: "end", searched: "not_needed", degraded: true, outcome: "answered" };
    return;
  }
  // It may have been introduced like that when it was said before.
  const { fromAttached } = phrases;
  const words = heard.startsWith(fromAttached) ? heard.slice(fromAttached.length).trimStart() : heard;
  yield { type: "about", question };
  yield heardEvidence(last, fromAttached, words);
  yield { type: "text", text: words };
  yield { type: "end", searched: "not_needed", degraded: false };
}

/** The source of the last answer that claimed something: its documents, on a screen with their words, and its systems. */
function* sourceOf(
  { persona, responseType }: AskRequest,
  earlier: readonly Earlier[],
  phrases: Phrases,
  nowMs: number,
): Generator<DraftEvent> {
  const last = earlier.find(({ answer }) => answer === undefined || !isAboutNothing(answer));
  if (last === undefined) {
    yield* nothingSaid(phrases);
    return;
  }
  const sources = last.answer === undefined ? [] : sourcesOf(last.answer, phrases.locale);
  const systems = last.answer && systemsOf(last.answer);
  if (last.answer === undefined || (sources.length === 0 && systems === undefined)) {
    const { noSource, unknownSource } = phrases.talk;
    yield { type: "phrase", text: last.answer === undefined && !last.isOurs ? unknownSource : noSource };
    yield { type: "end", searched: "not_needed", degraded: false, outcome: "answered" };
    return;
  }
  yield { type: "about", question: last.question };
  yield* evidenceOf(last.answer);
  if (sources.length > 0) {
    const names = sources.map(({ source }) => source);
    yield { type: "phrase", text: phrases.talk.source(inOneBreath(names, phrases.locale)) };
  }
  if (systems !== undefined)
    yield { type: "phrase", text: phrases.talk.systems(systems.names, nowMs - systems.takenAtMs) };
  if (responseType === "text" && persona !== "kiosk") {
    yield { type: "text", text: sources.map(({ quote }) => quote).join("\n\n") };
  }
  yield { type: "end", searched: "not_needed", degraded: false, outcome: "answered" };
}

/** Small talk, or itself an answer about a source: the one before is meant. */
function isAboutNothing({ claims, outcome }: Answer): boolean {
  return outcome === "answered" && !claims.some(({ said }) => said);
}

function inOneBreath(sources: readonly string[], locale: Locale): string {
  return sources.reduce((first, second) => locale.say("from_two_sources", { first, second }));
}

function* nothingSaid(phrases: Phrases): Generator<DraftEvent> {
  yield { type: "phrase", text: phrases.talk.nothingSaid };
  yield { type: "end", searched: "not_needed", degraded: false, outcome: "ambiguous" };
}

/** As the answer ended; where it claimed nothing, the words that it consisted of are said again, no more. */
function endLike(answer: Answer): DraftEvent {
  const claimed = answer.claims.some(({ said }) => said);
  const outcome = !claimed && answer.outcome === "partial" ? "answered" : answer.outcome;
  return { type: "end", searched: "not_needed", degraded: answer.degraded, outcome };
}
