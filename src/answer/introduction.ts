/**
 * What a newcomer hears who asks who is there, what can be asked or checked, or whether anybody hears: a short true
 * answer, things of the site that this user may know of, and three questions that the documents answer which this user
 * may read.
 */

import type { AskRequest, Draft } from "../capability/capability.js";
import { END } from "../capability/draft.js";
import type { Access } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { orElse, withDeadline } from "../lib/deadline.js";
import { canCheck, NAMED_MAX } from "../locale/can-check.js";
import { type Retrieval, SearchUnavailable } from "../retrieval/port.js";
import type { Suggestions } from "./suggestions.js";

export interface IntroductionDeps {
  readonly clock: Clock;
  readonly retrieval: Pick<Retrieval, "contents" | "outline">;
  readonly suggestions: Pick<Suggestions, "suggest">;
  /** Things of the site that an access may know of, in the order in which they are named; absent: there is no site. */
  readonly things?: ((access: Access) => readonly KnownThing[]) | undefined;
}

export interface KnownThing {
  /** Id of the resource. */
  readonly id: string;
  readonly name: string;
}

const QUESTIONS = 3;

/** Time to find them; then the answer comes without. */
export const INTRODUCTION_MS_MAX = 3_000;

export function createIntroduction(deps: IntroductionDeps): Draft {
  return async function* (request, signal) {
    const { access, locale } = request;
    const offered = await offeredTo(request, deps, signal);
    // Whoever may not read them any more is not told of them again either.
    if (offered !== undefined) yield { type: "passages", passages: offered.passages };
    yield { type: "phrase", text: locale.say("introduction") };
    const things = deps.things?.(access) ?? [];
    const names = things.map(({ name }) => name);
    // Whoever may not know of one of them any more is not told of it again.
    const sources = things.slice(0, NAMED_MAX).map(({ id }) => ({ type: "resource", id }) as const);
    if (things.length > 0) yield { type: "phrase", text: canCheck(names, locale), sources };
    if (offered?.isEmpty === true) yield { type: "phrase", text: locale.say("introduction_no_documents") };
    if (offered !== undefined && offered.questions.length > 0)
      yield { type: "phrase", text: [locale.say("introduction_examples"), ...offered.questions].join(" ") };
    yield END;
  };
}

/** What may be asked, with the beginning of each document behind it; `undefined` where it is not found out in time. */
async function offeredTo(
  { access, locale, persona }: AskRequest,
  { clock, retrieval, suggestions }: IntroductionDeps,
  signal: AbortSignal,
) {
  const find = async (within: AbortSignal) => {
    const wanted = { access, persona, locale, count: QUESTIONS };
    const { documentIds, questions } = await suggestions.suggest(wanted, within);
    const contents = documentIds.map((id) => retrieval.contents(id, access, 1, within));
    const passages = (await Promise.all(contents)).flat();
    const isEmpty =
      questions.length === 0 &&
      (await retrieval.outline(access, { documentsMax: 1, headingsMax: 0 }, within)).length === 0;
    return { isEmpty, passages, questions };
  };
  const found = withDeadline(clock, "the introduction", INTRODUCTION_MS_MAX, signal, find);
  return orElse(found, signal, () => undefined, SearchUnavailable);
}
