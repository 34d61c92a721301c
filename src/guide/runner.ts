/**
 * Runs of guides: found, begun, taken on by the stepper, and kept before anything of it is said, so that they outlive the
 * process, a change of relay, and hours. What is read, operated and told to others goes through ports.
 */
import type { HeardReport } from "../capability/capability.js";
import type { SourceRef } from "../domain/source-ref.js";
import type { Access, User } from "../domain/user.js";
import { userKey } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { withDeadline } from "../lib/deadline.js";
import { InTurn } from "../lib/in-turn.js";
import type { Random } from "../lib/random.js";
import type { TextKey, ValuesOf } from "../locale/catalogue.js";
import type { Locale } from "../locale/locale.js";
import type { Locales } from "../locale/locales.js";
import { StoreUnusable } from "../store/dead-letters.js";
import { type GuideRuns, isOver, openRuns, RUNS_OVER, type StoredGuideRun } from "../store/guide-runs.js";
import type { Telemetry } from "../telemetry/events.js";
import type { GuideLibrary, GuideState } from "./library/library.js";
import { nameOf, stepAt } from "./run/places.js";
import type { GuideRun, SaidAction, Stepped, Values } from "./run/run.js";
import { beginRun, stepRun } from "./run/stepper.js";
import { indexGuide } from "./schema/graph.js";
import type { Guide, StepOf } from "./schema/guide.js";
import { guideFile, parseGuide } from "./schema/read-guide.js";
import { type ShownRun, sentencesOf, shownRun } from "./speech/sayings.js";

/** For a site to be read at a step, in milliseconds; a person is asked then. */
export const STEP_READ_MS_MAX = 8_000;
/** Readings in a row before something is said: a tree may read several before it asks a person. */
const READS_MAX = 20;

/** What a site says at a `check` step, as a sentence, and whether the step expects it. */
export interface StepReading {
  readonly said: string;
  readonly fits: boolean;
  /** Unix milliseconds. */
  readonly takenAtMs: number;
}

/** Undefined: it cannot be read now, or not for this access. Rejects with the signal's reason only. */
export type ReadStep = (
  step: StepOf<"check">,
  access: Access,
  locale: Locale,
  signal: AbortSignal,
) => Promise<StepReading | undefined>;

export interface GuideRunnerDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly locales: Locales;
  readonly library: GuideLibrary;
  readonly runs: GuideRuns;
  /** Absent where no site is connected. */
  readonly read?: ReadStep | undefined;
  /** Whether a document that the guide says has another revision by now; absent: nobody knows. */
  readonly isOutdated?:
    | ((guide: Guide, network: string, signal: AbortSignal) => Promise<boolean>)
    | undefined;
  /** Keeps the record of a run that is over where it cannot be changed; absent: the run alone has it. */
  readonly record?: ((run: OpenRun) => Promise<void>) | undefined;
}

/** A run with the guide that it began with, and what is kept beside it. */
export type OpenRun = Readonly<ReturnType<typeof opened>>;

/** What belongs to a run and is no matter of the stepper. */
export interface Besides {
  /** Id of the operation that it waits for. */
  readonly operation?: string | undefined;
  /** What its user was told last of the guide. */
  readonly told: GuideState;
  /** When its user wants to be told, in Unix milliseconds, and how long that was. */
  readonly timer?: { readonly atMs: number; readonly ms: number } | undefined;
  /** It is over, and its record is still to be written. */
  readonly unrecorded?: true | undefined;
}

/** Something that a guide says. `takenAtMs`: when what it rests on was read. */
export interface SaidPart {
  readonly text: string;
  readonly takenAtMs?: number;
  readonly sources: readonly SourceRef[];
}

/** What came of a step. */
export interface Moved {
  readonly open: OpenRun;
  readonly parts: readonly SaidPart[];
  /** Whether they hold all that its user is asked now. */
  readonly isAsked?: boolean;
}

/** Turns whose end is awaited at once; the oldest make room. */
const TURNS_MAX = 1_000;

export class GuideRunner {
  /** Users with a run that is not over, as far as this process knows. */
  readonly #leading = new Set<string>();
  /** One step of a run after the other. */
  readonly #inTurn = new InTurn();
  /** By id: runs whose record is still to be written. */
  readonly #unrecorded = new Map<string, OpenRun>();
  /** By id of the turn: what it says. */
  readonly #told = new Map<string, Moved>();

  constructor(private readonly deps: GuideRunnerDeps) {}

