/** What comes of something that was said: changes, suggestions, phases, and what is said back. Pure. */
import type { Locale } from "../../locale/locale.js";
import type { DraftedTurn } from "./drafting.js";
import { tryPatches } from "./patch.js";
import { offlineAnswer, phaseOfQuestion, phasesTo, questionText } from "./questions.js";
import { markedSteps } from "./review.js";
import { type BuilderAction, type BuilderSession, mayFollow, type SessionEvent } from "./session.js";

export interface TakenTurn {
  readonly events: readonly SessionEvent[];
  readonly says: string;
  /** The fixed question that is open then. */
  readonly asked?: string | undefined;
  /** What was not taken into the guide, and what to do. */
  readonly errors: readonly string[];
}

/** Answers by the fixed question that is open, and asks the next one; where the answer does not fit, the same again. */
export function offlineTurn(session: BuilderSession, text: string, locale: Locale): TakenTurn {
  const { asked, guide, owner, phase } = session;
  const { next, patches, remedy } = offlineAnswer(asked, {
    guide,
    marked: markedSteps(session),
    text,
    locale,
  });
  if (remedy !== undefined) return { events: [], says: remedy, asked, errors: [] };
  const author = { type: "person", name: owner } as const;
  const tried = tryPatches(session, patches, author);
  if (tried.type === "refused") {
    const says = [locale.say("guide_build_refused"), ...tried.errors].join("\n");
    return { events: [], says, asked, errors: tried.errors };
  }
  const changed = patches.length === 0 ? [] : [{ type: "patched", author, patches } as const];
  const to = next === undefined ? "generation" : phaseOfQuestion(next);
  const moved = phasesTo(phase, to).map((one) => ({ type: "moved", by: "service", phase: one }) as const);
  const says =
    next === undefined ? locale.say("guide_build_ready") : questionText(next, tried.draft.guide, locale);
  return { events: [...changed, ...moved], says, asked: next, errors: [] };
}

/**
 * What a model replied, applied where all is agreed, and suggested where people are to say so first: it asks something, it
 * is about one step, or somebody has changed the guide since `heard`.
 */
export function draftedTurn(
  heard: BuilderSession,
  session: BuilderSession,
  action: BuilderAction,
  { asks, errors, patches, phase: wanted, say }: DraftedTurn,
  locale: Locale,
): TakenTurn {
  const isWhole = action === "generate_full";
  const isSame = JSON.stringify(heard.guide) === JSON.stringify(session.guide);
  const isApplied = isSame && (isWhole || (action === "open_chat" && !asks));
  const follows = wanted !== undefined && mayFollow(session.phase, wanted) ? [wanted] : [];
  const phases = isWhole && patches.length > 0 ? phasesTo(session.phase, "discovery") : follows;
  const moved = phases.map((phase) => ({ type: "moved", by: "model", phase }) as const);
  const change: SessionEvent = isApplied
    ? { type: "patched", author: { type: "model" }, patches }
    : { type: "suggested", patches, action };
  const fixed = isApplied && patches.length > 0 && !asks ? locale.say("guide_build_ask_next") : "";
  const said =
    errors.length > 0 ? locale.say("guide_build_refused") : say || locale.say("guide_build_changed");
  return {
    events: [...moved, ...(patches.length === 0 ? [] : [change])],
    says: `${said} ${fixed}`.trim(),
    errors,
  };
}
