/**
 * Sessions that build guides as they are kept, by network and owner. What a session holds is the guide's business; here it
 * is a text.
 */

export type GuideSessionStatus = "open" | "approved" | "published" | "withdrawn" | "archived";

export interface StoredGuideSession {
  readonly id: string;
  readonly network: string;
  readonly owner: string;
  readonly status: GuideSessionStatus;
  /** Milliseconds since the Unix epoch. */
  readonly updatedAtMs: number;
  /** The session, as JSON. */
  readonly text: string;
}

export interface GuideSessionsQuery {
  /** Absent: of every network. */
  readonly network?: string | undefined;
  readonly owner?: string | undefined;
  readonly statuses?: readonly GuideSessionStatus[] | undefined;
  /** Changed before that, in Unix milliseconds. */
  readonly updatedBeforeMs?: number | undefined;
  readonly limit: number;
}

/** Archived sessions that are kept; beyond that the oldest go. */
export const ARCHIVED_SESSIONS_MAX = 1_000;

/** Every method rejects with `StoreUnusable`. */
export interface GuideSessions {
  /** Writes a session, in the place of what was kept under its id. Resolves when it is kept. */
  save(session: StoredGuideSession): Promise<void>;
  byId(network: string, id: string): Promise<StoredGuideSession | undefined>;
  /** What was written last comes first. */
  list(query: GuideSessionsQuery): Promise<readonly StoredGuideSession[]>;
  close(): Promise<void>;
}

/** Keeps them as long as the process lives. */
export class MemoryGuideSessions implements GuideSessions {
  /** What was written last comes last. */
  readonly #byId = new Map<string, StoredGuideSession>();

  constructor(private readonly archivedMax = ARCHIVED_SESSIONS_MAX) {}

  async save(session: StoredGuideSession): Promise<void> {
    this.#byId.delete(session.id);
    this.#byId.set(session.id, { ...session });
    const archived = [...this.#byId.values()].filter(({ status }) => status === "archived");
    for (const { id } of archived.slice(0, -this.archivedMax)) this.#byId.delete(id);
  }

  async byId(network: string, id: string): Promise<StoredGuideSession | undefined> {
    const session = this.#byId.get(id);
    return session?.network === network ? session : undefined;
  }

  async list({ limit, network, owner, statuses, updatedBeforeMs }: GuideSessionsQuery) {
    return [...this.#byId.values()]
      .filter(
        (session) =>
          (network === undefined || session.network === network) &&
          (owner === undefined || session.owner === owner) &&
          (statuses === undefined || statuses.includes(session.status)) &&
          (updatedBeforeMs === undefined || session.updatedAtMs < updatedBeforeMs),
      )
      .toReversed()
      .slice(0, limit);
  }

  async close(): Promise<void> {}
}
