/**
 * What a network's loops may cost on one day, in US dollars. A call is let through only while what was spent, and what
 * the calls under way may come to, is below the ceiling; a call whose cost nobody knows ends the day's calls, since the
 * ceiling could not be held any more. In memory: a restart begins the day anew.
 */

/** Why no model is asked: the name of the phrase that says so. */
export type CostRefusal = "cost_ceiling" | "cost_unknown";

const DAY_MS = 86_400_000;

interface Spent {
  usd: number;
  /** Calls under way. */
  open: number;
  isKnown: boolean;
}

export interface CostPermit {
  /** To be told once what the call cost; undefined: nobody knows. */
  end(usd: number | undefined): void;
  /** Or that it failed: what it cost is not told, and taken for as much as the dearest call. */
  fail(): void;
}

export class CostCeiling {
  #day = Number.NEGATIVE_INFINITY;
  readonly #spent = new Map<string, Spent>();
  /** The dearest call so far: what one under way is taken to cost. */
  #dearestUsd = 0;

  /** `usdPerDay`: by network; undefined: no ceiling. `nowMs`: the wall clock; days are those of UTC. */
  constructor(
    private readonly usdPerDay: (network: string) => number | undefined,
    private readonly nowMs: () => number,
  ) {}

  /** Leave for one call, or why there is none. */
  ask(network: string): CostPermit | CostRefusal {
    const ceiling = this.usdPerDay(network);
    const spent = this.#today(network);
    if (ceiling !== undefined) {
      if (!spent.isKnown) return "cost_unknown";
      if (!(spent.usd + spent.open * this.#dearestUsd < ceiling)) return "cost_ceiling";
    }
    spent.open += 1;
    return { end: (usd) => this.#end(spent, usd), fail: () => this.#end(spent, this.#dearestUsd) };
  }

  #end(spent: Spent, usd: number | undefined): void {
    spent.open -= 1;
    if (usd === undefined || !(usd >= 0 && usd < Number.POSITIVE_INFINITY)) spent.isKnown = false;
    else {
      spent.usd += usd;
      this.#dearestUsd = Math.max(this.#dearestUsd, usd);
    }
  }

  /** A clock that is set back does not open a day again. */
  #today(network: string): Spent {
    const day = Math.floor(this.nowMs() / DAY_MS);
    if (day > this.#day) {
      this.#day = day;
      this.#spent.clear();
    }
    const spent = this.#spent.get(network) ?? { usd: 0, open: 0, isKnown: true };
    this.#spent.set(network, spent);
    return spent;
  }
}