  /** Whether a guide leads this user: known at once, for what cannot wait. */
  leads(user: User): boolean {
    return this.#leading.has(userKey(user));
  }

  /** Whether a guide leads anybody. */
  get leadsAnybody(): boolean {
    return this.#leading.size > 0;
  }

  /**
   * Learns who is being led since before this process, and writes the records that it could not write. Rejects with
   * `StoreUnusable`.
   */
  async recover(): Promise<readonly OpenRun[]> {
    const { runs } = this.deps;
    const stored = await runs.list({ statuses: ["running", "paused"], limit: RECOVERED_MAX });
    for (const { network, user } of stored) this.#leading.add(userKey({ network, username: user }));
    const over = await runs.list({ statuses: RUNS_OVER, limit: UNRECORDED_MAX });
    for (const one of over) if (one.run.includes(UNRECORDED)) this.#unrecorded.set(one.id, opened(one));
    await this.#record();
    return stored.map(opened);
  }

  /** The run that somebody is in: of several, the one that was moved last. Rejects with `StoreUnusable`. */
  async open(user: User): Promise<OpenRun | undefined> {
    const [stored] = await openRuns(this.deps.runs, user);
    if (stored === undefined) this.#leading.delete(userKey(user));
    return stored && opened(stored);
  }

  /** Begins a run with the version of the guide that is given. Undefined: this user is in one, and nobody is in two. */
  begin(guide: Guide, access: Access, signal: AbortSignal, given: Values = {}): Promise<Moved | undefined> {
    return this.#inTurn.run(userKey(access), async () => {
      const isLed = (await this.open(access)) !== undefined;
      return isLed ? undefined : this.#begun(guide, access, signal, given);
    });
  }

  async #begun(guide: Guide, access: Access, signal: AbortSignal, given: Values): Promise<Moved> {
    const { clock, random } = this.deps;
    const index = indexGuide(guide);
    const atMs = clock.now();
    const first = beginRun(index, { atMs, by: access.username, given });
    const { network } = access;
    const fresh = { id: `run-${random.id()}`, network, startedAtMs: atMs, index };
    const open: OpenRun = { ...fresh, run: first.run, besides: { told: "current" } };
    const { id, version } = guide;
    const moved = await this.#finished(open, first, access, signal);
    this.deps.telemetry.emit({ type: "guide_run_started", user: access, guide: id, version });
    const isOutdated = (await this.deps.isOutdated?.(guide, network, signal)) === true;
    const begun = this.phrase(open, "guide_begin", { name: guide.name });
    const warned = isOutdated ? [this.phrase(open, "guide_outdated")] : [];
    return { ...moved, parts: [begun, ...warned, ...moved.parts] };
  }

  /** Takes a run on by one action of `access`. Rejects, with the run as it was, where that cannot be kept. */
  act(open: OpenRun, action: SaidAction, access: Access, signal: AbortSignal): Promise<Moved> {
    return this.#oneAfterTheOther(open, async (now) => {
      const stepped = stepRun(now.index, now.run, {
        ...action,
        atMs: this.deps.clock.now(),
        by: access.username,
      });
      // What was operated at one step says nothing of the next one.
      const { operation, ...others } = now.besides;
      const besides = action.type === "operated" ? others : now.besides;
      return this.#finished({ ...now, besides }, stepped, access, signal);
    });
  }

  /** A turn is about to say this; the last that it says so of counts. */
  tells(turn: string | undefined, moved: Moved | undefined): void {
    if (turn === undefined || moved === undefined) return;
    this.#told.set(turn, moved);
    const [oldest] = this.#told.keys();
    if (this.#told.size > TURNS_MAX) this.#told.delete(oldest!);
  }

  /** How a turn was heard. */
  heardIn({ isWhole, lastDueMs, turn }: HeardReport): void {
    const { clock } = this.deps;
    const moved = this.#told.get(turn);
    this.#told.delete(turn);
    const laterMs = lastDueMs === undefined ? 0 : lastDueMs - clock.monotonic();
    if (moved !== undefined && isWhole) this.heard(moved, clock.now() + laterMs);
  }

  /** All of it was heard, at `atMs`. Where that cannot be kept it is said again. */
  heard({ isAsked, open }: Moved, atMs = this.deps.clock.now()): void {
    if (isAsked !== true) return;
    const kept = this.#oneAfterTheOther(open, async (now) => {
      if (askedIn(now.run) !== askedIn(open.run)) return;
      const { run } = stepRun(now.index, now.run, { type: "heard", atMs, by: now.run.user });
      await this.#keep({ ...now, run });
    });
    void Promise.allSettled([kept]);
  }

  /** Keeps something beside a run. */
  note(open: OpenRun, besides: Partial<Besides>): Promise<OpenRun> {
    return this.#oneAfterTheOther(open, async (now) => {
      const noted = { ...now, besides: { ...now.besides, ...besides } };
      await this.#save(noted);
      return noted;
    });
  }

  /** A fixed text about a run, in the language of its guide. */
  phrase<Key extends TextKey>(open: OpenRun, key: Key, ...values: ValuesOf<Key>): SaidPart {
    return { text: this.#locale(open).say(key, ...values), sources: sourcesOf(open.index.guide) };
  }

  /** What a screen shows of the run that somebody is in; undefined: of none, or none that they may use. */
  async shown(access: Access, signal: AbortSignal): Promise<ShownRun | undefined> {
    const open = await this.open(access);
    const isUsable = open && (await this.deps.library.mayUse(open.index.guide, access, signal));
    if (!isUsable) return undefined;
    return shownRun(open.index, open.run, this.#locale(open));
  }

  /**
   * Pauses the run of somebody who has gone: whoever is there next does not go on with it unawares. Rejects as `act` does.
   */
  async leave(access: Access, signal: AbortSignal): Promise<void> {
    const open = await this.open(access);
    if (open?.run.status === "running") await this.act(open, { type: "pause" }, access, signal);
  }

  /** Reads what has to be read, keeps the run, and puts into words what is to be said. */
  async #finished(before: OpenRun, first: Stepped, access: Access, signal: AbortSignal): Promise<Moved> {
    const { clock, library } = this.deps;
    let open = { ...before, run: first.run };
    let { isAsked } = first;
    const parts = [...this.#news(before), ...this.#partsOf(open, first)];
    for (let reads = 0; reads < READS_MAX && isReading(open.run); reads++) {
      const reading = await this.#read(open, access, signal);
      const { said, fits = false } = reading ?? {};
      const event = { type: "reading", fits, ...(said !== undefined && { said }), by: "site" } as const;
      const stepped = stepRun(open.index, open.run, { ...event, atMs: clock.now() });
      open = { ...open, run: stepped.run };
      ({ isAsked } = stepped);
      parts.push(...this.#partsOf(open, stepped, reading));
    }
    const told = library.stateOf(open.network, open.index.guide);
    const unrecorded = isOver(open.run) && this.deps.record !== undefined ? true : undefined;
    open = { ...open, besides: { ...open.besides, told, unrecorded } };
    await this.#save(open).catch((error: unknown) => {
      // What only says something needs no disk; a run that begins does.
      const isNew = first.run === before.run || countedIn(open.run) !== countedIn(before.run);
      if (isNew || !(error instanceof StoreUnusable)) throw error;
    });
    this.#tell(before, open);
    if (unrecorded) {
      if (this.#unrecorded.size < UNRECORDED_MAX) this.#unrecorded.set(open.id, open);
      await this.#record();
    }
    return { open, parts, isAsked };
  }

  /** That the guide was changed or withdrawn since its user was told of it last. */
  #news(open: OpenRun): readonly SaidPart[] {
    const state = this.deps.library.stateOf(open.network, open.index.guide);
    if (state === open.besides.told || state === "current") return [];
    return [this.phrase(open, state === "changed" ? "guide_changed" : "guide_withdrawn")];
  }

  /** A step that is read is not asked first: where it cannot be read, a person is asked by the stepper. */
  #partsOf(open: OpenRun, { run, says }: Stepped, reading?: StepReading): readonly SaidPart[] {
    const sources = sourcesOf(open.index.guide);
    return says.flatMap((saying) => {
      if (saying.say === "step" && isReading(run)) return [];
      const age = saying.say === "reading" && reading ? { takenAtMs: reading.takenAtMs } : {};
      const texts = sentencesOf(open.index, run, saying, this.#locale(open));
      return texts.map((text) => ({ text, sources, ...age }));
    });
  }

  async #read(open: OpenRun, access: Access, signal: AbortSignal): Promise<StepReading | undefined> {
    const step = stepAt(open.index, open.run.place);
    const { clock, read } = this.deps;
    if (read === undefined || step?.kind !== "check") return undefined;
    const locale = this.#locale(open);
    return withDeadline(clock, "the reading", STEP_READ_MS_MAX, signal, (within) =>
      read(step, access, locale, within),
    ).catch(() => {
      signal.throwIfAborted();
      return undefined;
    });
  }

  /** Writes the records that are still to be written, the oldest first, until one cannot be. */
  #record(): Promise<void> {
    const { record, telemetry } = this.deps;
    return this.#inTurn.run(RECORDS, async () => {
      try {
        for (const [id, open] of this.#unrecorded) {
          await record?.(open);
          this.#unrecorded.delete(id);
          await this.#keep({ ...open, besides: { ...open.besides, unrecorded: undefined } });
        }
      } catch (error) {
        telemetry.emit({ type: "service_fault", where: "the record of a guide", error: String(error) });
      }
    });
  }

  async #save(open: OpenRun): Promise<void> {
    await this.#keep(open);
    const { network, run } = open;
    const key = userKey({ network, username: run.user });
    if (isOver(run)) this.#leading.delete(key);
    else this.#leading.add(key);
  }

  async #keep({ besides, id, index, network, run, startedAtMs }: OpenRun): Promise<void> {
    const { guide, status, user, version } = run;
    await this.deps.runs.save({
      ...{ id, network, user, guide, version, status, startedAtMs },
      updatedAtMs: this.deps.clock.now(),
      run: JSON.stringify({ run, besides }),
      text: JSON.stringify(guideFile(index.guide)),
    });
  }

  /** How long a step took that was left, and how a run ended. */
  #tell(before: OpenRun, { network, run }: OpenRun): void {
    const { telemetry, clock } = this.deps;
    const { guide } = run;
    const left = stepAt(before.index, before.run.place);
    const ms = clock.now() - before.run.sinceMs;
    if (left !== undefined && nameOf(before.run.place) !== nameOf(run.place))
      telemetry.emit({ type: "guide_step_left", network, guide, step: left.id, ms });
    const how = run.status === "done" ? "done" : "quit";
    if (isOver(run) && !isOver(before.run)) telemetry.emit({ type: "guide_run_ended", network, guide, how });
  }

  /** With the run as the step before left it. */
  #oneAfterTheOther<T>(open: OpenRun, work: (now: OpenRun) => Promise<T>): Promise<T> {
    return this.#inTurn.run(open.id, async () => {
      const stored = await this.deps.runs.byId(open.network, open.id);
      return work(stored === undefined ? open : opened(stored));
    });
  }

  #locale({ index }: OpenRun): Locale {
    return this.deps.locales.of(index.guide.language);
  }
}

