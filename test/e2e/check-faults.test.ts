/** What is said where the system of a site is wrong, odd, slow or away: always something true, and never a guess. */
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { examplePlant } from "./plant.js";
import type { TestUser } from "./relay.js";
import { World } from "./world.js";

async function begin(settings: object = {}) {
  const plant = examplePlant({ settings });
  const world = await World.start({
    clock: systemClock,
    config: { "llm.provider": "offline", sites: [plant.site] },
  });
  return { ann: (await world.relay()).user("acme", "ann"), plant, world };
}

let count = 0;

async function told(user: TestUser, text: string): Promise<string> {
  count += 1;
  const id = `f-${count}`;
  user.ask(text, { request_id: id });
  return String((await user.answered(id)).text).trim();
}

const TEMPERATURE = "what is the temperature of freezer two";
const RUNNING = "is pump two running";
const BAD = "The reading of temperature for freezer two can't be right. Don't rely on it.";
const AWAY = "I can't reach the system that reads pump two. I don't know how it is now.";
const NO_USE = "The system that reads pump two gave me nothing that I can use. I don't know how it is now.";

test.each([
  ["stale f2 temperature", TEMPERATURE, /^This is how it was 60 minutes ago: .*-11 °C/, "answered"],
  ["future f2 temperature", TEMPERATURE, BAD, "search_unavailable"],
  ["unit_missing f2 temperature", TEMPERATURE, BAD, "search_unavailable"],
  ["nan f2 temperature", TEMPERATURE, BAD, "search_unavailable"],
  [
    "disagree f2 temperature",
    TEMPERATURE,
    /^Two readings .* disagree: -11 °C, and -6.2 °C\. Checked/,
    "answered",
  ],
  ["renamed p2", RUNNING, NO_USE, "search_unavailable"],
  ["withdrawn p2", RUNNING, NO_USE, "search_unavailable"],
  ["instructions p2", RUNNING, "Yes. Pump two is running. Checked just now.", "answered"],
  ["crash read_status", RUNNING, AWAY, "search_unavailable"],
  ["lost_reply read_status", RUNNING, AWAY, "search_unavailable"],
  ["slow read_status", RUNNING, AWAY, "search_unavailable"],
  ["large read_status", RUNNING, NO_USE, "search_unavailable"],
])("%s", async (fault, question, answer, outcome) => {
  const { ann, plant, world } = await begin({ call_ms_max: 2_000 });
  plant.fault(fault);
  const said = await told(ann, question);
  if (typeof answer === "string") expect(said).toBe(answer);
  else expect(said).toMatch(answer);
  expect(said).not.toMatch(/NaN|undefined|\[object|stop every pump|all is well/);
  expect(world.eventsOf("turn_finished")[0]).toMatchObject({ result: outcome });
});

test("a value that nobody believes is not told again as one", async () => {
  const { ann, plant } = await begin();
  plant.fault("nan f2 temperature");
  expect(await told(ann, TEMPERATURE)).toBe(BAD);
  expect(await told(ann, "repeat")).toBe(BAD);
});

test("instructions of a system are not even read out", async () => {
  const { ann, plant } = await begin();
  plant.fault("instructions p6");
  expect(await told(ann, "what is the note of pump six")).toBe(
    "The reading of note for pump six can't be right. Don't rely on it.",
  );
});

test("a tool that changed is not called, and what another tool knows is said", async () => {
  const { ann, plant, world } = await begin();
  plant.fault("schema read_sensor");
  await world.happened("site_tool_off");
  expect(await told(ann, TEMPERATURE)).toBe("I have no reading of temperature for freezer two.");
  expect(world.eventsOf("site_called")).toEqual([]);
});

describe("a thing that goes in mid-chat", () => {
  test("is neither invented nor remembered, and is there again when it comes back", async () => {
    const { ann, plant } = await begin();
    expect(await told(ann, RUNNING)).toContain("Checked just now.");
    plant.fault("withdrawn p2");
    expect(await told(ann, "is it running")).toBe(NO_USE);
    plant.fault();
    expect(await told(ann, "is it running")).toBe("Yes. Pump two is running. Checked just now.");
  });
});

test("a system that crashed is asked again once it is back", async () => {
  const { ann, plant, world } = await begin();
  plant.fault("crash read_status");
  expect(await told(ann, RUNNING)).toBe(AWAY);
  plant.fault();
  await world.happened("site_lost");
  expect(await told(ann, "how are the freezers")).toBe(
    "I can't reach the system that reads freezer one, freezer two, freezer three. I don't know how it is now.",
  );
  await world.happened("site_connected", 2);
  expect(await told(ann, RUNNING)).toBe("Yes. Pump two is running. Checked just now.");
});
