/**
 * The six ways in which an answer can end, each in its own words: over the radio as text and as voice, and over HTTP;
 * with a model server, and without one where the documents' own words can get there.
 */
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { databasePath, knowledgeDirectory } from "../../src/retrieval/embedded/database.js";
import { searchReply, speechReply, textReply } from "../support/openai-replies.js";
import { lastContent } from "./script.js";
import { World } from "./world.js";

const NOT_FOUND = "I can't find that in your documents.";
const UNAVAILABLE =
  "I can't search the documents right now, so I don't know if the answer is in them. Please ask again in a minute.";

const document = (title: string, text: string, more = "") =>
  `---\ntitle: ${title}\n${more}---\n# ${title}\n\n${text}\n`;

const COLD_ROOM = document(
  "Cold room rules",
  "The cold room door stays open for at most 10 minutes. The alarm of the cold room sounds at 8 degrees Celsius.",
);
const OVEN_OLD = document("Oven manual", "The oven cools down for 15 minutes.", 'revision: "2025-09"\n');
const OVEN = document("Oven manual", "The oven cools down for 40 minutes.", 'revision: "2026-03"\n');
const HALL = document("Hall rules", "The speed limit for forklifts in the hall is 6 km/h.");
const FORKLIFTS = document("Forklift rules", "The speed limit for forklifts in the hall is 10 km/h.");
const SAFE = document(
  "Payroll codes",
  "The payroll safe opens with the code PAYROLL93.",
  "visibility: restricted\nallowed_groups: [managers]\n",
);
const BOTTLES = document("Starting the bottle washer", "Open the valve at the infeed.");
const PARTS = document("Starting the parts washer", "Close the lid.");
/** More steps than are read out at once. */
const steps = Array.from({ length: 40 }, (_, i) => `Open valve V${i + 1} until gauge G${i + 1} shows 2 bar.`);
const STEPS_SAID = steps
  .slice(0, 28)
  .map((step, i) => `Step ${i + 1}: ${step}`)
  .join(" ");
const BOILER = document("Start the boiler", steps.map((step, i) => `${i + 1}. ${step}`).join("\n"));

const LIBRARY = {
  "cold-room.md": COLD_ROOM,
  "hall.md": HALL,
  "forklifts.md": FORKLIFTS,
  "safe.md": SAFE,
  "oven-2025.md": OVEN_OLD,
  "oven-2026.md": OVEN,
};

interface Case {
  readonly name: string;
  readonly outcome: string;
  readonly question: string;
  /** What the model writes; absent: there is no model. */
  readonly writes?: string;
  /** All that the user hears and reads. */
  readonly says: string;
  /** Reason of the first uncertainty, if there is one. */
  readonly uncertain?: string;
  readonly documents?: Readonly<Record<string, string>>;
  /** The index cannot be read. */
  readonly damaged?: boolean;
  readonly config?: Readonly<Record<string, unknown>>;
}

const OPEN = "The cold room door stays open for at most 10 minutes.";
const HALL_SAYS = "Hall rules says: The speed limit for forklifts in the hall is 6 km/h.";
const FORKLIFTS_SAY = "Forklift rules says: The speed limit for forklifts in the hall is 10 km/h.";
const disagree = (first: string, second: string) =>
  `Your documents disagree. ${first} ${second} Find out which one holds before you act.`;
const SUPERSEDED =
  "Oven manual, September 2025 revision does not hold any more. This is from Oven manual, March 2026 revision. " +
  "The oven cools down for 40 minutes.";
const OLD_REVISION = "How long must the oven cool down in the September 2025 revision?";

