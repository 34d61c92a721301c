/**
 * What was answered, said again in the words that it had: "repeat", "source", "slower", "shorter" and the like, without
 * a model and without a search. What the user may not read any more is not in the history of the turn, and so is not
 * said again.
 */

import type { Draft } from "../capability/capability.js";
import { type DraftEvent, END } from "../capability/draft.js";
import type { Answer, Outcome } from "../domain/answer.js";
import { isWarningText } from "../extractive/passage-units.js";
import { type Clock, systemClock } from "../lib/clock.js";
import type { Replay } from "../routing/router.js";
import { type Phrases, phrasesFor } from "./phrases.js";
import {
  continuationOf,
  type Earlier,
  earlierAnswers,
  evidenceFor,
  gistOf,
  isStep,
  retell,
  saidClaims,
  sourcesOf,
  systemsOf,
  takenAt,
  wordsOf,
} from "./retelling.js";
import type { TalkIntent } from "./talk-intent.js";

/** The draft for this command. */
export function createReplay(what: Replay, clock: Pick<Clock, "now"> = systemClock): Draft {
  return async function* ({ history, locale, persona, responseType }) {
    const phrases = phrasesFor(persona, locale);
    const earlier = earlierAnswers(history);
    const last = what === "source" ? earlier.find(saysSomething) : earlier[0];
    if (last === undefined) return yield* nothingSaid(phrases);
    yield { type: "about", question: last.question };
    yield* evidenceFor(last, phrases);
    const degraded = what !== "source" && (last.answer?.degraded ?? last.isOurs);
    const quotes = responseType === "text" && persona !== "kiosk";
    yield* saidAgain({ what, degraded, quotes, nowMs: clock.now() }, last, phrases);
  };
}

/** Small talk is passed over, and an answer about a source itself: the one before is meant. */
function saysSomething({ answer }: Earlier): boolean {
  return answer === undefined || answer.outcome !== "answered" || answer.claims.some(({ said }) => said);
}

/** That there is nothing to be said again. */
export function nothingSaid({ talk }: Phrases): readonly DraftEvent[] {
  return [phrase(talk.nothingSaid), { ...END, outcome: "ambiguous" }];
}

export interface SaidAgainJob {
  readonly what: Replay | TalkIntent;
  readonly degraded: boolean;
  /** Whether a source comes with its words. */
  readonly quotes?: boolean;
  /** In Unix milliseconds. */
  readonly nowMs: number;
}

/** The best that can be done with the words that are there. */
export function* saidAgain(job: SaidAgainJob, last: Earlier, phrases: Phrases): Generator<DraftEvent> {
  const { inTheirWords, needsModel, noSource, unknownSource } = phrases.talk;
  const { degraded, what } = job;
  const { answer, heard: text, isOurs, readAtMs } = last;
  const end = { ...END, degraded };
  const isAsItWas = what === "repeat" || what === "slower";
  if (answer === undefined) {
    if (what === "source") yield phrase(isOurs ? noSource : unknownSource);
    else {
      if (!isAsItWas) yield phrase(inTheirWords);
      yield isOurs
        ? { type: "phrase", text, ...takenAt(readAtMs) }
        : { type: "text", text: wordsOf(last, phrases.fromAttached) };
    }
    return yield end;
  }
  const part = partOf(job, answer, phrases);
  if (part !== undefined) {
    yield* part.events;
    return yield { ...end, outcome: part.outcome ?? "answered" };
  }
  const claimed = answer.claims.some(({ said }) => said);
  // Where nothing was claimed there are no words of documents to tell again.
  if (claimed && !isAsItWas) yield phrase(what === "translate" ? needsModel : inTheirWords);
  yield* retell(answer, isAsItWas ? [] : [needsModel, inTheirWords]);
  yield { ...end, outcome: claimed || answer.outcome !== "partial" ? answer.outcome : "answered" };
}

/** What of an answer is wanted, or what follows it; undefined where that is all of it. Without an outcome it is answered. */
function partOf(
  { nowMs, quotes = false, what }: SaidAgainJob,
  answer: Answer,
  phrases: Phrases,
): { readonly events: readonly DraftEvent[]; readonly outcome?: Outcome } | undefined {
  const { nextStep, nothingMore } = phrases.talk;
  switch (what) {
    case "continue": {
      const next = continuationOf(answer);
      return { events: [next.length > 0 ? texts(next) : phrase(nothingMore)] };
    }
    case "slower": {
      const claims = saidClaims(answer);
      const [first, second] = claims.filter(isStep);
      if (first === undefined || second === undefined) return undefined;
      const warnings = claims.filter(({ text }) => isWarningText(text));
      return { events: [texts([...warnings, first].map(({ text }) => text)), phrase(nextStep)] };
    }
    case "shorter": {
      const { procedure, sentences } = gistOf(answer);
      if (sentences.length === 0) return undefined;
      if (procedure === undefined) return { events: [texts(sentences)] };
      const isPart = phrase(phrases.partOfProcedure(procedure.title));
      return { events: [isPart, texts(sentences)], outcome: "partial" };
    }
    case "meaning": {
      const sources = sourcesOf(answer, phrases.locale);
      const events = sources.flatMap(({ quote, source }) => [
        phrase(phrases.says(source)),
        { type: "text", text: `${quote}\n\n` } as const,
      ]);
      return events.length === 0 ? undefined : { events };
    }
    case "source":
      return { events: sourceEvents(answer, quotes, nowMs, phrases) };
    default:
      return undefined;
  }
}

/** The documents that an answer rests on, on a screen with their words, and its systems. */
function sourceEvents(
  answer: Answer,
  quotes: boolean,
  nowMs: number,
  { locale, talk }: Phrases,
): readonly DraftEvent[] {
  const sources = sourcesOf(answer, locale);
  const systems = systemsOf(answer);
  if (sources.length === 0 && systems === undefined) return [phrase(talk.noSource)];
  const named = sources.map(({ source }) => source);
  const inOneBreath = (first: string, second: string) => locale.say("from_two_sources", { first, second });
  return [
    ...(named.length > 0 ? [phrase(talk.source(named.reduce(inOneBreath)))] : []),
    ...(systems === undefined ? [] : [phrase(talk.systems(systems.names, nowMs - systems.takenAtMs))]),
    ...(quotes && named.length > 0 ? [texts(sources.map(({ quote }) => quote))] : []),
  ];
}

function phrase(text: string): DraftEvent {
  return { type: "phrase", text };
}

function texts(parts: readonly string[]): DraftEvent {
  return { type: "text", text: parts.join("\n\n") };
}