/** What its user is asked, and where; another text for each that has to be heard by itself. */
function askedIn({ asks, place, sinceMs, user }: GuideRun): string {
  return JSON.stringify([asks, place, sinceMs, user]);
}

/** What of a run has to be written down before it counts. */
function countedIn({ heardMs: _, misses: __, ...run }: GuideRun): string {
  return JSON.stringify(run);
}

/** Whether a site has to be read before the run goes on. */
function isReading({ asks, status }: GuideRun): boolean {
  return status === "running" && asks?.type === "reading";
}

/**
 * The step of a run that waits for an operation which nobody has proposed: it was come to just now, by another's word, or
 * right before the service ended.
 */
export function unproposed({ besides, index, run }: OpenRun): StepOf<"operate"> | undefined {
  const step = stepAt(index, run.place);
  const waits = run.status === "running" && run.asks?.type === "operation" && besides.operation === undefined;
  return waits && step?.kind === "operate" ? step : undefined;
}

/** Runs that are taken up at the start. */
const RECOVERED_MAX = 10_000;

/** Runs whose records wait to be tried again, at the most; of those that are over so many are looked through at a start. */
const UNRECORDED_MAX = 1_000;

/** What a run that is kept holds of `Besides.unrecorded`. */
const UNRECORDED = '"unrecorded":true';

/** No run has this id. */
const RECORDS = "records";

/** What a line of a dialogue that says something of a guide came from. */
export function sourcesOf({ id }: Guide): readonly SourceRef[] {
  return [{ type: "guide", id }];
}

/** A run as it was kept, with its own version of the guide. */
export function opened(stored: StoredGuideRun) {
  const { id, network, startedAtMs } = stored;
  const { besides, run } = JSON.parse(stored.run) as { readonly run: GuideRun; readonly besides: Besides };
  const index = indexGuide(parseGuide(JSON.parse(stored.text)));
  return { id, network, startedAtMs, index, run, besides };
}