const WITH_MODEL: readonly Case[] = [
  {
    name: "answered",
    outcome: "answered",
    question: "How long may the cold room door stay open?",
    writes: OPEN,
    says: OPEN,
  },
  {
    name: "partial",
    outcome: "partial",
    question: "What are the rules for the cold room door and the alarm?",
    writes: `${OPEN} The alarm of the cold room sounds at 18 degrees Celsius.`,
    says: `${OPEN} The documents do not say more about it.`,
    uncertain: "unverified_number",
  },
  {
    name: "not in the documents, as the model says",
    outcome: "not_in_documents",
    question: "What is the rule for smoking on the roof?",
    writes: NOT_FOUND,
    says: NOT_FOUND,
    uncertain: "no_data",
  },
  {
    name: "not in the documents, whatever the model says",
    outcome: "not_in_documents",
    question: "What is the rule for smoking on the roof?",
    writes: "Smoking is allowed on the roof after noon.",
    says: NOT_FOUND,
    uncertain: "no_data",
  },
  {
    name: "ambiguous",
    outcome: "ambiguous",
    question: "What are the rules for the door?",
    writes: "Do you mean the cold room door?",
    says: "Do you mean the cold room door?",
    uncertain: "ambiguous_question",
  },
  {
    name: "conflicting, where two documents disagree",
    outcome: "conflicting",
    question: "What is the speed limit for forklifts in the hall?",
    writes: "The speed limit for forklifts in the hall is 6 km/h.",
    says: disagree(HALL_SAYS, FORKLIFTS_SAY),
    uncertain: "conflicting_documents",
  },
  {
    name: "conflicting, where the revision that is asked for does not hold any more",
    outcome: "conflicting",
    question: OLD_REVISION,
    writes: "The oven cools down for 40 minutes.",
    says: SUPERSEDED,
    uncertain: "superseded_revision",
  },
  {
    name: "search unavailable",
    outcome: "search_unavailable",
    question: "How long may the cold room door stay open?",
    writes: UNAVAILABLE,
    says: UNAVAILABLE,
    uncertain: "search_unavailable",
    damaged: true,
  },
];

const OFFLINE: readonly Case[] = [
  {
    name: "answered",
    outcome: "answered",
    question: "How long may the cold room door stay open?",
    says: OPEN,
  },
  {
    name: "partial, where a procedure is too long",
    outcome: "partial",
    question: "How do I start the boiler?",
    says: `This is only a part of the steps in Start the boiler. Do not start before you know all of them. ${STEPS_SAID} Shall I go on?`,
    documents: { "boiler.md": BOILER },
  },
  {
    name: "not in the documents",
    outcome: "not_in_documents",
    question: "What is the rule for smoking on the roof?",
    says: NOT_FOUND,
    uncertain: "no_data",
  },
  {
    name: "ambiguous, where two documents answer equally well",
    outcome: "ambiguous",
    question: "How do I start the washer?",
    says: "Do you mean Starting the parts washer, or Starting the bottle washer?",
    uncertain: "ambiguous_question",
    documents: { "bottles.md": BOTTLES, "parts.md": PARTS },
  },
  {
    name: "conflicting, where two documents disagree",
    outcome: "conflicting",
    question: "What is the speed limit for forklifts in the hall?",
    says: disagree(FORKLIFTS_SAY, HALL_SAYS),
    uncertain: "conflicting_documents",
  },
  {
    name: "conflicting, where the revision that is asked for does not hold any more",
    outcome: "conflicting",
    question: OLD_REVISION,
    says: SUPERSEDED,
    uncertain: "superseded_revision",
  },
  {
    name: "search unavailable",
    outcome: "search_unavailable",
    question: "How long may the cold room door stay open?",
    says: UNAVAILABLE,
    uncertain: "search_unavailable",
    damaged: true,
  },
];

async function begin({ config, damaged, documents, question, writes }: Case): Promise<World> {
  const offline = { "llm.provider": "offline" };
  const world = await World.start({
    documents: { acme: documents ?? LIBRARY },
    clock: systemClock, // so that a voice of many sentences gets to its end
    config: { "retrieval.speculate": false, ...(writes === undefined ? offline : {}), ...config },
    respond: {
      chat: ({ body }) =>
        body.tool_choice === "required"
          ? searchReply(question)
          : textReply(writes ?? lastContent(body, "user")),
      speech: () => speechReply({ packets: 1 }),
    },
  });
  if (damaged === true)
    writeFileSync(databasePath(knowledgeDirectory(world.dataDir), "acme"), "no database ".repeat(500));
  return world;
}

