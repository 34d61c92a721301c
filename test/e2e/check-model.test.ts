/**
 * A model behind a check, over real sockets and from the example plant: it calls the site's tools through the loop, typed
 * and spoken, and of what it writes is said what the readings bear out.
 */
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { speechFor, textReply, toolReply } from "../support/openai-replies.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import { examplePlant } from "./plant.js";
import { packetsOf } from "./relay.js";
import { contents } from "./script.js";
import { World } from "./world.js";

/** No template reads it: it names nothing. */
const QUESTION = "Is anything wrong right now?";

const call = (name: string, target: string) => ({
  name: `plant_${name}`,
  arguments: JSON.stringify({ target }),
});

/** Two things that answer, the first of them late, and one that is not there any more. */
const READS = toolReply([
  call("read_status", "plant/pump/p2"),
  call("read_sensor", "plant/freezer/f2"),
  call("read_status", "plant/press/r2"),
]);

/** The third sentence rests on nothing that was read; behind it a call leaks. */
const ANSWER = textReply([
  "Pump two is running. The temperature of freezer two is -11 °C. Tank two is emp",
  "ty. <tool_c",
  'alls>[{"name": "plant_read_status", "arguments": {"target": "plant/tank/t2"}}]</tool_calls>',
]);

async function begin() {
  const plant = examplePlant();
  plant.fault("slow read_status 1000", "withdrawn r2");
  const world = await World.start({
    clock: systemClock,
    config: { sites: [plant.site] },
    respond: { speech: ({ body }) => speechFor(body.input) },
  });
  const relay = await world.relay();
  relay.send({ command: "hello", steps: true });
  return { ann: relay.user("acme", "ann"), world };
}

/** The script of one question, in the order in which a model is asked. */
function expectCheck({ server }: World): void {
  server.expectChat(READS).expectChat(ANSWER);
}

/** What holds of an answer of the model, however it was asked for. */
function holdsOf(world: World, said: string): void {
  world.server.verify();
  expect(said).toMatch(/^Pump two is running\. .*-11 °C\./);
  expect(said).not.toMatch(/tank|empty|tool|plant_/i);
  expect(world.eventsOf("turn_finished").at(-1)).toMatchObject({ result: "partial" });
  // The reads were under way at once: the second had ended first. The model is told in the order of its calls.
  const called = world.eventsOf("site_called").map(({ tool }) => tool);
  expect(called).toEqual(["read_sensor", "read_status", "read_status"]);
  const told = contents(world.server.chats.at(-1)!, "tool").map((content) => JSON.parse(content) as object);
  expect(told).toMatchObject([
    { ok: true, data: [{ name: "pump two", status: "running" }, { unacknowledged: 0 }] },
    { ok: true },
    { ok: false, error: { failed: true } },
  ]);
}

describe("what a model reads for a question", () => {
  test("is said as far as it holds, and its steps are told in the order of the calls", async () => {
    const { ann, world } = await begin();
    expectCheck(world);
    ann.ask(QUESTION, { request_id: "m-1" });
    holdsOf(world, String((await ann.answered("m-1")).text));
    const steps = ann.frames.flatMap(({ json }) => (json?.command === "step" ? [json] : []));
    expect(steps).toMatchObject([
      {
        tool: "plant.read_status",
        target: "pump two",
        ok: true,
        evidence: [{ value: "running" }, { value: 0 }],
      },
      { tool: "plant.read_sensor", target: "freezer two", ok: true },
      { tool: "plant.read_status", target: "press two", ok: false, evidence: [] },
    ]);
  });

  test("is said aloud where it was asked aloud", async () => {
    const { ann, world } = await begin();
    world.server.expectTranscription(transcriptReply(QUESTION));
    expectCheck(world);
    ann.say(1, await spokenPackets(QUESTION), { request_id: "v-1" });
    const answer = await ann.answered("v-1");
    expect(answer.command).toBe("transcription");
    holdsOf(world, String(answer.text));
    expect(packetsOf(ann.frames).length).toBeGreaterThan(10);
    const spoken = world.server.speeches.map(({ input }) => input).join(" ");
    expect(spoken).toMatch(/Pump two is running/);
    expect(spoken).not.toMatch(/tank|empty|tool/i);
  });
});

describe("what was read for one question", () => {
  const FOLLOW_UP = "And is anything wrong there now?";
  const systemOf = ({ server }: World) => contents(server.chats.at(-1)!, "system").join("\n");

  /** One question that the model reads for, another one that it makes the same calls for; what was called in all. */
  async function twice({ ann, world }: Awaited<ReturnType<typeof begin>>, more: object) {
    expectCheck(world);
    ann.ask(QUESTION, { request_id: "f-1", groups: ["engineering"] });
    await ann.answered("f-1");
    world.server.expectChat(READS).expectChat(ANSWER);
    ann.ask(FOLLOW_UP, { request_id: "f-2", ...more });
    const said = String((await ann.answered("f-2")).text);
    world.server.verify();
    return { said, called: world.eventsOf("site_called").map(({ tool }) => tool) };
  }

  test("is shown to the model for the next, and its calls are answered by it", async () => {
    const scene = await begin();
    const { called, said } = await twice(scene, { groups: ["engineering"] });
    expect(called).toHaveLength(3);
    expect(said).toMatch(/Pump two is running\..*-11 °C/);
    const system = systemOf(scene.world);
    expect(system).toMatch(/plant_read_status:\{"target":"plant\/pump\/p2"\}\S* = .*running.* \(\d+ s ago\)/);
    expect(contents(scene.world.server.chats.at(-1)!, "tool").join()).toContain("already_known");
  });

  test("is nothing to who may not know of it any more", async () => {
    const tank = toolReply([call("read_sensor", "plant/tank/t4")]);
    const level = textReply(["The level of tank four is 62 %."]);
    const ask = async ({ ann, world }: Awaited<ReturnType<typeof begin>>, id: string, more: object) => {
      world.server.expectChat(tank).expectChat(level);
      ann.ask(id === "t-1" ? QUESTION : FOLLOW_UP, { request_id: id, ...more });
      const said = String((await ann.answered(id)).text);
      return { said, system: systemOf(world), calls: world.eventsOf("site_called").length };
    };
    const scene = await begin();
    const groups = ["engineering"];
    await ask(scene, "t-1", { groups });
    expect((await ask(scene, "t-2", { groups })).system).toMatch(/t4.*tank four.*62 %/);
    const without = await ask(scene, "t-3", {});
    expect(without.said + without.system).not.toMatch(/62|t4|tank four/);
    expect(without.calls).toBe(1);
  });
});
