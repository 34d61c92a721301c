import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { WorkBudget } from "../../lib/steps.js";
import { FACTS_PER_STEP, SiteFacts } from "./facts.js";
import { CASES } from "./readings.cases.test-util.js";
import { checkReadings, type Readings, type ReadingsVerdict } from "./readings.js";

/** Written by the team on the claims that ReOS checks; source and licence are in the file and in its README. */
const Conformance = z.object({
  probes: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      answer: z.string(),
      state: z.record(z.string(), z.unknown()).nullable(),
      tools: z.array(z.object({ tool: z.string(), result: z.unknown(), age_s: z.number() })),
      user: z.string(),
      truth: z.enum(["supported", "contradicted", "unsupported", "use newest or conflict", "no claim"]),
    }),
  ),
  upstream: z.array(
    z.object({
      id: z.string(),
      answer: z.string().optional(),
      tools: z.array(z.object({ tool: z.string(), result: z.unknown() })).optional(),
    }),
  ),
});

const { probes, upstream } = Conformance.parse(
  JSON.parse(
    readFileSync(new URL("../../../test/conformance/reos_certainty_cases.json", import.meta.url), "utf8"),
  ),
);

const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  "use newest or conflict": ["conflicting"],
  "no claim": ["no_claim"],
};

function checked(answer: string, readings: Partial<Readings>): Promise<ReadingsVerdict> {
  const budget = new WorkBudget(Number.POSITIVE_INFINITY);
  return checkReadings(answer, { tools: [], user: "", nowMs: () => 0, ...readings }, budget);
}

describe("the conformance probes", () => {
  it.each(probes)("$id $title: $truth", async ({ answer, state, tools, truth, user }) => {
    const { verdict } = await checked(answer, {
      ...(state === null ? {} : { state }),
      tools: tools.map(({ age_s, result, tool }) => ({ tool, result, ageMs: age_s * 1_000 })),
      user,
    });
    expect(ACCEPTED[truth] ?? [truth]).toContain(verdict);
  });

  it("keep what upstream asks: no support without a tool, and some confidence where a tool backs it", async () => {
    const [unbacked, backed] = ["rt-01", "rt-03"].map((id) => upstream.find((one) => one.id === id)!);
    expect((await checked(unbacked!.answer!, {})).verdict).toBe("unsupported");
    const tools = backed!.tools!.map(({ result, tool }) => ({ tool, result, ageMs: 0 }));
    expect((await checked(backed!.answer!, { tools })).confidence).toBeGreaterThan(0.5);
  });
});

describe("checkReadings", () => {
  it("reads in steps, whatever is read", () => {
    const site = new SiteFacts(() => 0);
    const result = { services: Array.from({ length: 900 }, (_, i) => ({ name: `svc${i}`, port: i })) };
    const steps = [...site.addTool({ tool: "ps", result, ageMs: 0 })];
    expect(site.facts).toHaveLength(1_800);
    expect(steps.length).toBeGreaterThanOrEqual(site.facts.length / FACTS_PER_STEP);
  });

  it.each(CASES)("%s: %s", async (answer, expected, readings) => {
    expect((await checked(answer, readings)).verdict).toBe(expected);
  });
});