interface ApiAnswer {
  readonly outcome: string;
  readonly answer: string;
  readonly spoken: string;
  readonly uncertainties: readonly { readonly reason: string; readonly suggestion: string }[];
  readonly confidence: number;
  readonly audio?: object;
}

async function overHttp(world: World, text: string, more: object = {}): Promise<ApiAnswer> {
  const response = await fetch(`http://127.0.0.1:${world.ports.http}/api/v1/answers`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ network: "acme", username: "zoe", text, ...more }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as ApiAnswer;
}

describe.each([
  { where: "with a model server", cases: WITH_MODEL },
  { where: "without a model", cases: OFFLINE },
])("$where", ({ cases }) => {
  test.each(cases)("$name", async (one) => {
    const world = await begin(one);
    const relay = await world.relay();
    const ann = relay.user("acme", "ann");
    ann.ask(one.question);
    expect(await ann.answered()).toMatchObject({ command: "text_message", text: one.says });
    const bob = relay.user("acme", "bob");
    bob.askAloud(one.question);
    expect(await bob.answered()).toMatchObject({ command: "transcription", text: one.says });
    expect((await bob.packets(1)).length).toBeGreaterThan(0);
    expect(world.server.speeches.map(({ input }) => input).join(" ")).toContain(one.says.split(/[,.] /)[0]);

    for (const response_type of ["text", "audio"]) {
      const answer = await overHttp(world, one.question, { response_type });
      expect(answer).toMatchObject({ outcome: one.outcome, answer: one.says });
      expect(answer.uncertainties[0]?.reason).toBe(one.uncertain);
      if (one.uncertain !== undefined) expect(answer.uncertainties[0]?.suggestion).not.toBe("");
      expect(answer.audio !== undefined).toBe(response_type === "audio");
    }
    expect(await world.metric(`readback_turns_total{result="${one.outcome}"}`)).toBe(4);
  });
});

test("no two outcomes sound alike", () => {
  const words = new Map<string, Set<string>>();
  for (const { outcome, says } of [...WITH_MODEL, ...OFFLINE])
    words.set(says, (words.get(says) ?? new Set()).add(outcome));
  for (const [says, outcomes] of words) expect([...outcomes], says).toHaveLength(1);
  expect(new Set([...words.values()].flatMap((outcomes) => [...outcomes])).size).toBe(6);
});

describe("a document that the user may not read", () => {
  test.each([
    { where: "with a model server", writes: "The payroll safe opens with the code PAYROLL93." },
    { where: "without a model" },
  ])("sounds exactly like none, over the radio and over HTTP: $where", async ({ writes }) => {
    const question = "What is the code of the payroll safe?";
    const { "safe.md": _, ...without } = LIBRARY;
    const heard = [];
    for (const documents of [LIBRARY, without]) {
      const one = { name: "", outcome: "", says: "", question, documents };
      const world = await begin(writes === undefined ? one : { ...one, writes });
      const relay = await world.relay();
      const ann = relay.user("acme", "ann");
      ann.ask(question);
      await ann.answered();
      ann.askAloud(question, { request_id: "r-2" });
      await ann.answered("r-2");
      const {
        usage: __,
        timings_ms: ___,
        waterfall: ____,
        ...answer
      } = (await overHttp(world, question)) as ApiAnswer & {
        usage: object;
        timings_ms: object;
        waterfall: object;
      };
      heard.push({ summary: ann.summary, answer, speeches: world.server.speeches });
    }
    expect(heard[0]).toEqual(heard[1]);
    expect(heard[0]?.answer).toMatchObject({ outcome: "not_in_documents", answer: NOT_FOUND });
    const allowed = { name: "", outcome: "", says: "", question };
    const world = await begin(writes === undefined ? allowed : { ...allowed, writes });
    expect(await overHttp(world, question, { groups: ["managers"] })).toMatchObject({ outcome: "answered" });
  });
});
