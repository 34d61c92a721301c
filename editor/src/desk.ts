/**
 * The session that is open, and everything that is done to it. Each change says which version was seen; where somebody
 * else was quicker, nothing is changed, the newest version is fetched, and the person is told.
 */
import type { Session } from "./guide.js";
import { MESSAGE_MS_MAX, Refused, type Service } from "./service.js";
import { say } from "./strings.js";

/** What came of a change; `why`: it was not made. */
export interface Outcome<T> {
  readonly why?: string;
  readonly reply?: Session & T;
}

interface Answer {
  /** What of a message was not taken into the guide. */
  readonly errors?: readonly string[];
}

export class Desk {
  #session: Session | undefined;
  /** One change after the other. */
  #line: Promise<unknown> = Promise.resolve();
  #changing = 0;
  /** What was said and has no answer yet. */
  #asked: string | undefined;
  /** What a model has said of its answer. */
  #said = "";
  /** When the page saw the last message first. */
  #heardMs = 0;

  constructor(
    readonly service: Service,
    /** Called with every version that comes. */
    private readonly show: (session: Session) => void,
    readonly tell: (text: string) => void,
    /** Called with what a model says, while it writes. */
    private readonly showSaid: (session: Session) => void,
  ) {}

  get session(): Session | undefined {
    return this.#session;
  }

  get said(): string {
    return this.#said;
  }

  get asked(): string | undefined {
    return this.#asked;
  }

  /** Whether somebody waits for an answer: here, in another tab, or before the page was loaded again. */
  get waits(): boolean {
    const isOpen = this.#session?.messages.at(-1)?.role === "person";
    // A service that was restarted meanwhile answers no more.
    return this.#asked !== undefined || (isOpen && performance.now() - this.#heardMs < MESSAGE_MS_MAX);
  }

  /** Does something and tells what comes in the way; whether nothing did. */
  async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.tell(reasonOf(error));
      return false;
    }
  }

  take(session: Session): void {
    const { id, messages, version = 0 } = this.#session ?? {};
    if (id === session.id && session.version < version) return;
    if (id !== session.id || messages?.length !== session.messages.length) this.#heardMs = performance.now();
    this.#session = session;
    this.show(session);
  }

  async open(id: string): Promise<void> {
    this.take(await this.service.get<Session>(`guide_sessions/${encodeURIComponent(id)}`));
  }

  leave(): void {
    this.#session = undefined;
  }

  /** Looks whether there is another version, and tells of what somebody else did. */
  async refresh(): Promise<void> {
    const before = this.#session;
    if (before === undefined || this.#changing > 0) return;
    const now = await this.service.get<Session>(`guide_sessions/${before.id}`);
    if (this.#session !== before || this.#changing > 0 || now.version <= before.version) return;
    const isExpected = this.waits;
    this.take(now);
    if (!isExpected) this.tell(say("changed_elsewhere"));
  }

  /** `seen`: the version that the person saw; the newest that the page has unless given. */
  change<T = object>(path: string, fields: object = {}, seen?: number): Promise<Outcome<T>> {
    this.#changing++;
    const work = this.#line.then(() => this.#changed<T>(path, fields, seen));
    this.#line = work.finally(() => this.#changing--);
    return work;
  }

  /** Whether the message was answered; where it was not, it does not count. */
  async ask(text: string, action: string, focal: string | undefined): Promise<boolean> {
    const session = this.#session;
    if (session === undefined || this.#asked !== undefined) return false;
    [this.#asked, this.#said] = [text, ""];
    this.show(session);
    const said = { version: session.version, text, action_type: action, focal_step_id: focal };
    const path = `guide_sessions/${session.id}/messages`;
    try {
      const answered = await this.service.say<Session & Answer>(path, said, (now) => {
        this.#said = now;
        if (this.#session?.id === session.id) this.showSaid(this.#session);
      });
      this.#asked = undefined;
      this.take(answered);
      this.tell((answered.errors ?? []).join("\n"));
      return true;
    } catch (error) {
      this.#asked = undefined;
      const why = await this.#why(error, session.version);
      // A message that got no answer is taken back: two versions more.
      const isFresh = this.#session?.id !== session.id || (await this.attempt(() => this.open(session.id)));
      if (!isFresh) this.show(session);
      this.tell(why);
      return false;
    }
  }

  async #changed<T>(path: string, fields: object, seen: number | undefined): Promise<Outcome<T>> {
    const { id, version } = this.#session!;
    const on = seen ?? version;
    try {
      const reply = await this.service.post<Session & T>(`guide_sessions/${id}/${path}`, {
        version: on,
        ...fields,
      });
      this.take(reply);
      this.tell("");
      return { reply };
    } catch (error) {
      const why = await this.#why(error, on);
      this.tell(why);
      return { why };
    }
  }

  /** In the service's own words; what is newer is shown first. */
  async #why(error: unknown, seen: number): Promise<string> {
    const session = this.#session;
    if (!(error instanceof Refused) || error.status !== CONFLICT || session === undefined)
      return reasonOf(error);
    await this.attempt(() => this.open(session.id));
    const isNewer = this.#session !== undefined && this.#session.version !== seen;
    return isNewer ? `${say("kept_text")} ${error.message}` : error.message;
  }
}

const CONFLICT = 409;

/** In the service's words where it said any. */
export function reasonOf(error: unknown): string {
  return error instanceof Refused ? error.message : say("offline");
}
