/** The unit for systemd, judged by systemd's own tool. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLOSE_MS_MAX } from "../src/cli/serve.js";
import { loadConfig } from "../src/config/load.js";

const UNIT = readFileSync(
  fileURLToPath(new URL("../deploy/systemd/readback.service", import.meta.url)),
  "utf8",
);

/** Of 10; an ordinary service has 9.6. What is left is the network. */
const EXPOSURE_MAX = 2;

const hasTool = spawnSync("systemd-analyze", ["--version"]).error === undefined;

function analyze(...args: readonly string[]): { readonly status: number | null; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), "readback-unit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "readback.service");
  // Where Node lies on this machine.
  writeFileSync(file, UNIT.replace("/usr/bin/node", process.execPath));
  const { status, stdout, stderr } = spawnSync("systemd-analyze", [...args, file], { encoding: "utf8" });
  return { status, said: stdout + stderr };
}

describe("the unit for systemd", () => {
  it("gives the service more time to stop than it takes", () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(UNIT)!;
    expect(Number(seconds) * 1_000).toBeGreaterThan(loadConfig({}).config.shutdownGraceMs + CLOSE_MS_MAX);
  });

  it.skipIf(!hasTool)("is understood, every line of it", () => {
    expect(analyze("verify")).toEqual({ status: 0, said: "" });
  });

  it.skipIf(!hasTool)("leaves little of the machine within reach", () => {
    const { status, said } = analyze("security", "--offline=true", `--threshold=${EXPOSURE_MAX * 10}`);
    expect({ status, said }).toMatchObject({ status: 0 });
  });
});
