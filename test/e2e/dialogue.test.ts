/**
 * What a chat has open, over a real socket: a question back is answered in the words that it offers, typed or spoken,
 * in six languages and after small talk; a yes that answers nothing does nothing, however often it is said.
 */
import { describe, expect, test } from "vitest";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import type { TestUser } from "./relay.js";
import { World, type WorldOptions } from "./world.js";

const document = (title: string, text: string, more = "") =>
  `---\ntitle: ${title}\n${more}---\n# ${title}\n\n${text}\n`;

const BOTTLES = "1. Open the valve at the infeed.\n2. Press the green button.";
const PARTS = "1. Close the lid.\n2. Turn the key to on.";
const FIRST = "Close the lid.";
const SECOND = "Open the valve at the infeed.";

const WASHERS = {
  "bottles.md": document("Starting the bottle washer", BOTTLES),
  "parts.md": document("Starting the parts washer", PARTS),
};
const QUESTION = "How do I start the washer?";
const ASKED_BACK = "Do you mean Starting the parts washer, or Starting the bottle washer?";

async function begin(options: WorldOptions = {}) {
  const world = await World.start({
    documents: { acme: WASHERS },
    config: { "llm.provider": "offline" },
    ...options,
  });
  const ann = (await world.relay()).user("acme", "ann");
  return { world, ann };
}

let count = 0;

/** What is answered to a text. */
async function told(user: TestUser, text: string, more: object = {}): Promise<string> {
  count += 1;
  const id = `d-${count}`;
  user.ask(text, { request_id: id, ...more });
  return String((await user.answered(id)).text).trim();
}

describe("a yes that answers nothing", () => {
  test("does nothing and says nothing again, however often it is said", async () => {
    const { ann } = await begin();
    const order = await told(ann, "Open valve 3");
    const replies: string[] = [];
    for (const words of ["ok", "do it", "do it", "yes"]) replies.push(await told(ann, words));
    expect(order).toBe("I can't operate anything here, and I can't find that in your documents.");
    expect(new Set(replies).size).toBe(1);
    expect(replies[0]).not.toContain("documents");
    expect(replies[0]!.length).toBeLessThan(80);
  });

  test.each([
    ["en", "do it"],
    ["de", "mach das"],
    ["es", "hazlo"],
    ["fr", "vas-y"],
    ["pl", "zrób to"],
    ["uk", "зроби це"],
  ])("is asked what it means in %s", async (language, words) => {
    const { ann } = await begin();
    const replies = [await told(ann, words, { language }), await told(ann, words, { language })];
    expect(replies[0]).toMatch(/\?$/);
    expect(replies[1]).toBe(replies[0]);
  });
});

describe("a list that is too long to be heard at once", () => {
  test("tells how many items there are, and a yes goes on to the last of them", async () => {
    const things =
      "hammer wrench pliers torch rope tape ladder bucket broom apron goggles helmet whistle blanket radio";
    const items = `${things} chisel spanner shovel funnel brush`
      .split(" ")
      .map((thing) => `- ${thing} in a sealed plastic box with a label`);
    const kit = document("Spare kit", `The kit must hold:\n\n${items.join("\n")}`);
    const { ann } = await begin({ documents: { acme: { "kit.md": kit } } });
    const first = await told(ann, "What must the spare kit hold?");
    const replies = [first];
    while (replies.at(-1)!.includes("Shall I go on?") && replies.length < 5)
      replies.push(await told(ann, "yes"));
    expect(first).toContain("There are 20 of these.");
    expect(first).not.toContain("brush");
    const said = [...replies.join(" ").matchAll(/(\p{L}+) in a sealed/gu)].map(([, thing]) =>
      thing!.toLowerCase(),
    );
    expect(said).toEqual(items.map((item) => item.split(" ")[1]));
  });
});

