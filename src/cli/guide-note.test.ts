import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../config/load.js";
import { beginRun } from "../guide/run/stepper.js";
import { indexGuide } from "../guide/schema/graph.js";
import { instruct, procedureOf } from "../guide/schema/guides.test-util.js";
import { guideFile } from "../guide/schema/read-guide.js";
import { openGuideRuns } from "../store/embedded-guide-runs.js";
import { guideNote } from "./guide-note.js";

const JAM = procedureOf([instruct("crew", { title: "Tell the crew" }), instruct("stop")], {
  name: "Clear a jam",
});

it("tells of the guide that leads the user, and of no other", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "readback-note-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const config = { ...loadConfig({}).config, dataDir };
  expect(await guideNote(config, { network: "acme", username: "ann" })).toEqual([]);
  const runs = await openGuideRuns(dataDir);
  const { run } = beginRun(indexGuide(JAM), { atMs: 1, by: "ann" });
  await runs.save({
    ...{ id: "run-1", network: "acme", user: "ann", guide: JAM.id, version: 1, status: "running" },
    ...{ startedAtMs: 1, updatedAtMs: 1, text: JSON.stringify(guideFile(JAM)) },
    run: JSON.stringify({ run, besides: { told: "current" } }),
  });
  await runs.close();
  expect(await guideNote(config, { network: "acme", username: "ann" })).toEqual([
    "Clear a jam: Step 1 of 2. Tell the crew.",
    expect.stringMatching(/^You can say: done, /),
  ]);
  expect(await guideNote(config, { network: "acme", username: "bob" })).toEqual([]);
});
