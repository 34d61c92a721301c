/** What `readback ask` shows of a guide, where the service is this machine's: the step, how far it is, what can be said. */
import { loadTexts } from "../compose/answering.js";
import type { Config } from "../config/schema.js";
import type { User } from "../domain/user.js";
import { opened } from "../guide/runner.js";
import { shownRun } from "../guide/speech/sayings.js";
import { StoreUnusable } from "../store/dead-letters.js";
import { openGuideRuns } from "../store/embedded-guide-runs.js";
import { openRuns } from "../store/guide-runs.js";

/** Lines about the guide that leads this user; none where no guide does, or its runs cannot be read here. */
export async function guideNote(config: Config, user: User): Promise<readonly string[]> {
  try {
    return await noteOf(config, user);
  } catch (error) {
    if (error instanceof StoreUnusable) return [];
    throw error;
  }
}

async function noteOf(config: Config, user: User): Promise<readonly string[]> {
  const runs = await openGuideRuns(config.dataDir);
  try {
    const [stored] = await openRuns(runs, user);
    if (stored === undefined) return [];
    const { index, run } = opened(stored);
    const { locales } = await loadTexts(config);
    const { canSay, guide, progress, step } = shownRun(index, run, locales.of(index.guide.language));
    return [`${guide}: ${progress} ${step}`, canSay];
  } finally {
    await runs.close();
  }
}
