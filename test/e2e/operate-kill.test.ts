/**
 * The service is killed at random instants of an operation: while it is read back, consented to, executed, verified. Started
 * again it has a whole ledger, calls nothing twice, and tells its user what became of it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { sleep, systemClock } from "../../src/lib/clock.js";
import { type Random, seededRandom } from "../../src/lib/random.js";
import { ledgerFiles, readPublicKey } from "../../src/operate/ledger/files.js";
import type { LedgerEntry } from "../../src/operate/ledger/port.js";
import { rowsIn, verifyLedger } from "../../src/operate/ledger/rows.js";
import { patience } from "../support/patience.js";
import { type Child, serve } from "./child.js";
import { examplePlant } from "./plant.js";
import { TestRelay, type TestUser } from "./relay.js";
import { temporaryDirectory } from "./world.js";

/** As many as a shift of tests has time for: `READBACK_TEST_KILLS=50` takes four minutes. */
const KILLS = Number(process.env.READBACK_TEST_KILLS ?? 9);
/** Services that are killed beside each other. */
const LANES = 3;
const SEED = 16;

/** The tool takes so long, and its effect as long again; in milliseconds. */
const SLOW_MS = 400;
/** What does not show by then is not awaited any more. */
const WINDOW_MS = 1_500;
const NEVER = new AbortController().signal;

/** The row of the ledger after which it is killed, and within what time; without one, after it was asked. */
const PHASES = [
  { row: undefined, withinMs: 300 },
  { row: "proposed", withinMs: 60 },
  { row: "reply", withinMs: 60 },
  { row: "executing", withinMs: SLOW_MS },
  { row: "executed", withinMs: 2_500 },
  { row: "ended", withinMs: 10 },
] as const;
/** The last phase is over in a moment: so often it is tried again where every kill came too late for it. */
const TOO_LATE_MAX = 6;
/** The number of the first such kill: of the last phase, and beyond the others' numbers. */
const FIRST_TOO_LATE = Math.ceil(KILLS / PHASES.length) * PHASES.length + PHASES.length - 1;
/** Within what time it is written down that something was told, in milliseconds. */
const TOLD_MS_MAX = patience(5_000);
/** How often it is looked for. */
const LOOK_MS = 3;

/** What an outcome is said as. */
const TOLD = /Nothing was done|Done\.|did not work|don't know whether/;

class Lane {
  readonly dataDir = temporaryDirectory();
  readonly plant = examplePlant({
    settings: { tools: quickTools() },
    options: ["--ramp", String(SLOW_MS)],
  });
  readonly files = ledgerFiles(this.dataDir);
  readonly #environment: Readonly<Record<string, string>>;
  /** How often it was killed while something was open, by how far that had come. */
  readonly open: string[] = [];
  /** How often it was killed between the last row and the one that says that it was told. */
  untold = 0;
  #serving: { readonly child: Child; readonly ann: TestUser } | undefined;

  constructor() {
    const file = join(this.dataDir, "settings.json");
    const operate = { mode: "on" };
    writeFileSync(file, JSON.stringify({ sites: [this.plant.site], operate, llm: { provider: "offline" } }));
    this.#environment = { READBACK_CONFIG: file, READBACK_DATA_DIR: this.dataDir };
    this.plant.fault(`slow restart ${SLOW_MS}`);
  }

