/** Sites among the settings: names of somebody else stay as they are, and secrets stay secret. */
import { describe, expect, it } from "vitest";
import { Secret } from "../lib/secret.js";
import { loadConfig, printableConfig, secretsOf } from "./load.js";

/** An environment with these sites. */
function given(sites: unknown): { READBACK_SITES: string } {
  return { READBACK_SITES: typeof sites === "string" ? sites : JSON.stringify(sites) };
}

function errorOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("the configuration was taken");
}

describe("sites", () => {
  const server = {
    type: "mcp",
    command: ["plant-server"],
    env: { PLANT_PIN: "the-pin-4711" },
    headers: { "x-plant": "the-header" },
  };
  const tools = {
    read_temp: {
      effect: "read",
      target: "sensor_id",
      arguments: { deep_scan: { max_depth: 1 } },
      reads: { temp_in: { value: "/value", taken_at: "/at", max_age_ms: 5_000 } },
    },
  };
  const sites = [{ name: "plant", networks: ["acme"], server, tools }];

  it("are read as every section is, and names of somebody else stay as they are written", () => {
    const [site] = loadConfig(given(sites)).config.sites;
    expect(site).toMatchObject({
      callMsMax: 5_000,
      server: {
        ...server,
        env: { PLANT_PIN: new Secret("the-pin-4711") },
        headers: { "x-plant": new Secret("the-header") },
      },
      tools: {
        read_temp: {
          target: "sensor_id",
          arguments: { deep_scan: { max_depth: 1 } },
          reads: { temp_in: { value: "/value", takenAt: "/at", maxAgeMs: 5_000 } },
        },
      },
    });
  });

  it("say what an acting tool brings about, by a value of the settings or by the one that is asked for", () => {
    const set = {
      effect: "reversible",
      action: "set",
      target: "id",
      postcondition: { tool: "get", signal: "temp" },
    };
    const ranges = { freezer: { min: -28, max: -16, unit: "°C" } };
    const withTool = (tool: object) => given([{ ...sites[0], tools: { set: tool } }]);
    expect(errorOf(withTool(set))).toContain("write what a reading shows");
    const [site] = loadConfig(withTool({ ...set, value_argument: { name: "value", ranges } })).config.sites;
    expect(site!.tools.set).toMatchObject({ valueArgument: { name: "value", ranges } });
    const wrong = { freezer: { min: 1, max: 0 } };
    expect(errorOf(withTool({ ...set, value_argument: { name: "value", ranges: wrong } }))).toContain(
      "min is above max",
    );
  });

  it("keep the secrets of their environment and headers", () => {
    const { file } = loadConfig(given(sites));
    expect(printableConfig(file)).not.toMatch(/the-pin-4711|the-header/);
    expect(printableConfig(file)).toContain("PLANT_PIN");
    expect(secretsOf(file)).toEqual(expect.arrayContaining(["the-pin-4711", "the-header"]));
  });

  it.each<[string, unknown]>([
    ["a variable of a wrong type", [{ ...sites[0], server: { ...server, env: { PLANT_PIN: 47_110_815 } } }]],
    ["a site that is wrong elsewhere", [{ ...sites[0], server: { ...server, command: undefined } }]],
    ["text that is no list", '[{"server": {"env": {"PLANT_PIN": "47110815"}}]'],
  ])("tell no secret in errors: %s", (_what, wrong) => {
    const message = errorOf(given(wrong));
    expect(message).toContain("sites");
    expect(message).not.toMatch(/47110815|the-pin-4711/);
  });
});
