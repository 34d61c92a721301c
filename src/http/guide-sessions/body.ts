/** Sessions that build guides as replies have them. */

import { markedSteps } from "../../guide/builder/review.js";
import type { BuilderSession } from "../../guide/builder/session.js";
import { guideFile } from "../../guide/schema/read-guide.js";
import { validateGuide } from "../../guide/validation/validate.js";

export function sessionSummary(session: BuilderSession) {
  const { guide, id, owner, phase, state, updatedAtMs, version } = session;
  const { status } = state;
  return {
    ...{ id, version, owner, phase, status, name: guide.name, flow_type: guide.flowType },
    ...("by" in state && { approved_by: state.by }),
    ...("guide" in state && { published: { guide: state.guide, version: state.guideVersion } }),
    updated_at: time(updatedAtMs),
  };
}

/** All of it but what can be taken back, of which only the number is told. */
export function sessionBody(session: BuilderSession, messagesLeft: number) {
  const { guide, messages, suggestions, trail, undo, usage } = session;
  const { costUsd, inputTokens, outputTokens } = usage;
  return {
    ...sessionSummary(session),
    says: messages.findLast(({ role }) => role === "builder")?.text,
    messages_left: messagesLeft,
    guide: guideFile(guide),
    marked: markedSteps(session),
    findings: validateGuide(guide),
    messages: messages.map(({ action, atMs, by, focal, role, text }) => {
      return { at: time(atMs), role, by, text, action, focal_step_id: focal };
    }),
    suggestions: suggestions.map(({ action, atMs, by, id, patches, status }) => {
      return { id, at: time(atMs), action, status, by, patches };
    }),
    undo_left: undo.length,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd },
    trail: trail.map(({ about, atMs, by, what }) => ({ at: time(atMs), by, what, about })),
  };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
