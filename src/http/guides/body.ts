/** Guides and their runs as replies have them. */
import { nameOf } from "../../guide/run/places.js";
import type { Moved, OpenRun } from "../../guide/runner.js";
import type { Guide } from "../../guide/schema/guide.js";

export function guideSummary({ description, flowType, id, language, name, owner, steps, ...rest }: Guide) {
  const { categories, origin, status, tags, version } = rest;
  const summary = { id, name, description, flow_type: flowType, status, version, language, owner };
  return { ...summary, tags, categories, steps: steps.length, origin: origin?.format };
}

export function runSummary({ id, index, run, startedAtMs }: OpenRun) {
  const { asks, place, status, user, values, version } = run;
  return {
    ...{ id, guide: index.guide.id, name: index.guide.name, version, user, status },
    started_at: new Date(startedAtMs).toISOString(),
    ...{ at: nameOf(place), waits_for: asks?.type, values },
  };
}

/** The run, and what is to be said now, in the guide's language. */
export function movedBody({ open, parts }: Moved) {
  return { ...runSummary(open), says: parts.map(({ text }) => text) };
}

/** Every entry of a run's record, as it was written down. */
export function recordBody(open: OpenRun) {
  const entries = open.run.log.map(({ at, atMs, by, text, what }) => {
    return { at: new Date(atMs).toISOString(), by, what, step: at, text };
  });
  return { ...runSummary(open), entries };
}
