import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../config/load.js";
import { ROUTE_KINDS, routingOptions } from "./options.js";

const EXAMPLE = fileURLToPath(new URL("../../examples/routes.brunix.json", import.meta.url));

const knowledge = { name: "knowledge", capability: "knowledge", retrieval: true };

function problems(value: unknown): string[] {
  const parsed = routingOptions.safeParse(value);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("the routes", () => {
  it("are the product's six unless configured; two of them never touch the index", () => {
    const { routes, log_intents } = routingOptions.parse({});
    expect(routes.map(({ capability }) => capability)).toEqual(ROUTE_KINDS);
    expect(routes.filter(({ model }) => model === "conversational").map(({ name }) => name)).toEqual([
      "conversational",
      "platform",
    ]);
    expect(log_intents).toBe(false);
  });

  it("can be the reference's four: the example file loads", () => {
    const { routing } = loadConfig({ READBACK_CONFIG: EXAMPLE }).config;
    expect(routing.routes.map(({ name, retrieval, model }) => [name, retrieval, model])).toEqual([
      ["RETRIEVAL", true, "main"],
      ["CODE_GENERATION", true, "main"],
      ["CONVERSATIONAL", false, "conversational"],
      ["PLATFORM", false, "conversational"],
    ]);
  });

  it.each(["conversational", "platform"])("cannot let %s search (RC-04)", (capability) => {
    const routes = [knowledge, { name: "x", capability, retrieval: true }];
    expect(problems({ routes })).toEqual([
      `routes.1.retrieval: must be false: a ${capability} route never searches the documents`,
    ]);
  });

  it.each([
    ["no knowledge", [{ name: "a", capability: "check", retrieval: false }], /there must be a route/],
    ["knowledge without documents", [{ ...knowledge, retrieval: false }], /must be true/],
    ["a name twice", [knowledge, { ...knowledge, name: "Knowledge" }], /two routes named Knowledge/],
    ["a name that is none", [{ ...knowledge, name: "a b" }], /a name begins with a letter/],
    [
      "a prefix twice",
      [
        { ...knowledge, prefixes: ["Bill:"] },
        { ...knowledge, name: "b", prefixes: ["bill:"] },
      ],
      /is a prefix of knowledge already/,
    ],
    ["an unknown capability", [{ ...knowledge, capability: "fly" }], /routes\.0\.capability/],
    ["an unknown field", [{ ...knowledge, index: true }], /routes\.0/],
    ["nothing", [], /routes/],
  ])("are refused with %s", (_what, routes, problem) => {
    expect(problems({ routes }).join("\n")).toMatch(problem);
  });

  it("ask the user only where the model could not decide", () => {
    expect(problems({ ask_below: 0.8, confidence_min: 0.5 })).toEqual([
      "ask_below: must not be above confidence_min, which is 0.5",
    ]);
  });
});
