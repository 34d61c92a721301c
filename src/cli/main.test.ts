import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));

const COMMANDS_MODULE = new URL("../../dist/src/cli/commands.js", import.meta.url).href;

interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command with nothing of this process's environment but what it needs. */
function readback(args: readonly string[], environment: Record<string, string> = {}): Promise<CommandResult> {
  const env = { PATH: process.env.PATH, ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

/** The files that a run loads, as addresses. */
async function modulesOf(args: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "readback-modules-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect((await readback(args, { NODE_V8_COVERAGE: folder })).code).toBe(0);
  const [file] = readdirSync(folder);
  const { result } = JSON.parse(readFileSync(join(folder, file!), "utf8")) as { result: { url: string }[] };
  return result.map(({ url }) => url).filter((url) => url.startsWith("file:"));
}

const STACK = /^\s+at /m;

describe("readback", () => {
  it("explains itself when asked to", async () => {
    const { code, stdout, stderr } = await readback(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const command of ["serve", "ask", "ingest", "config"])
      expect(stdout).toMatch(new RegExp(`^  ${command}`, "m"));
  });

  it("says which version it is", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(await readback(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("loads the modules of a command when that runs, and no others", async () => {
    const few = await modulesOf(["--help"]);
    expect(few.length).toBeLessThan(20);
    expect(few.filter((url) => /node_modules\/(?!commander\/)/.test(url))).toEqual([]);
    const config = await modulesOf(["config", "--reference"]);
    expect(config.some((url) => url.endsWith("/config/load.js"))).toBe(true);
    expect(config.filter((url) => /\/(?:ask|serve|main|compose)\.js$/.test(url))).toHaveLength(1);
  });

  it("has every command under its name", () => {
    const script = `
      import { COMMANDS, commandsFor } from ${JSON.stringify(COMMANDS_MODULE)};
      for (const { name, description } of COMMANDS) {
        const commands = await commandsFor(["help", name], new AbortController().signal);
        const command = commands.find((one) => one.name() === name);
        const parts = [command?.options, command?.registeredArguments, command?.commands].flat();
        if (command?.description() !== description || (parts.length === 0 && name !== "serve")) console.log(name);
      }
      console.log(COMMANDS.length);`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    expect(printed).toMatch(/^\d\d\n$/);
  });

  it.each([
    ["nothing", []],
    ["an unknown command", ["dance"]],
    ["an unknown option", ["serve", "--fast"]],
    ["a missing argument", ["ask"]],
    ["a missing option", ["ingest", "."]],
    ["an address that is none", ["ask", "hello", "--relay", "127.0.0.1:99999"]],
  ])("answers wrong usage with code 2 and what is right: %s", async (_what, args) => {
    const { code, stdout, stderr } = await readback(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^(?:error: |Usage: )/);
    expect(stderr).not.toMatch(STACK);
  });

  it("prints the settings in effect, and no secret", async () => {
    const directory = mkdtempSync(join(tmpdir(), "readback-cli-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const file = join(directory, "readback.json");
    writeFileSync(file, JSON.stringify({ speech: { api_key: "speech-secret" }, relay: { port: 1234 } }));
    const { code, stdout } = await readback(["config"], {
      READBACK_CONFIG: file,
      OPENAI_API_KEY: "sk-llm-secret",
      OPENAI_BASE_URL: "http://127.0.0.1/v1",
    });
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/secret/);
    expect(JSON.parse(stdout)).toMatchObject({ relay: { port: 1234 }, llm: { api_key: "[redacted]" } });
  });

  it("ends as it would where nobody reads on", () => {
    const script = `set -o pipefail; "$0" "$1" config | true`;
    const { status, stderr } = spawnSync("bash", ["-c", script, process.execPath, BIN], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("refuses an address with a password, and does not print it", async () => {
    const { code, stdout, stderr } = await readback(["config"], {
      OPENAI_BASE_URL: "http://user:url-secret@127.0.0.1/v1",
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("llm.base_url");
    expect(stderr).not.toMatch(/secret/);
  });

  it("says what is wrong with the settings, without a stack", async () => {
    const { code, stdout, stderr } = await readback(["config"], { READBACK_RELAY_PORT: "eighty" });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain('relay.port is "eighty" (from READBACK_RELAY_PORT)');
    expect(stderr).not.toMatch(STACK);
  });

  it("says what is wrong with a scenario, with the line, and plays nothing", async () => {
    const directory = mkdtempSync(join(tmpdir(), "readback-cli-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const file = join(directory, "scenario.yaml");
    writeFileSync(
      file,
      "title: t\nduration: 10\nrelays: { hall: }\nusers: [{ name: a, relays: hall, steps: [{ ask: b }] }]\n",
    );
    const { code, stdout, stderr } = await readback(["relay-sim", file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(`${file}:2: duration: expected a duration, such as 500ms, 40s or 10m\n`);
    const missing = await readback(["relay-sim", `${file}.gone`]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("cannot be read");
    expect(missing.stderr).not.toMatch(STACK);
  });

  it("says what to do when no service answers", async () => {
    const { code, stderr } = await readback(["ask", "hello", "--relay", "127.0.0.1:1"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/127\.0\.0\.1:1.*npm start/);
    expect(stderr).not.toMatch(STACK);
  });
});
