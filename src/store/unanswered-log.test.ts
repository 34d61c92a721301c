import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { SAMPLES } from "../telemetry/sample-events.test-util.js";
import { UnansweredLog } from "./unanswered-log.js";

const inspected = SAMPLES.answer_inspected;

it("keeps the questions of turns that were not answered, short, private, and without who asked", async () => {
  const base = mkdtempSync(join(tmpdir(), "readback-"));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const events = new RecordedEvents();
  const log = new UnansweredLog(base, { clock: { now: () => 1_000.5 }, telemetry: events });
  log.note(inspected);
  for (const outcome of ["ambiguous", "not_offered", "search_unavailable", "proposed", "unknown"] as const)
    log.note({ ...inspected, outcome });
  log.note(SAMPLES.turn_finished);
  log.note({ ...inspected, outcome: "not_in_documents", question: " " });
  expect(await log.list()).toEqual([]);
  log.note({ ...inspected, outcome: "partial", question: `Why? ${"x".repeat(300)}` });
  log.note({ ...inspected, outcome: "not_in_documents", question: "Where is the key?" });
  const [long, short] = await log.list(inspected.user.network);
  expect(long!.question).toHaveLength(200);
  expect(short).toEqual({
    network: inspected.user.network,
    question: "Where is the key?",
    outcome: "not_in_documents",
    atMs: 1_000,
  });
  expect(statSync(join(base, "unanswered.db")).mode & 0o777).toBe(0o600);
  expect(await log.list("elsewhere")).toEqual([]);
  await log.clear(inspected.user.network);
  expect(await log.list()).toEqual([]);
  expect(events.all).toEqual([]);
  await log.close();
});
