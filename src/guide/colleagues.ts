/**
 * What an order to a run does beyond the run: those who help are told, a colleague takes over, its own user is told of a
 * time, or led on, later.
 */
import type { Access, User } from "../domain/user.js";
import { sleep, type Timer } from "../lib/clock.js";
import type { Locale } from "../locale/locale.js";
import { isOver } from "../store/guide-runs.js";
import { nameOf, stepAt } from "./run/places.js";
import type { OperatedOutcome } from "./run/run.js";
import type { GuideRunner, GuideRunnerDeps, Moved, OpenRun, SaidPart } from "./runner.js";
import type { GuideOrder } from "./speech/orders.js";

/** Runs of a network whose users are known as colleagues. */
const COLLEAGUES_MAX = 500;
/** Colleagues who are told that somebody asks for help. */
const HELPERS_MAX = 50;
/** How long somebody may have to wait before they are told, in milliseconds. */
const TIMER_MS = { min: 1_000, max: 8 * 3_600_000 };
/** After the end of an operation, the turn in which it ended may lead on by itself for so many milliseconds. */
const OWN_TURN_MS = 3_000;

/** Says something to a user unasked; of two with one subject the newer one counts. */
export type TellUser = (
  to: User,
  subject: string,
  language: string,
  parts: readonly SaidPart[],
  /** Called once they have heard all of it. */
  heard?: () => void,
) => void;

export interface ColleaguesDeps extends Pick<GuideRunnerDeps, "clock" | "locales" | "library" | "runs"> {
  readonly runner: GuideRunner;
  readonly tell: TellUser;
  /** What a user may read who has not asked: by the directories of groups alone. */
  readonly accessOf: (user: User, signal: AbortSignal) => Promise<Access>;
  /** User names of those of a network who are at a radio. */
  readonly usersOf: (network: string) => readonly string[];
  /** User names of those of a network who are told when somebody asks for help. */
  readonly helpersIn: (network: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Resolves when an operation has ended with what came of it. */
  readonly ended?: ((operation: string, signal: AbortSignal) => Promise<OperatedOutcome>) | undefined;
  /** Ends what is waited for. */
  readonly signal: AbortSignal;
}

export class Colleagues {
  readonly #timers = new Map<string, Timer>();

  constructor(private readonly deps: ColleaguesDeps) {
    deps.signal.addEventListener("abort", () => {
      for (const timer of this.#timers.values()) timer.cancel();
    });
  }

  /** Takes up what runs waited for when the last process ended. */
  recover(runs: readonly OpenRun[]): void {
    for (const open of runs) {
      if (open.besides.timer !== undefined) this.#setTimer(open);
      if (open.run.asks?.type === "operation") this.watch(open);
    }
  }

  /**
   * Does what was ordered, in the run and beyond it. Undefined: nobody of that name, to whom it is to be handed over, may
   * use the guide and is in none, as far as people are known here. `locale`: of what to do in an emergency; absent: that
   * of the guide.
   */
  async act(
    open: OpenRun,
    order: GuideOrder,
    access: Access,
    signal: AbortSignal,
    locale?: Locale,
  ): Promise<Moved | undefined> {
    switch (order.type) {
      case "hand_over":
        return this.#handOver(open, order.to, access, signal);
      case "timer":
        return this.#wait(open, order.ms);
      case "help": {
        const isCalled = (await this.callHelp(open, signal)).length > 0;
        const moved = await this.deps.runner.act(open, { type: "help", isCalled }, access, signal);
        const text = this.deps.locales.emergency(open.network, locale ?? this.#locale(open));
        return { ...moved, parts: [...moved.parts, { text, sources: [] }] };
      }
      default:
        return this.deps.runner.act(open, order, access, signal);
    }
  }

  /** Calls those who are to help; who that is. */
  async callHelp(open: OpenRun, signal: AbortSignal): Promise<readonly string[]> {
    const { index, network, run } = open;
    const known = await this.deps.helpersIn(network, signal);
    const helpers = known.filter((name) => name !== run.user).slice(0, HELPERS_MAX);
    const title = stepAt(index, run.place)?.title ?? nameOf(run.place);
    const asking = { name: run.user, guide: index.guide.name, step: title };
    const wanted = this.deps.runner.phrase(open, "guide_help_wanted", asking);
    for (const helper of helpers) this.#say(open, helper, `help ${open.id}`, [wanted]);
    return helpers;
  }

  /** Hands a run over to a colleague by the name that was said, and tells them. */
  async #handOver(
    open: OpenRun,
    said: string,
    access: Access,
    signal: AbortSignal,
  ): Promise<Moved | undefined> {
    const to = await this.#find(open, said, signal);
    if (to === undefined) return undefined;
    const moved = await this.deps.runner.act(open, { type: "hand_over", to }, access, signal);
    const given = { name: access.username, guide: open.index.guide.name };
    this.#say(moved.open, to, open.id, [this.deps.runner.phrase(open, "guide_given", given)]);
    return moved;
  }

  async #find(open: OpenRun, said: string, signal: AbortSignal): Promise<string | undefined> {
    const { accessOf, helpersIn, library, runner, runs, usersOf } = this.deps;
    const { index, network, run } = open;
    const known = await runs.list({ network, limit: COLLEAGUES_MAX });
    const { owner, users } = index.guide;
    const names = [
      ...users,
      ...(await helpersIn(network, signal)),
      ...(owner === undefined ? [] : [owner]),
      ...usersOf(network),
      ...known.map(({ user }) => user),
    ];
    const wanted = said.trim().toLowerCase();
    const username = names.find((name) => name.toLowerCase() === wanted && name !== run.user);
    if (username === undefined || runner.leads({ network, username })) return undefined;
    const access = await accessOf({ network, username }, signal);
    return (await library.mayUse(index.guide, access, signal)) ? username : undefined;
  }

