/** What was asked of a site is shown as it happens, with what it told and how old that is: to relays, and by `ask`. */
import { expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { Child } from "./child.js";
import { examplePlant } from "./plant.js";
import { World } from "./world.js";

async function begin() {
  const plant = examplePlant({ settings: { call_ms_max: 2_000 } });
  const config = { "llm.provider": "offline", sites: [plant.site] };
  return { plant, world: await World.start({ clock: systemClock, config }) };
}

const TEMPERATURE = "what is the temperature of freezer two";

test("a relay that shows steps gets them before the answer, and no other relay does", async () => {
  const { plant, world } = await begin();
  plant.fault("stale f2 temperature");
  const relay = await world.relay();
  const ann = relay.user("acme", "ann");
  ann.ask(TEMPERATURE, { request_id: "s-1" });
  await ann.answered("s-1");
  expect(ann.summary).toHaveLength(1);
  relay.send({ command: "hello", steps: true });
  ann.ask(TEMPERATURE, { request_id: "s-2" });
  await ann.answered("s-2");
  const [step, ...rest] = ann.frames.flatMap(({ json }) => (json?.request_id === "s-2" ? [json] : []));
  expect(step).toMatchObject({
    command: "step",
    tool: "plant.read_sensor",
    target: "freezer two",
    ok: true,
    ms: expect.any(Number) as number,
    evidence: [
      {
        target: "plant/freezer/f2",
        signal: "temperature",
        value: -11,
        unit: "°C",
        text: "Freezer two, temperature: -11 °C.",
      },
    ],
  });
  const [{ age_ms: ageMs }] = step!.evidence as [{ age_ms: number }];
  expect(ageMs).toBeGreaterThanOrEqual(3_600_000);
  expect(rest.map(({ command }) => command)).toEqual(["text_message"]);
});

test("`readback ask` shows them, and what there is no reading of", async () => {
  const { plant, world } = await begin();
  const ask = async (question: string) => {
    const relay = `127.0.0.1:${world.ports.relay}`;
    const child = Child.run(["ask", question, "--network", "acme", "--username", "ann", "--relay", relay]);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    return child.stdout;
  };
  expect(await ask(TEMPERATURE)).toMatch(
    / s {2}asked plant\.read_sensor of freezer two: it answered, \d+ ms\n +Freezer two, temperature: -11 °C\. \(\d+ s old\)\n.*“Freezer/,
  );
  plant.fault("crash read_status");
  expect(await ask("is pump two running")).toMatch(
    / s {2}asked plant\.read_status of pump two: it gave nothing of use, \d+ ms\n.*“I can't reach the system/,
  );
});
