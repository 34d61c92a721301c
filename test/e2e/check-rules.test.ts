/** What a document allows of a value that is read: beside the value, checked and with its source, and only for its readers. */
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../support/virtual-clock.js";
import { post } from "./doors/ask.js";
import { examplePlant, type PlantOptions, type ResourceJson } from "./plant.js";
import { librarian } from "./script.js";
import { World } from "./world.js";

const HANDBOOK =
  "---\ntitle: The handbook\n---\n# Freezers\n\nEvery freezer must be kept at -15 °C or below.\n";
const ENGINEERS =
  "---\ntitle: Pump limits\nvisibility: restricted\nallowed_groups: [engineering]\n---\n# Pumps\n\n" +
  "The pressure of pump two must be at most 58 psi.\n";
const OVEN =
  "---\ntitle: Oven card\n---\n# Oven\n\nThe temperature of compressor seals must be under 10 °C.\n";

const DOCUMENTS = { "pumps.md": ENGINEERS, "oven.md": OVEN };

async function begin(documents: Readonly<Record<string, string>> = DOCUMENTS, options: PlantOptions = {}) {
  const plant = examplePlant(options);
  return World.start({
    // A search may take as long as it does: its deadline is tried beside `createDocumentRules`.
    clock: new VirtualClock(Date.now()),
    respond: librarian,
    documents: { acme: { "freezers.md": HANDBOOK, ...documents } },
    config: { "llm.provider": "offline", sites: [plant.site] },
  });
}

/** One question over HTTP, in the one chat of this user. */
async function ask(world: World, text: string, more: object = {}) {
  const who = { network: "acme", username: "ann", session_id: "s" };
  const response = await post(world, "/api/v1/answers", { ...who, text, ...more });
  return (await response.json()) as {
    readonly answer: string;
    readonly outcome: string;
    readonly claims: readonly {
      readonly text: string;
      readonly evidence: readonly { readonly type: string }[];
    }[];
  };
}

const READING = "Freezer two, temperature: -11 °C. Usually it is -20 °C. Checked just now.";
const RULE = "The handbook allows at most -15 °C.";

describe("a value outside of what a document allows", () => {
  test("is said with that, which has its own source, and is said again with it", async () => {
    const world = await begin();
    const answer = await ask(world, "what is the temperature of freezer two");
    expect(answer.answer).toBe(`${READING} ${RULE}`);
    expect(answer.claims.map(({ evidence, text }) => [text, evidence[0]?.type])).toEqual([
      ["Freezer two, temperature: -11 °C. Usually it is -20 °C.", "tool_output"],
      [RULE, "passage"],
    ]);
    const source = (await ask(world, "what is your source?")).answer;
    expect(source).toContain("That is from The handbook");
    expect(source).toContain("I read that from the system plant.");
    await ask(world, "what is the temperature of freezer two");
    expect((await ask(world, "repeat")).answer).toContain(RULE);
  });

  test("is said in the language of the user", async () => {
    const world = await begin();
    const german = await ask(world, "wie warm ist freezer two", { language: "de" });
    expect(german.answer).toContain("The handbook: höchstens -15 °C.");
  });

  test("is said to a kiosk that is granted both, without the document's name", async () => {
    const granted = (text: string) =>
      text.replace("---\n", "---\nvisibility: restricted\nallowed_users: [ann]\n");
    const resources = (all: readonly ResourceJson[]) =>
      all.map((one) => (one.address === "f2" ? { ...one, visibility: "restricted", users: ["ann"] } : one));
    const world = await begin({ "freezers.md": granted(HANDBOOK) }, { resources });
    const kiosk = await ask(world, "what is the temperature of freezer two", { features: ["kiosk"] });
    expect(kiosk.answer).toBe(`${READING} Our information allows at most -15 °C.`);
  });

  test("is said where it was asked whether it is too much, in or out of bounds", async () => {
    const world = await begin();
    expect((await ask(world, "what is the temperature of freezer one")).answer).toBe(
      "Freezer one, temperature: -20 °C. Checked just now.",
    );
    const within = "Freezer one, temperature: -20 °C. Checked just now. The handbook allows at most -15 °C.";
    expect((await ask(world, "is that too warm?")).answer).toBe(within);
    expect((await ask(world, "is freezer one cold enough?")).answer).toBe(within);
    expect((await ask(world, "is compressor too hot")).answer).not.toContain("Oven");
  });
});

describe("a document that the user may not read", () => {
  const PRESSURE = "what is the pressure of pump two";
  const ALONE = "Pump two, pressure: 4.2 bar. Checked just now.";
  const RULED = `${ALONE} Pump limits allows at most 4 bar.`;

  test("is said to who may, in the unit of the reading, and to nobody else", async () => {
    const world = await begin();
    const groups = ["engineering"];
    expect((await ask(world, PRESSURE)).answer).toBe(ALONE);
    expect((await ask(world, "is the pressure of pump two too high")).answer).not.toMatch(/limits|allows/);
    expect((await ask(world, PRESSURE, { groups: ["drivers"] })).answer).toBe(ALONE);
    expect((await ask(world, PRESSURE, { groups })).answer).toBe(RULED);
    expect((await ask(world, "what is your source?", { groups })).answer).toContain("Pump limits");
    for (const text of ["repeat", "what is your source?", "is that too high?", PRESSURE])
      expect((await ask(world, text)).answer).not.toMatch(/limits|allows|\b4 bar|58/);
  });

  test("leaves no mark: all is as if it were not there", async () => {
    const told = async (documents: Readonly<Record<string, string>>) => {
      const world = await begin(documents);
      const answers = [];
      for (const text of [PRESSURE, "is that too high?", "what is your source?", "repeat"])
        answers.push(await ask(world, text));
      return {
        answers: answers.map(({ answer, claims, outcome }) => ({ answer, claims, outcome })),
        log: world.log,
      };
    };
    const [with_, without] = [await told({ "pumps.md": ENGINEERS }), await told({})];
    expect(with_.answers.map(({ answer }) => answer)).toEqual(without.answers.map(({ answer }) => answer));
    expect(with_.answers.map(({ outcome }) => outcome)).toEqual(
      without.answers.map(({ outcome }) => outcome),
    );
    expect(with_.log).not.toMatch(/Pump limits|58 psi/);
  });
});
