/** What `readback ask` shows of a guide, where the service is this machine's: the step, how far it is, what can be said. */
import type { Config } from "../config/schema.js";
import type { User } from "../domain/user.js";
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
    // Guides and their commands in all languages take longer to load than a question takes to be answered.
    return stored === undefined ? [] : (await import("./guide-lines.js")).guideLines(config, stored);
  } finally {
    await runs.close();
  }
}
