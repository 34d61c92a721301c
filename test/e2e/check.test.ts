/**
 * What is it right now, over real sockets and from the example plant, without a model: typed and spoken, in the words of
 * a chat; and nothing of what somebody may not know of, whatever is asked.
 */
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { examplePlant, type PlantOptions, type ResourceJson } from "./plant.js";
import type { TestUser } from "./relay.js";
import { librarian } from "./script.js";
import { World, type WorldOptions } from "./world.js";

const CRANE =
  "---\ntitle: Crane\n---\n# Crane\n\nThe maximum load of the crane is 900 kg. Check the temperature of the hydraulic " +
  "oil before each shift. The pressure of pump two must be under 5 bar.\n";

async function begin(options: Partial<WorldOptions> & { readonly plant?: PlantOptions } = {}) {
  const { plant: plantOptions, ...rest } = options;
  const plant = examplePlant(plantOptions);
  const world = await World.start({
    clock: systemClock,
    respond: librarian,
    documents: { acme: { "crane.md": CRANE } },
    config: { "llm.provider": "offline", sites: [plant.site] },
    ...rest,
  });
  const ann = (await world.relay()).user("acme", "ann");
  return { ann, plant, world };
}

let count = 0;

async function told(user: TestUser, text: string, more: object = {}): Promise<string> {
  count += 1;
  const id = `c-${count}`;
  user.ask(text, { request_id: id, ...more });
  return String((await user.answered(id)).text).trim();
}

test("what was, what is wrong, and a value that is asked about are answered as such", async () => {
  const { ann } = await begin();
  for (const past of [
    "what was the temperature of freezer one yesterday",
    "what was the average temperature of freezer one in the last hour",
  ])
    expect(await told(ann, past)).toMatch(/^I only know how/);
  expect(await told(ann, "are all freezers ok")).toMatch(/Freezer two is running\..*alarms: Too warm\.$/);
  expect(await told(ann, "is 12 bar ok for the compressor")).toMatch(/^Compressor, pressure: [\d.]+ bar\./);
  expect(await told(ann, "is an update available for grafana")).toMatch(/update available: yes\./);
});