  /** Leads the user of a run on, who has not asked. */
  leadOn(moved: Moved): void {
    const { open, parts } = moved;
    const heard = () => this.deps.runner.heard(moved);
    if (parts.length > 0) this.#say(open, open.run.user, open.id, parts, heard);
  }

  /** Notes when the user wants to be told; of two times the last one counts. */
  async #wait(open: OpenRun, ms: number): Promise<Moved> {
    const { clock, runner } = this.deps;
    if (!(ms >= TIMER_MS.min && ms <= TIMER_MS.max))
      return { open, parts: [runner.phrase(open, "guide_timer_too_long")] };
    const noted = await runner.note(open, { timer: { atMs: clock.now() + ms, ms } });
    this.#setTimer(noted);
    const time = timeInWords(ms, this.#locale(noted));
    return { open: noted, parts: [runner.phrase(noted, "guide_timer_set", { time })] };
  }

  /** Tells the user when the time of the run's timer is over; at once where that is past. */
  #setTimer(open: OpenRun): void {
    const { clock, runner } = this.deps;
    const { timer } = open.besides;
    if (timer === undefined) return;
    this.#timers.get(open.id)?.cancel();
    const over = () => {
      this.#timers.delete(open.id);
      const time = timeInWords(timer.ms, this.#locale(open));
      const told = runner.phrase(open, "guide_timer_over", { time });
      this.#say(open, open.run.user, `timer ${open.id}`, [told]);
      // A timer that cannot be struck off is told of once more after a restart.
      void Promise.allSettled([runner.note(open, { timer: undefined })]);
    };
    this.#timers.set(open.id, clock.after(Math.max(0, timer.atMs - clock.now()), over));
  }

  /** Leads on when the operation that a run waits for has ended, unless the turn of its consent does so itself. */
  watch(open: OpenRun): void {
    const { operation } = open.besides;
    const user = { network: open.network, username: open.run.user };
    if (operation !== undefined && this.deps.ended !== undefined)
      // What cannot be led on by itself is led on by the next word of the user.
      void Promise.allSettled([this.#afterOperation(operation, user)]);
  }

  async #afterOperation(operation: string, user: User): Promise<void> {
    const { accessOf, clock, ended, runner, signal } = this.deps;
    const outcome = await ended!(operation, signal);
    await sleep(clock, OWN_TURN_MS, signal);
    const open = await runner.open(user);
    if (open?.besides.operation !== operation || open.run.asks?.type !== "operation" || isOver(open.run))
      return;
    const access = await accessOf(user, signal);
    this.leadOn(await runner.act(open, { type: "operated", outcome }, access, signal));
  }

  #say(
    { index, network }: OpenRun,
    username: string,
    subject: string,
    parts: readonly SaidPart[],
    heard?: () => void,
  ): void {
    this.deps.tell({ network, username }, `guide ${subject}`, index.guide.language, parts, heard);
  }

  #locale({ index }: OpenRun): Locale {
    return this.deps.locales.of(index.guide.language);
  }
}

/** With their seconds: a time is said in the largest that it is a whole number of. */
const TIME_UNITS = [["hour", 3_600] as const, ["minute", 60] as const, ["second", 1] as const];

/** "5 minutes", as a language says it. */
function timeInWords(ms: number, { language }: Locale): string {
  const seconds = Math.round(ms / 1_000);
  const [unit, each] = TIME_UNITS.find(([, one]) => seconds % one === 0)!;
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
  return format.format(seconds / each);
}
