/**
 * The six ways in which an answer can end, each in its own words: over the radio as text and as voice, and over HTTP;
 * with a model server, and without one where the documents' own words can get there.
 */
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
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
const WASHER = document("Bottle washer", "The filter of the washer is changed every Monday.");
const DRYER = document("Parts washer", "The filter of the washer is changed every Friday.");

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
const ALARM = "The alarm of the cold room sounds at 8 degrees Celsius.";
const DISAGREE =
  "Your documents disagree. Hall rules says: The speed limit for forklifts in the hall is 6 km/h. " +
  "Forklift rules says: The speed limit for forklifts in the hall is 10 km/h. Find out which one holds before you act.";
const SUPERSEDED =
  "Oven manual, September 2025 revision does not hold any more. This is from Oven manual, March 2026 revision. " +
  "The oven cools down for 40 minutes.";
const OLD_REVISION = "How long must the oven cool down according to the September 2025 revision?";

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
    says: DISAGREE,
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
    question: "When does the alarm of the cold room sound?",
    says: ALARM,
    documents: { "cold-room.md": COLD_ROOM },
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
    question: "When do I change the filter of the washer?",
    says: "Do you mean Bottle washer, or Parts washer?",
    uncertain: "ambiguous_question",
    documents: { "bottle.md": WASHER, "parts.md": DRYER },
  },
  {
    name: "conflicting, where two documents disagree",
    outcome: "conflicting",
    question: "What is the speed limit for forklifts in the hall?",
    says: DISAGREE,
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
    config: { "retrieval.speculate": false, ...(writes === undefined ? offline : {}), ...config },
    respond: {
      chat: ({ body }) =>
        body.tool_choice === "required"
          ? searchReply(question)
          : textReply(writes ?? lastContent(body, "user")),
      speech: () => speechReply({ packets: 2 }),
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
    expect((await bob.packets(2)).length).toBeGreaterThan(0);
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
        ...answer
      } = (await overHttp(world, question)) as ApiAnswer & {
        usage: object;
        timings_ms: object;
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
