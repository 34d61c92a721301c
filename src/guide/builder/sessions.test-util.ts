/** Sessions for tests. */
import type { Guide } from "../schema/guide.js";
import type { BuilderSession } from "./session.js";

/** A session of ann's about a guide that she wrote. */
export function sessionOf(guide: Guide, fields: Partial<BuilderSession> = {}): BuilderSession {
  return {
    ...{ id: "build-1", network: "plant", owner: "ann", createdAtMs: 0, updatedAtMs: 0, version: 1 },
    ...{
      state: { status: "open" },
      phase: "discovery",
      guide,
      messages: [],
      said: 0,
      suggestions: [],
      undo: [],
    },
    backing: guide.steps.map(({ id }) => ({ step: id, who: "ann" })),
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    trail: [],
    ...fields,
  };
}
