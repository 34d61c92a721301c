/** A site behind the doors: marked resources, steps, what can be checked, and what a recogniser is told of it. */
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/lib/clock.js";
import { exampleSite } from "../../support/example-site.js";
import { temporaryDirectory } from "../world.js";
import { eventsIn, offline, post, WHO } from "./ask.js";

const PATH = "/api/v1/answers";

/** The plant's readings are dated by the machine's clock. */
function plant() {
  return offline({ clock: systemClock, config: { sites: [exampleSite(temporaryDirectory())] } });
}

async function answered(response: Response): Promise<Record<string, unknown>> {
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

describe("marked resources", () => {
  test("are what is meant, whatever the words, by the route that is declared too", async () => {
    const world = await plant();
    const mentions = ["plant/pump/p6"];
    for (const route of [undefined, "check"]) {
      const body = { ...WHO, text: "Is this one running?", mentions, route };
      expect((await answered(await post(world, PATH, body))).answer).toMatch(/^Yes\. Pump six is running\./);
    }
    const both = { ...WHO, text: "How are these?", mentions: [...mentions, "plant/pump/p1"] };
    const { answer } = await answered(await post(world, PATH, both));
    expect(answer).toMatch(/Pump six is running.*Pump one is running/);
  });

  test("tell nobody of what is not for them", async () => {
    const world = await plant();
    const text = "Is this one running?";
    const said = async (id: string) => {
      const { answer, outcome } = await answered(await post(world, PATH, { ...WHO, text, mentions: [id] }));
      return { answer, outcome };
    };
    const [forbidden, absent] = [await said("plant/press/r3"), await said("plant/press/r9")];
    expect(forbidden).toEqual(absent);
    expect(forbidden.answer).not.toMatch(/press|prototype/i);
  });

  test.each([
    ["plant/pump/p6", "mentions"],
    [[""], "mentions[0]"],
    [Array(33).fill("plant/pump/p6"), "mentions"],
  ])("that are none are refused: %#", async (mentions, field) => {
    const world = await offline();
    const response = await post(world, PATH, { ...WHO, text: "Is this one running?", mentions });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "bad_parameter", field } });
  });
});

test("what was asked of a site is told as it happens", async () => {
  const world = await plant();
  const init = { headers: { accept: "text/event-stream" } };
  const response = await post(world, PATH, { ...WHO, text: "Is pump six running?" }, init);
  const steps = eventsIn(await response.text()).filter(({ name }) => name === "step");
  expect(steps.map(({ data }) => data)).toEqual([
    {
      tool: "plant.read_status",
      target: "pump six",
      ok: true,
      ms: expect.any(Number),
      evidence: [
        {
          target: "plant/pump/p6",
          signal: "status",
          value: "running",
          text: "Pump six, status: running.",
          age_ms: expect.any(Number),
        },
      ],
    },
  ]);
});

test.each([
  [
    "What can you check here?",
    /You can ask me how these are: line one, pump one, tank one, .+, and \d+ more\./,
  ],
  ["Was kannst du hier prüfen?", /Sie können mich fragen, wie es hierum steht: line one, pump one/],
  ["¿Qué puedes ver aquí?", /Puede preguntarme cómo están: line one, pump one/],
  ["Qu'est-ce que tu peux vérifier ici ?", /Vous pouvez me demander l'état de : line one, pump one/],
  ["Co możesz tu sprawdzić?", /Można mnie zapytać o: line one, pump one/],
  ["Що ти тут бачиш?", /Ви можете запитати мене про: line one, pump one/],
])("%s", async (text, names) => {
  const world = await plant();
  const { answer, outcome } = await answered(await post(world, PATH, { ...WHO, text }));
  expect({ answer, outcome }).toEqual({ answer: expect.stringMatching(names), outcome: "answered" });
});

test("what can be checked is not told again to somebody who may not know of it any more", async () => {
  const site = exampleSite(temporaryDirectory());
  const resources = site.resources
    .filter(({ address }) => address === "r3")
    .map(({ parent: _, ...press }: Record<string, unknown>) => press);
  const world = await offline({ clock: systemClock, config: { sites: [{ ...site, resources }] } });
  const ask = async (text: string, groups: readonly string[]) => {
    const body = { ...WHO, text, groups, session_id: "s" };
    return (await answered(await post(world, PATH, body))).answer;
  };
  expect(await ask("What can you check here?", ["toolroom"])).toContain("press three");
  expect(await ask("Repeat that.", ["toolroom"])).toContain("press three");
  expect(await ask("Repeat that.", [])).not.toContain("press three");
  expect(await ask("What can you check here?", [])).not.toContain("press three");
});

test("a question back does not name things to somebody who may not know of them any more", async () => {
  const world = await plant();
  const ask = async (text: string, groups: readonly string[]) => {
    const body = { ...WHO, text, groups, session_id: "s" };
    return (await answered(await post(world, PATH, body))).answer;
  };
  expect(await ask("Is the press running?", ["toolroom"])).toMatch(/press three/i);
  expect(await ask("Repeat that.", [])).not.toMatch(/press three/i);
});
