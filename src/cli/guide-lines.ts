/** The lines of a run that a terminal shows: the step, how far it is, what can be said. */
import { loadTexts } from "../compose/answering.js";
import type { Config } from "../config/schema.js";
import { opened } from "../guide/runner.js";
import { shownRun } from "../guide/speech/sayings.js";
import type { StoredGuideRun } from "../store/guide-runs.js";

export async function guideLines(config: Config, stored: StoredGuideRun): Promise<readonly string[]> {
  const { index, run } = opened(stored);
  const { locales } = await loadTexts(config);
  const { canSay, guide, progress, step } = shownRun(index, run, locales.of(index.guide.language));
  return [`${guide}: ${progress} ${step}`, canSay];
}
