/** Sessions that build guides, put together: where they are kept, which model drafts, and what archives them. */
import type { Config } from "../config/schema.js";
import { GuideBuilder } from "../guide/builder/builder.js";
import type { GuideLibrary } from "../guide/library/library.js";
import type { BuildingDoor } from "../http/guide-sessions/door.js";
import { type Clock, every, type Timer } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import type { Prompts } from "../llm/prompts.js";
import type { Locales } from "../locale/locales.js";
import { StoreUnusable } from "../store/dead-letters.js";
import { openGuideSessions } from "../store/embedded-guide-sessions.js";
import { MemoryGuideSessions } from "../store/guide-sessions.js";
import type { Telemetry } from "../telemetry/events.js";
import type { Models } from "./models.js";

/** Messages of people in one session, by plan. */
const MESSAGES_MAX = { free: 10, paid: 25 } as const;
/** Between two looks for sessions that nobody touches any more, in milliseconds. */
const ARCHIVE_EVERY_MS = 86_400_000;

export interface Building extends BuildingDoor {
  /** Archives what is idle, now and daily. */
  start(): void;
  close(): Promise<void>;
}

export interface BuildingDeps extends Pick<BuildingDoor, "access" | "remembered"> {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly locales: Locales;
  readonly prompts: Prompts;
  readonly models: Pick<Models, "drafting">;
  readonly library: GuideLibrary;
}

/** Sessions that cannot be kept on disk are kept in memory. */
export async function createBuilding(
  { dataDir, guides }: Pick<Config, "dataDir" | "guides">,
  { access, clock, library, locales, models, prompts, random, remembered, telemetry }: BuildingDeps,
): Promise<Building> {
  const fault = (error: unknown) =>
    telemetry.emit({ type: "service_fault", where: "the sessions that build guides", error: String(error) });
  const sessions = await openGuideSessions(dataDir).catch((error: unknown) => {
    if (!(error instanceof StoreUnusable)) throw error;
    fault(error);
    return new MemoryGuideSessions();
  });
  const slots = models.drafting;
  const tiers = slots && { full: slots.full.model, light: slots.light.model };
  const drafting = tiers && { clock, prompts, models: tiers };
  const messagesMax = (network: string) => MESSAGES_MAX[guides.planByNetwork[network] ?? guides.plan];
  const builder = new GuideBuilder({ clock, random, locales, library, sessions, drafting, messagesMax });
  let daily: Timer | undefined;
  let archiving: Promise<unknown> = Promise.resolve();
  const archive = () => {
    archiving = builder.archiveIdle().catch(fault);
  };
  return {
    ...{ builder, access, remembered },
    start: () => {
      archive();
      daily = every(clock, ARCHIVE_EVERY_MS, archive);
    },
    close: async () => {
      daily?.cancel();
      await archiving;
      await sessions.close();
    },
  };
}