test("a question about nothing that a site has belongs to the documents, in a network without one as in any", async () => {
  const plant = examplePlant({ settings: { networks: ["acme"] } });
  const shop = { "shop.md": "# Shop\n\nThe shop is open from 7:00 to 18:00.\n" };
  const { ann, world } = await begin({
    documents: { acme: shop, yard: shop },
    config: { "llm.provider": "offline", sites: [plant.site] },
  });
  const eve = (await world.relay()).user("yard", "eve");
  expect(await told(eve, "is the shop open now")).toMatch(/7:00/);
  for (const question of ["how many dollars are in the safe", "is 20.9 percent oxygen enough"])
    expect(await told(eve, question)).toMatch(/can't find that in your documents/);
  expect(await told(ann, "is the shop open now")).toMatch(/^I can't see anything .* called shop\. .*7:00/);
  expect(await told(ann, "is pump nine running")).toMatch(/^I can't see anything .* called pump nine\./);
  expect(await told(ann, "is it running")).toMatch(/^You can ask me how these are: line one/);
});

describe("a state", () => {
  test("is said with its age, of a thing, of its neighbour, of several, and after a question back", async () => {
    const { ann, world } = await begin();
    expect(await told(ann, "is pump two running")).toBe("Yes. Pump two is running. Checked just now.");
    expect(await told(ann, "what about pump three?")).toBe("Pump three is running. Checked just now.");
    expect(await told(ann, "is pump two stopped")).toBe("No. Pump two is running. Checked just now.");
    expect(await told(ann, "is press two down")).toBe("Yes. Press two is failed. Checked just now.");
    expect(await told(ann, "is line two running")).toBe("Line two is partly running. Checked just now.");
    expect(await told(ann, "is pump running")).toMatch(/pump three or pump four\? There are 6 in all\.$/);
    expect(await told(ann, "the second one")).toBe("Yes. Pump two is running. Checked just now.");
    expect(await told(ann, "are all pumps running")).toMatch(/^All 6 are running\. Checked just now\.$/);
    expect(await told(ann, "how are the freezers")).toMatch(/one is running\..*two is running\..*three is/);
    expect(world.eventsOf("turn_finished").map(({ result }) => result)).toEqual([
      ...[
        "answered",
        "answered",
        "answered",
        "answered",
        "answered",
        "ambiguous",
        "answered",
        "answered",
        "answered",
      ],
    ]);
  });

  test("of everything in a place is of all that is there, whatever was spoken of before", async () => {
    const { ann } = await begin();
    const before = await told(ann, "everything in hall two");
    expect(before).toMatch(/^\d are running\. Checked just now\. Tank three is in service\./);
    for (const tank of ["is tank one running", "what is the level of tank three", "how are the tanks"]) {
      await told(ann, tank);
      expect(await told(ann, "and everything in hall two?")).toBe(before);
    }
    expect(await told(ann, "is everything all right with pump nine")).toBe(
      "I can't see anything here that is called pump nine.",
    );
  });

  test("has no yes and no no where it was asked whether it is not so", async () => {
    const { ann } = await begin();
    expect(await told(ann, "is pump two not running")).toBe("Pump two is running. Checked just now.");
    expect(await told(ann, "läuft P2 nicht", { language: "de" })).toMatch(/^Pump two: läuft\./);
  });

  test.each([
    ["de", "läuft Pumpe zwei?", "Ja. Pump two: läuft. Gerade geprüft."],
    ["es", "¿está funcionando pump two?", "Sí. Pump two: en marcha. Comprobado ahora mismo."],
    ["fr", "est-ce que pump two tourne ?", "Oui. Pump two : en marche. Vérifié à l'instant."],
    ["pl", "czy pump two działa?", "Tak. Pump two: pracuje. Sprawdzono przed chwilą."],
  ])("is said in %s", async (language, question, answer) => {
    const { ann } = await begin();
    expect(await told(ann, question, { language })).toBe(answer);
  });

  test("is asked for and said aloud", async () => {
    const { ann, world } = await begin();
    world.server.expectTranscription(transcriptReply("is pump two running"));
    ann.say(1, await spokenPackets("is pump two running"), { response_type: "audio", request_id: "v-1" });
    const { text } = await ann.answered("v-1");
    expect(String(text).trim()).toBe("Yes. Pump two is running. Checked just now.");
    expect(ann.frames.some(({ packet }) => packet !== undefined)).toBe(true);
  });
});

describe("a value", () => {
  test("is said with what is usual only where it is away from that", async () => {
    const { ann } = await begin();
    expect(await told(ann, "what is the pressure of pump two")).toBe(
      "Pump two, pressure: 4.2 bar. Checked just now.",
    );
    expect(await told(ann, "what is the temperature of freezer two")).toBe(
      "Freezer two, temperature: -11 °C. Usually it is -20 °C. Checked just now.",
    );
  });

  test("is said again with its age, and never as one of now", async () => {
    const clock = new VirtualClock(Date.now());
    const { ann } = await begin({ clock });
    await told(ann, "what is the temperature of freezer two");
    await clock.advance(90_000);
    const again = await told(ann, "repeat");
    expect(again).toMatch(/2 minutes ago.*-11 °C/);
    expect(again).not.toContain("just now");
  });

  test("has the system and the time for a source, however long ago it was read", async () => {
    const clock = new VirtualClock(Date.now());
    const { ann } = await begin({ clock });
    await told(ann, "what is the temperature of freezer two");
    expect(await told(ann, "what is your source?")).toBe(
      "I read that from the system plant. Checked just now.",
    );
    await clock.advance(90_000);
    expect(await told(ann, "what is your source?")).toBe(
      "I read that from the system plant. That was 2 minutes ago.",
    );
    await told(ann, "what is the maximum load of the crane");
    expect(await told(ann, "what is your source?")).toContain("That is from Crane");
  });

  test("is no rule, and a rule is no value: the documents tell it", async () => {
    const { ann } = await begin();
    await told(ann, "is pump two running");
    expect(await told(ann, "what is the maximum load of the crane")).toContain("900 kg");
    for (const question of ["what pressure must pump two have", "how much pressure is allowed on pump two"])
      expect(await told(ann, question)).toBe("The pressure of pump two must be under 5 bar.");
  });
});

test("what nobody can do here is not answered by a state", async () => {
  const { ann } = await begin();
  for (const order of ["open tank one", "stop pump two", "restart grafana"])
    expect(await told(ann, order)).toContain("I can't operate anything here");
});

test("what can be checked is told", async () => {
  const { ann } = await begin();
  expect(await told(ann, "what can you check here?")).toMatch(
    /You can ask me how these are: .*, and \d+ more\./,
  );
});

test("many things are asked in part, and that is said", async () => {
  const freezer = (n: number) => ({
    address: `f${n}`,
    kind: "freezer",
    names: [`freezer ${n}`],
    area: "hall nine",
  });
  const resources = () => Array.from({ length: 30 }, (_, at) => freezer(at + 1));
  const { ann, world } = await begin({ plant: { resources } });
  expect(await told(ann, "how are the freezers")).toContain(
    "That is only a part: I did not ask about 6 more.",
  );
  expect(world.eventsOf("site_called")).toHaveLength(24);
});

const isOpen = ({ visibility }: ResourceJson) => visibility !== "restricted";
/** None of them is a word of a question. */
const MARKS = /plant\/(?:tank\/t4|press\/r3|container\/historian)|recipe-service|No room in the archive/;

describe("what somebody may not know of", () => {
  const things = [
    "tank four",
    "solvent tank",
    "prototype press",
    "historian",
    "recipe service",
    "recipe backup",
  ];
  const questions = [
    ...things.flatMap((thing) => [
      `is ${thing} running`,
      `what is the temperature of ${thing}`,
      `are there any alarms on the ${thing}`,
      `what about ${thing}?`,
    ]),
    ...["is T4 empty", "press three status", "is press running", "and the other one", "how are the tanks"],
    ...["level of the tank", "how are the presses", "how are the containers", "are there any alarms"],
    ...["did the backup work", "any updates", "what can you check here?", "how full is the storage"],
    ...[
      "everything in hall two",
      "what is the version of historian",
      "läuft der historian",
      "repeat",
      "source",
    ],
  ];

  /** Everything that one user is told, in one chat; at a time that stands still. */
  async function all(plant: PlantOptions, faults: readonly string[], more: object, startMs: number) {
    const scene = await begin({ plant, clock: new VirtualClock(startMs) });
    scene.plant.fault(...faults);
    scene.ann.relay.send({ command: "hello", steps: true });
    for (const [n, text] of questions.entries()) {
      const parameters = { request_id: `p-${n}`, ...(n % 6 === 0 && { response_type: "audio" }), ...more };
      scene.ann.ask(text, parameters);
      await scene.ann.answered(`p-${n}`);
    }
    scene.ann.send("get_chat");
    await scene.ann.relay.flushed();
    const frames = scene.ann.frames.flatMap(({ json }) =>
      json === undefined ? [] : [{ ...json, chat_id: undefined }],
    );
    const outcomes = scene.world.eventsOf("turn_finished").map(({ result }) => result);
    const calls = scene.world
      .eventsOf("site_called")
      .map(({ result, site, tool }) => ({ result, site, tool }));
    const prompts = scene.world.requestText;
    return {
      said: { frames, outcomes, calls, prompts },
      everything: scene.world.log + (await scene.world.metrics()),
    };
  }

  test.each([
    ["a user", {}],
    ["a user of another group", { groups: ["drivers"] }],
    ["a kiosk", { f: "kiosk" }],
  ])("is as if it were not there, for %s", async (_, more) => {
    expect(questions.length).toBeGreaterThanOrEqual(40);
    const startMs = Date.now();
    const withIt = await all({}, [], more, startMs);
    const hidden = ["t4", "r3", "historian", "recipe-service", "recipes"].map((one) => `withdrawn ${one}`);
    const resources = (known: readonly ResourceJson[]) => known.filter(isOpen);
    const without = await all({ resources }, hidden, more, startMs);
    expect(withIt.said).toEqual(without.said);
    expect(JSON.stringify(withIt.said.frames).includes('"command":"step"')).toBe(!("f" in more));
    expect(withIt.everything).not.toMatch(MARKS);
  });

  test("is told to who may know of it, and no more once they may not", async () => {
    const { ann, world } = await begin();
    const groups = ["engineering"];
    expect(await told(ann, "what is the level of tank four", { groups })).toBe(
      "Tank four, level: 62 %. Checked just now.",
    );
    const after = [
      "repeat",
      "is it running",
      "and its temperature",
      "what about it?",
      "source",
      "and tank four?",
    ];
    for (const text of after) expect(await told(ann, text)).not.toMatch(/62|\d ?%|°C|in service|just now/);
    expect(world.eventsOf("site_called")).toHaveLength(1);
  });

  test("is not among the hints of the recogniser", async () => {
    const { ann, world } = await begin();
    world.server.expectTranscription(transcriptReply("is pump two running"));
    ann.say(1, await spokenPackets("is pump two running"), { response_type: "text", request_id: "v-1" });
    await world.happened("turn_finished");
    expect(world.requestText).not.toMatch(/tank four|solvent|historian|prototype/);
  });
});