  /** An operation is begun and the service killed in it; the next one tells what became of it. */
  async kill(number: number, random: Random): Promise<void> {
    this.#serving ??= await this.#start();
    const { child, ann } = this.#serving;
    const { row, withinMs } = PHASES[number % PHASES.length]!;
    const delayMs = random.fraction() * withinMs;
    const before = row === undefined ? 0 : this.#countOf(row);
    const id = `k-${number}`;
    ann.ask("restart label printer two", { request_id: id });
    if (row !== undefined && row !== "proposed") {
      const readback = String((await ann.answered(id)).text);
      const [, word] = /Say confirm (\w+)\./.exec(readback) ?? [];
      expect(word, readback).toBeDefined();
      ann.ask(`confirm ${word}`, { request_id: `${id} consent` });
    }
    while (row !== undefined && this.#countOf(row) === before) await sleep(systemClock, LOOK_MS, NEVER);
    await sleep(systemClock, delayMs, NEVER);
    child.kill("SIGKILL");
    await child.exited;
    this.#serving = undefined;
    const left = untoldIn(await this.#entries());
    expect(left.length).toBeLessThanOrEqual(1);
    this.untold += left.filter((own) => own.at(-1)?.type === "ended").length;

    this.#serving = await this.#start();
    const again = this.#serving.ann;
    again.ask("is label printer two running", { request_id: `${id} again` });
    expect(String((await again.answered(`${id} again`)).text)).toMatch(/label printer two/i);
    if (left.length > 0) {
      const told = await again.answered();
      expect(told.text).toMatch(TOLD);
      this.open.push(left[0]!.map(({ type }) => type).join(" "));
    }
    // What was told is written down a moment later.
    await vi.waitFor(async () => expect(untoldIn(await this.#entries())).toEqual([]), TOLD_MS_MAX);
    this.#expectOnce(await this.#entries());
  }

  /** Rows of this type so far; what is half written counts. */
  #countOf(row: LedgerEntry["type"]): number {
    return readFileSync(this.files.rows, "utf8").split(`"type":"${row}"`).length;
  }

  /** Every row is there, as it was written. */
  async #entries(): Promise<readonly LedgerEntry[]> {
    const { bytes, flaw } = await verifyLedger(this.files, await readPublicKey(this.files.key), "all");
    expect(flaw).toBeUndefined();
    const entries: LedgerEntry[] = [];
    for await (const { entry } of rowsIn(this.files.rows, bytes)) entries.push(entry);
    return entries;
  }

  /** What the plant was called with: nothing twice, and nothing that was not written down before. */
  #expectOnce(entries: readonly LedgerEntry[]): void {
    const file = join(this.plant.directory, "calls");
    const calls = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    expect(new Set(calls).size).toBe(calls.length);
    const written = entries.flatMap((entry) =>
      entry.type === "executing" ? [`restart lp2 ${entry.key}`] : [],
    );
    expect(new Set(written).size).toBe(written.length);
    expect(calls.filter((call) => !written.includes(call))).toEqual([]);
  }

  async #start() {
    const { child, ports } = await serve(this.#environment);
    const relay = await TestRelay.connect(ports.relay);
    onTestFinished(() => relay.close());
    relay.send({ command: "hello", announcements: true });
    return { child, ann: relay.user("acme", "ann") };
  }
}

/** The entries of each operation of whose end nobody was told. */
function untoldIn(entries: readonly LedgerEntry[]): readonly (readonly LedgerEntry[])[] {
  const ids = new Set(entries.map(({ operation }) => operation));
  return [...ids]
    .map((id) => entries.filter(({ operation }) => operation === id))
    .filter((own) => own.at(-1)?.type !== "told");
}

/** The tools of the example; what they do shows soon or not at all. */
function quickTools() {
  const { tools } = examplePlant().site as { tools: Record<string, object> };
  return { ...tools, restart: { ...tools.restart, window_ms: WINDOW_MS } };
}

test(`killed ${KILLS} times in an operation: the ledger is whole, nothing ran twice, and what became of it is told`, {
  timeout: patience(240_000),
}, async () => {
  const random = seededRandom(SEED);
  const lanes = Array.from({ length: LANES }, () => new Lane());
  const killed = lanes.map(async (lane, first) => {
    for (let number = first; number < KILLS; number += LANES) await lane.kill(number, random);
  });
  await Promise.all(killed);
  const openInAll = () => lanes.flatMap((lane) => lane.open);
  for (let late = 0; late < TOO_LATE_MAX && !openInAll().some((rows) => rows.endsWith("ended")); late++)
    await lanes[0]!.kill(FIRST_TOO_LATE + late * PHASES.length, random);
  const open = openInAll();
  // It was killed while it waited, while it called, and while it looked.
  expect(open.some((rows) => !rows.includes("executing"))).toBe(true);
  expect(open.some((rows) => rows.endsWith("executing"))).toBe(true);
  expect(open.some((rows) => rows.includes("executed"))).toBe(true);
  // And when it had ended, and nobody had heard of it.
  expect(open.some((rows) => rows.endsWith("ended"))).toBe(true);
  const untold = lanes.reduce((sum, lane) => sum + lane.untold, 0);
  console.log(`${open.length} of ${KILLS} kills left an operation open or untold, ${untold} of them ended:`);
  console.log(open.toSorted().join("\n"));
});
