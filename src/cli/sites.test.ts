/** `readback sites`, with the official reference server, which nobody here wrote, and a plant of ours. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workerUrl } from "../lib/worker.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));
const PLANT = fileURLToPath(workerUrl(import.meta.url, "../../test/support/mcp/plant-child.js"));
const EVERYTHING = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-sites-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function sites(
  settings: unknown,
  ...args: string[]
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const path = join(folder, "config.json");
  writeFileSync(path, JSON.stringify({ sites: settings }));
  const env = { PATH: process.env.PATH, READBACK_CONFIG: path };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, "sites", ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

const site = (name: string, command: string[], tools = {}) => ({
  name,
  networks: ["acme"],
  server: { type: "mcp", command },
  tools,
});

/** The site with what `sites list --declare` prints for these of its tools. */
async function declaredSite(name: string, command: string[], tools: Readonly<Record<string, object>>) {
  const { stdout } = await sites([site(name, command, tools)], "list", "--declare");
  const printed = JSON.parse(`{${stdout.slice(stdout.indexOf("\n"))}}`) as { tools: Record<string, object> };
  return site(
    name,
    command,
    Object.fromEntries(Object.keys(tools).map((tool) => [tool, printed.tools[tool]])),
  );
}

describe("the official reference server", () => {
  const command = [process.execPath, EVERYTHING, "stdio"];
  const reads = {
    temperature: { value: "/temperature", unit: "°C" },
    humidity: { value: "/humidity", unit: "%" },
    conditions: { value: "/conditions" },
  };
  const tools = { "get-structured-content": { effect: "read", target: "location", reads } };

  it("is connected, declared and asked", async () => {
    const undeclared = await sites([site("weather", command, tools)], "list");
    expect(undeclared.stdout).toMatch(
      /^weather {2}connected\n {2}off {2}get-structured-content .* it is not declared/,
    );
    expect(undeclared.stdout).toMatch(/^ {2}off {2}echo .* it is not in the settings/m);
    const declared = await declaredSite("weather", command, tools);
    expect((await sites([declared], "list")).stdout).toMatch(
      /^ {2}on {3}get-structured-content {10}read {2}[0-9a-f]{64}$/m,
    );
    const tried = await sites([declared], "try", "weather", "get-structured-content", "--target", "New York");
    expect(tried).toEqual({
      code: 0,
      stderr: "",
      stdout: [
        "New York  temperature  33 °C   0 s ago",
        "New York  humidity     82 %    0 s ago",
        "New York  conditions   Cloudy  0 s ago",
        "",
      ].join("\n"),
    });
    const nowhere = await sites(
      [declared],
      "try",
      "weather",
      "get-structured-content",
      "--target",
      "Nowhere",
    );
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toMatch(/^readback: .*Nowhere|^readback: .*[Ii]nvalid/);
  });
});

describe("a try", () => {
  it("runs no shell command that may write", async () => {
    const shell = (command: string) => ({
      get_temperature: {
        ...{ effect: "read", target: "id", arguments: { command }, command: "command" },
        reads: { temperature: { value: "/temperature" } },
      },
    });
    const tried = (command: string) =>
      sites(
        [site("plant", ["/nowhere"], shell(command))],
        "try",
        "plant",
        "get_temperature",
        "--target",
        "t1",
      );
    const write = await tried("rm -rf /srv");
    expect(write.code).toBe(1);
    expect(write.stderr).toMatch(/rm/);
    expect((await tried("uptime")).stderr).toMatch(/not connected/);
  });

  const command = [process.execPath, PLANT];
  const temperature = { value: "/value", unit_at: "/unit", taken_at: "/at", max_age_ms: 10_000 };
  const tools = {
    get_temperature: { effect: "read", target: "sensor", reads: { temperature, level: { value: "/level" } } },
    get_pump: { effect: "reversible", action: "start", postcondition: { tool: "x", signal: "y", equals: 1 } },
  };

  it("tells readings with their age, and what is none", async () => {
    const declared = await declaredSite("plant", command, tools);
    const { code, stdout } = await sites([declared], "try", "plant", "get_temperature", "--target", "t1");
    expect(stdout).toMatch(
      /^t1 {2}temperature {2}8\.6 °C {2}1[23] s ago, old\nt1 {2}level {2}no reading: nothing stands/,
    );
    expect(code).toBe(0);
  });

  it.each<[string[], RegExp]>([
    [["plant", "get_pump"], /get_pump is no tool of plant that the settings say reads/],
    [["plant", "large"], /large is no tool of plant/],
    [["mill", "get_pump"], /no site mill/],
    [["plant", "get_temperature"], /get_temperature takes a --target/],
  ])("of %j is refused before anything is started", async (args, reason) => {
    const { code, stderr } = await sites([site("plant", ["/nowhere"], tools)], "try", ...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
  });
});

it("a list of sites that cannot be reached says why, and ends with 1", async () => {
  const { code, stdout } = await sites([site("plant", ["/nowhere/plant"])], "list");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^plant {2}failed: \/nowhere\/plant cannot be started: .*ENOENT\n {2}no tools\n$/);
});