describe("a question in other words than the document's", () => {
  const OTHER_WORDS = "fridge too hot again, which number do I dial";
  const documents = {
    acme: {
      "alarm.md": document(
        "Cold room alarm",
        "The alarm sounds when a room is too warm. Close its door, and call maintenance on 210.",
      ),
      "parking.md": document("Parking", "Visitors park behind building B. The barrier opens at six."),
      "canteen.md": document("Canteen", "Lunch is served from 11:30 to 14:00."),
    },
  };

  test("is answered by an offer to read what may be meant, and a yes reads it", async () => {
    const { ann } = await begin({ documents });
    const offer = await told(ann, OTHER_WORDS);
    expect(offer).toBe("Do you mean Cold room alarm? Shall I read it?");
    expect(await told(ann, "yes")).toContain("call maintenance on 210.");
    expect(await told(ann, OTHER_WORDS)).toBe(offer);
    expect(await told(ann, "no")).not.toContain("210");
  });

  test("is read to the end of its section, a part at a time", async () => {
    const alarm = "The alarm sounds when a room is too warm. Close its door, and call maintenance on 210.";
    const rest = Array.from(
      { length: 14 },
      (_, i) => `Write into column ${i + 1} what the panel shows there.`,
    );
    const text = `${alarm} ${rest.join(" ")} Hang the sheet at the entrance.`;
    const long = { acme: { ...documents.acme, "alarm.md": document("Cold room alarm", text) } };
    const { ann } = await begin({ documents: long });
    expect(await told(ann, OTHER_WORDS)).toBe("Do you mean Cold room alarm? Shall I read it?");
    const part = await told(ann, "yes");
    expect(part).toMatch(/call maintenance on 210\. Write into column 1 .* Shall I go on\?$/);
    expect(part).not.toContain("entrance");
    const more = await told(ann, "yes");
    expect(more).toMatch(/Hang the sheet at the entrance\.$/);
    expect(more).not.toContain("column 1 ");
  });

  test("is refused where nothing is about it", async () => {
    const { ann } = await begin({ documents });
    expect(await told(ann, "who won the football last night")).toBe("I can't find that in your documents.");
  });
});

describe("a question back", () => {
  test.each([
    ["en", "the first one", FIRST],
    ["en", "the second", SECOND],
    ["en", "the bottle washer, please", SECOND],
    ["en", "I mean the parts washer", FIRST],
    ["de", "Die zweite bitte", SECOND],
    ["es", "la segunda", SECOND],
    ["fr", "le deuxième", SECOND],
    ["pl", "ten drugi", SECOND],
    ["uk", "другий", SECOND],
  ])("is answered in %s by %s", async (language, reply, answer) => {
    const { ann } = await begin();
    await told(ann, QUESTION, { language });
    expect(await told(ann, reply, { language })).toContain(answer);
  });

  test("stays open over small talk, and not over another question", async () => {
    const { ann } = await begin();
    expect(await told(ann, QUESTION)).toBe(ASKED_BACK);
    expect(await told(ann, "yes")).toBe(ASKED_BACK);
    expect(await told(ann, "thanks")).toBe("You're welcome.");
    expect(await told(ann, "say again")).not.toContain("Close the lid");
    expect(await told(ann, "the first one")).toContain(FIRST);
    expect(await told(ann, QUESTION)).toBe(ASKED_BACK);
    await told(ann, "What is the rule for smoking on the roof?");
    expect(await told(ann, "the first one")).not.toContain("Close the lid");
  });

  test("is dropped by a no, and by never mind", async () => {
    for (const words of ["neither", "never mind"]) {
      const { ann } = await begin();
      await told(ann, QUESTION);
      expect(await told(ann, words)).toMatch(/^All right\./);
      expect(await told(ann, "the first one")).not.toContain("Close the lid");
    }
  });

  test("is answered by voice", async () => {
    const { ann, world } = await begin({
      config: { "llm.provider": "offline", "transcription.provider": "openai" },
    });
    const speech = await spokenPackets("the second one");
    world.server.expectTranscription(transcriptReply(QUESTION));
    ann.say(7, speech, { request_id: "v-1", response_type: "text" });
    expect(String((await ann.answered("v-1")).text).trim()).toBe(ASKED_BACK);
    world.server.expectTranscription(transcriptReply("The second one."));
    ann.say(8, speech, { request_id: "v-2", response_type: "text" });
    expect(String((await ann.answered("v-2")).text)).toContain(SECOND);
  });

  test("opens no document that the user may not read any more", async () => {
    const only = "visibility: restricted\nallowed_groups: [fitters]\n";
    const { ann } = await begin({
      documents: {
        acme: {
          "bottles.md": document("Starting the bottle washer", BOTTLES, only),
          "parts.md": document("Starting the parts washer", PARTS, only),
        },
      },
    });
    expect(await told(ann, QUESTION, { groups: ["fitters"] })).toBe(ASKED_BACK);
    expect(await told(ann, "the second one")).not.toMatch(/valve|bottle/i);
  });
});
