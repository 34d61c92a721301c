/** A folder of guides for the kiosk's network, in which there is one guide of two steps. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { instruct, procedureOf } from "../../src/guide/schema/guides.test-util.js";
import { guideFile } from "../../src/guide/schema/read-guide.js";

export function guideFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "readback-guides-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "acme"));
  const steps = [instruct("crew", { title: "Tell the crew" }), instruct("stop", { title: "Stop the belt" })];
  const jam = procedureOf(steps, { id: "jam", name: "Clear a jam", status: "published" });
  writeFileSync(join(folder, "acme", "jam.json"), JSON.stringify(guideFile(jam)));
  return folder;
}
