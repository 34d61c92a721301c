/** The loop of the fuzzer: changes what it has, runs the target, and keeps what reached code that nothing had reached. */
import type { Clock } from "../../src/lib/clock.js";
import type { Random } from "../../src/lib/random.js";
import type { Coverage } from "./coverage.js";
import { mutate, pick } from "./mutator.js";
import type { Target } from "./target.js";
import { UsualTime } from "./usual-time.js";

export interface Finding {
  readonly kind: "thrown" | "slow" | "hangs";
  readonly input: string;
  readonly message: string;
}

export interface Explored {
  readonly runs: number;
  /** What was kept, the shortest first; each reached something that those before it did not. */
  readonly kept: readonly string[];
}

export interface ExploreDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly coverage: Pick<Coverage, "look" | "isNew" | "learn">;
  /** Told before each run, so that somebody else can tell what hangs. */
  readonly onInput: (input: string) => void;
  readonly onFinding: (finding: Finding) => void;
}

/** Inputs between two looks at the coverage: a look costs more than a run. */
const BATCH = 25;

/** One finding of each kind is enough; a target with more is left for now. */
const FINDINGS_MAX = 25;

/** Explores `target` from `known` inputs until `untilMs` of the clock. */
export async function explore(
  target: Target,
  known: readonly string[],
  untilMs: number,
  deps: ExploreDeps,
): Promise<Explored> {
  const exploration = new Exploration(target, deps);
  for (const input of [...known].sort(byLength)) await exploration.keepIfNew(input);
  while (deps.clock.monotonic() < untilMs && exploration.findings < FINDINGS_MAX) await exploration.batch();
  return { runs: exploration.runs, kept: [...exploration.kept].sort(byLength) };
}

const byLength = (a: string, b: string) => a.length - b.length;

class Exploration {
  runs = 0;
  readonly kept: string[] = [];
  readonly #usual = new UsualTime();
  /** Findings by what they say. */
  readonly #told = new Set<string>();

  constructor(
    private readonly target: Target,
    private readonly deps: ExploreDeps,
  ) {}

  get findings(): number {
    return this.#told.size;
  }

  async batch(): Promise<void> {
    const { random, coverage } = this.deps;
    const { charsMax, words } = this.target;
    const corpus = this.kept.length > 0 ? this.kept : [""];
    const inputs = Array.from({ length: BATCH }, () =>
      mutate(pick(corpus, random), { random, corpus, words, charsMax }),
    );
    for (const input of inputs) await this.#run(input);
    const seen = coverage.look();
    if (!coverage.isNew(seen)) return;
    for (const input of inputs) await this.keepIfNew(input);
    // What only ran the first time, such as the filling of a cache, is nobody's.
    coverage.learn(seen);
  }

  /** Keeps an input that reaches something new. */
  async keepIfNew(input: string): Promise<void> {
    const { coverage } = this.deps;
    const harmless = await this.#run(input);
    const seen = coverage.look();
    if (!harmless || !coverage.isNew(seen)) return;
    coverage.learn(seen);
    this.kept.push(input);
  }

  /** Whether the input did no harm. */
  async #run(input: string): Promise<boolean> {
    this.runs += 1;
    this.deps.onInput(input);
    const outcome = await this.#timed(input);
    if (outcome instanceof Error) {
      this.#tell({ kind: "thrown", input, message: outcome.stack ?? outcome.message });
      return false;
    }
    const slow = this.#usual.isSlow(input.length, outcome);
    if (slow) await this.#tellIfSlow(input);
    else this.#usual.learn(input.length, outcome);
    return true;
  }

  /** Once more: the machine may have had other work. */
  async #tellIfSlow(input: string): Promise<void> {
    const again = [await this.#timed(input), await this.#timed(input)].map((ms) =>
      ms instanceof Error ? 0 : ms,
    );
    const ms = Math.min(...again);
    if (this.#usual.isSlow(input.length, ms))
      this.#tell({ kind: "slow", input, message: `${Math.round(ms)} ms for ${input.length} characters` });
  }

  /** Milliseconds, or what was thrown. */
  async #timed(input: string): Promise<number | Error> {
    const { clock } = this.deps;
    const startMs = clock.monotonic();
    try {
      await this.target.check(input);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
    return clock.monotonic() - startMs;
  }

  #tell(finding: Finding): void {
    // One place is told once, whatever the text that led there.
    const place = finding.message.match(/\n\s+at (.*)/)?.[1] ?? "";
    const key = finding.kind === "slow" ? "slow" : `${finding.message.slice(0, 40)} ${place}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.deps.onFinding(finding);
  }
}
