import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patience } from "../../test/support/patience.js";
import { systemClock } from "../lib/clock.js";
import { RouteLog } from "../store/route-log.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-routes-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command `readback routes` in the folder. */
function routes(...args: readonly string[]): Promise<CommandResult> {
  const env = { PATH: process.env.PATH, READBACK_DATA_DIR: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, "routes", ...args], { env, cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

const MACHINES = ["pump", "valve", "gate", "oven", "mixer", "freezer", "fan", "boiler", "press", "crane"];
const QUESTIONS = [
  "how do i clean the",
  "who repairs the",
  "what oil goes into the",
  "where is the manual of the",
];
const ORDERS = ["now start up the", "quickly stop the", "kindly reset the", "you there hold the"];

/** Labelled rows, with the labels the wrong way round where that is wanted. */
function labelled(swapped: boolean): string {
  const label = (right: string, wrong: string) => (swapped ? wrong : right);
  const rows = MACHINES.flatMap((machine) => [
    ...QUESTIONS.map((text) => ({ text: `${text} ${machine}`, route: label("knowledge", "operate") })),
    ...ORDERS.map((text) => ({ text: `${text} ${machine}`, route: label("operate", "knowledge") })),
  ]);
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Each command is a process of its own, on a machine that may be busy. */
const TIMEOUT_MS = patience(180_000);

describe("readback routes", { timeout: TIMEOUT_MS }, () => {
  it("exports what was decided, in a form that training reads", async () => {
    const log = new RouteLog(folder, { clock: systemClock, telemetry: { emit: () => undefined } });
    log.add({ network: "plant", topic: "open valve 3", route: "operate", layer: "rule", confidence: 0.98 });
    log.add({ network: "depot", topic: "gracias", route: "conversational", layer: "model", confidence: 0.9 });
    await log.close();
    const { code, stdout } = await routes("export", "--network", "plant");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      text: "open valve 3",
      route: "operate",
      layer: "rule",
      confidence: 0.98,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await routes("export", "--out", "all.jsonl");
    expect(readFileSync(join(folder, "all.jsonl"), "utf8").trim().split("\n")).toHaveLength(2);
    expect(await routes("train", "all.jsonl")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Training needs|only \d/),
    });
    await routes("clear");
    expect(await routes("export")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(/log_intents/),
    });
  });

  it("trains, compares, and refuses the worse of two", async () => {
    writeFileSync(join(folder, "good.jsonl"), labelled(false));
    writeFileSync(join(folder, "bad.jsonl"), labelled(true));
    const trained = await routes("train", "good.jsonl", "--out", "good.json");
    expect(trained).toMatchObject({ code: 0, stderr: "" });
    expect(trained.stdout).toMatch(/Trained on \d+ utterances; written to good\.json/);
    await routes("train", "bad.jsonl", "--out", "bad.json");
    const worse = await routes("compare", "good.json", "bad.json", "good.jsonl");
    expect(worse.code).toBe(1);
    expect(worse.stdout).toMatch(/left out[\s\S]*The second is worse/);
    const better = await routes("compare", "bad.json", "good.json", "good.jsonl", "--json");
    expect(better.code).toBe(0);
    expect(JSON.parse(better.stdout)).toMatchObject({ verdict: "better" });
    expect((await routes("compare", "shipped", "shipped", "good.jsonl")).code).toBe(0);
  });

  it("says what is wrong with what it is given", async () => {
    writeFileSync(join(folder, "broken.jsonl"), '{"text": "x"}\n');
    expect((await routes("train", "broken.jsonl")).stderr).toMatch(/broken\.jsonl:1: route/);
    expect((await routes("train", "none.jsonl")).stderr).toMatch(/none\.jsonl/);
    expect((await routes("compare", "broken.jsonl", "shipped", "broken.jsonl")).stderr).toMatch(
      /no classifier/,
    );
    expect((await routes("train")).code).toBe(2);
  });
});
