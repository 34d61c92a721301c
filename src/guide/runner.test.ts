/** Runs as they begin and end: what is told of documents, what a screen shows, and what becomes of the record. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import type { Access } from "../domain/user.js";
import { seededRandom } from "../lib/random.js";
import { loadLocales } from "../locale/load.js";
import { MemoryGuideRuns } from "../store/guide-runs.js";
import type { TelemetryEvent } from "../telemetry/events.js";
import { GuideLibrary } from "./library/library.js";
import { GuideRunner, type GuideRunnerDeps, type Moved } from "./runner.js";
import { instruct, procedureOf } from "./schema/guides.test-util.js";

const locales = await loadLocales();
const anna = { network: "plant", username: "anna", groups: [], kiosk: false };
const { signal } = new AbortController();
const guide = procedureOf([instruct("a", { text: "Tell the crew." })], { name: "Clear a jam" });

async function runnerWith(more: Partial<GuideRunnerDeps>) {
  const folder = mkdtempSync(join(tmpdir(), "readback-runner-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const library = await GuideLibrary.open(folder, async () => new Set());
  await library.save("plant", guide);
  const events: TelemetryEvent[] = [];
  const runner = new GuideRunner({
    ...{ clock: new VirtualClock(), random: seededRandom(1), locales, runs: new MemoryGuideRuns() },
    library,
    telemetry: { emit: (event) => void events.push(event) },
    ...more,
  });
  return { events, runner };
}

const said = ({ parts }: Moved) => parts.map(({ text }) => text);

/** Begun, and heard. */
async function begun(runner: GuideRunner, who: Access = anna, of = guide): Promise<Moved> {
  const moved = (await runner.begin(of, who, signal))!;
  runner.heard(moved);
  return moved;
}

it("says at the start that a document behind the guide has a newer revision", async () => {
  const { runner } = await runnerWith({ isOutdated: async (of) => of === guide });
  expect(said(await begun(runner))).toEqual([
    "Beginning: Clear a jam.",
    "A document behind this guide has a newer revision. Ask somebody who knows before you rely on it.",
    "Tell the crew.",
  ]);
});

it("hands the record over once, when the run is over", async () => {
  const records: string[] = [];
  const { runner } = await runnerWith({ record: async ({ run }) => void records.push(run.status) });
  const { open } = await begun(runner);
  await runner.act(open, { type: "note", text: "loud" }, anna, signal);
  expect(records).toEqual([]);
  await runner.act(open, { type: "next" }, anna, signal);
  expect(records).toEqual(["done"]);
});

it("ends a run whose record cannot be written, tells operators, and writes it when that is possible", async () => {
  const runs = new MemoryGuideRuns();
  const records: string[] = [];
  let isFull = true;
  const record: GuideRunnerDeps["record"] = async ({ run }) => {
    if (isFull) throw new Error("the disk is full");
    records.push(run.user);
  };
  const { events, runner } = await runnerWith({ record, runs });
  const boris = { ...anna, username: "boris" };
  for (const who of [anna, boris]) {
    const { open } = await begun(runner, who);
    await runner.act(open, { type: "next" }, who, signal);
    expect(runner.leads(who)).toBe(false);
  }
  const { runner: next } = await runnerWith({ record, runs, random: seededRandom(2) });
  await next.recover();
  isFull = false;
  const { open } = await begun(next);
  await next.act(open, { type: "next" }, anna, signal);
  expect(records.toSorted()).toEqual(["anna", "anna", "boris"]);
  const { runner: last } = await runnerWith({ record, runs });
  await last.recover();
  expect(records).toHaveLength(3);
  expect(events).toContainEqual({
    ...{ type: "service_fault", where: "the record of a guide", error: "Error: the disk is full" },
  });
});

it("pauses the run of somebody who has gone, until somebody resumes it", async () => {
  const { runner } = await runnerWith({});
  await runner.leave(anna, signal);
  await begun(runner);
  await runner.leave(anna, signal);
  await runner.leave(anna, signal);
  const left = (await runner.open(anna))!;
  expect(left.run.status).toBe("paused");
  expect(left.run.log.filter(({ what }) => what === "paused")).toHaveLength(1);
  expect(said(await runner.act(left, { type: "next" }, anna, signal))).toEqual([
    "The guide is paused. Say resume to go on.",
  ]);
  expect(said(await runner.act(left, { type: "resume" }, anna, signal))).toEqual([
    "Going on.",
    "Tell the crew.",
  ]);
});

it("shows a run on a screen only as long as its user may use the guide", async () => {
  const { runner } = await runnerWith({});
  const fitters = procedureOf(guide.steps as never, {
    id: "hot",
    visibility: "restricted",
    groups: ["fitters"],
  });
  const fitter = { ...anna, groups: ["fitters"] };
  await begun(runner, fitter, fitters);
  expect(await runner.shown(fitter, signal)).toMatchObject({ guide: "Guide", progress: "Step 1 of 1." });
  expect(await runner.shown(anna, signal)).toBeUndefined();
  expect(await runner.shown({ ...fitter, username: "boris" }, signal)).toBeUndefined();
});
