/** A question that was answered before: the model is not asked again, the documents always are. */
import { describe, expect, test } from "vitest";
import { post } from "./doors/ask.js";
import { librarian } from "./script.js";
import { World } from "./world.js";

const QUESTION = "When does the tool crib close?";
const document = (access: string, hour: string) =>
  `---\ntitle: Tool crib\n${access}\n---\n# Opening hours\n\nThe tool crib closes at ${hour} on every working day.\n`;
const OPEN = "visibility: network";
const FOR_ANN = "visibility: restricted\nallowed_users: [ann]";

interface Told {
  readonly outcome: string;
  readonly answer: string;
}

async function begin(config: Readonly<Record<string, unknown>> = {}) {
  const world = await World.start({
    documents: { acme: { "crib.md": document(OPEN, "17:00") } },
    respond: librarian,
    config: { "llm.answer_cache": true, ...config },
  });
  const ask = async (text = QUESTION, more: object = {}) => {
    const body = { network: "acme", username: "ann", route: "knowledge", text, ...more };
    return (await (await post(world, "/api/v1/answers", body)).json()) as Told;
  };
  const lookedUp = () => world.eventsOf("answer_looked_up").map(({ result }) => result);
  return { world, ask, lookedUp };
}

describe("the same question", () => {
  test("is answered again without the model, from a new search", async () => {
    const { world, ask, lookedUp } = await begin();
    const first = await ask();
    expect(first).toMatchObject({ outcome: "answered", answer: expect.stringContaining("17:00") });
    const again = await ask(`  ${QUESTION.toUpperCase()} `);
    expect(again.answer).toBe(first.answer);
    expect(lookedUp()).toEqual(["miss", "hit"]);
    expect(world.server.chats).toHaveLength(2);
    expect(await world.metric('readback_answer_cache_lookups_total{result="hit"}')).toBe(1);
  });

  test("is answered from the document as it is now", async () => {
    const { world, ask, lookedUp } = await begin();
    await ask();
    await world.ingest("acme", { "crib.md": document(OPEN, "19:00") });
    expect((await ask()).answer).toContain("19:00");
    expect(lookedUp()).toEqual(["miss", "stale"]);
  });

  test("is not answered from a document that may not be read any more", async () => {
    const { world, ask, lookedUp } = await begin();
    await world.ingest("acme", { "crib.md": document(FOR_ANN, "17:00") });
    await ask();
    await world.ingest("acme", { "crib.md": document(FOR_ANN.replace("ann", "bob"), "17:00") });
    const before = world.server.requests.length;
    const answer = await ask();
    expect(answer.outcome).toBe("not_in_documents");
    expect(JSON.stringify(answer)).not.toContain("17:00");
    expect(JSON.stringify(world.server.requests.slice(before).map(({ body }) => body))).not.toContain(
      "17:00",
    );
    expect(lookedUp()).toEqual(["miss", "stale"]);
  });

  test.each([
    ["somebody else", { username: "bob" }],
    ["a member of other groups", { groups: ["managers"] }],
    ["a kiosk", { features: ["kiosk"] }],
    ["who wants another language", { language: "de" }],
    ["somebody to whom something was said before", { history: [{ role: "user", text: "Hello crib." }] }],
  ])("by %s is another one", async (_, more) => {
    const { ask, lookedUp } = await begin();
    await ask();
    await ask(QUESTION, more);
    expect(lookedUp()).toEqual(["miss", "miss"]);
  });

  test("with something attached is neither remembered nor looked up", async () => {
    const { ask, lookedUp } = await begin();
    const more = { context: { selected_text: "The tool crib" } };
    for (let i = 0; i < 2; i++) await ask("When does this close, the selected text?", more);
    expect(lookedUp()).not.toContain("hit");
  });

  test("is asked again where the settings do not want it remembered", async () => {
    const { world, ask, lookedUp } = await begin({ "llm.answer_cache": false });
    await ask();
    await ask();
    expect(lookedUp()).toEqual([]);
    expect(world.server.chats).toHaveLength(4);
  });
});
