/**
 * Sessions that build guides as they are kept, by network and owner. What a session holds is the guide's business; here it
 * is a text.
 */
import { type KeptRow, type KeptRows, MemoryRows } from "./kept-rows.js";

export type GuideSessionStatus = "open" | "approved" | "published" | "withdrawn" | "archived";

export interface StoredGuideSession extends KeptRow {
  readonly owner: string;
  readonly status: GuideSessionStatus;
  /** The session, as JSON. */
  readonly text: string;
}

export type GuideSessions = KeptRows<StoredGuideSession>;

/** Archived sessions that are kept; beyond that the oldest go. */
export const ARCHIVED_SESSIONS_MAX = 1_000;
export const SESSIONS_OVER: readonly GuideSessionStatus[] = ["archived"];

/** Keeps them as long as the process lives. */
export class MemoryGuideSessions extends MemoryRows<StoredGuideSession> {
  constructor(keptMax = ARCHIVED_SESSIONS_MAX) {
    super({ over: SESSIONS_OVER, keptMax });
  }
}
