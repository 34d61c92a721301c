/**
 * The fuzz tests that draw sequences of actions instead of texts, with fast-check or by a seed: outbox, connection,
 * floor, the whole service. They are run over and over, with a new seed each time.
 */
import { spawnSync } from "node:child_process";
import { systemClock } from "../../src/lib/clock.js";
import { seededRandom } from "../../src/lib/random.js";

export const SEQUENCES: ReadonlyMap<string, string> = new Map([
  ["outbox", "src/tcp/outbox.fuzz.ts"],
  ["connection", "src/tcp/connection.fuzz.ts"],
  ["floor", "src/chat/floor.fuzz.ts"],
  ["soak", "test/e2e/soak.fuzz.ts"],
]);

const SEEDS = 2 ** 31;

/** A start of the test runner is given so much more than its share. */
const LATE_MS_MAX = 300_000;

interface Sequences {
  readonly name: string;
  readonly file: string;
  readonly root: string;
  readonly seed: number;
  readonly forMs: number;
  /** Runs of the property, in place of a time: once, with `seed` itself. */
  readonly runs: string | undefined;
}

/** Returns how many runs failed; what they printed tells the seed. */
export function fuzzSequences({ name, file, root, seed, forMs, runs }: Sequences): number {
  const random = seededRandom(seed);
  const untilMs = systemClock.monotonic() + forMs;
  let times = 0;
  let failed = 0;
  do {
    const drawn = runs === undefined ? Math.floor(random.fraction() * SEEDS) : seed;
    const bounds = runs === undefined ? { timeout: LATE_MS_MAX } : {};
    const { status, stdout, stderr } = spawnSync("npx", ["vitest", "run", file, "--testTimeout=0"], {
      cwd: root,
      encoding: "utf8",
      ...bounds,
      env: {
        ...process.env,
        FUZZ_SEED: String(drawn),
        SOAK_SEED: String(drawn),
        ...(runs && { FUZZ_RUNS: runs }),
      },
    });
    times += 1;
    if (status === 0) continue;
    failed += 1;
    console.log(
      `${name}: failed; again with FUZZ_SEED=${drawn} SOAK_SEED=${drawn} npx vitest run ${file}\n${stdout}${stderr}`,
    );
  } while (runs === undefined && systemClock.monotonic() < untilMs);
  console.log(`${name}: ${runs === undefined ? `${times} seeds` : `${runs} runs of seed ${seed}`}`);
  return failed;
}
