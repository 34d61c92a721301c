/** What was asked in vain, over the API and at the command line: counted, and told to those who may know it. */
import { expect, test } from "vitest";
import { Child } from "../child.js";
import type { World } from "../world.js";
import { address, offline, post, WHO } from "./ask.js";

const MANAGER = { "x-api-key": "manager-key-0123456789" };
const OTHER = { "x-api-key": "other-key-0123456789" };
const FREE = { "x-api-key": "free-key-0123456789" };
const KEYS = [
  { key: MANAGER["x-api-key"], networks: ["acme"], unanswered: true },
  { key: OTHER["x-api-key"], networks: ["other"], unanswered: true },
  { key: FREE["x-api-key"] },
];

/** Ann may not read the payroll; nobody knows of the wifi. */
const QUESTIONS = [
  "What is the wifi password of the sauna?",
  "Which code opens the payroll safe?",
  "sauna wifi password",
  "How is press 4 locked out?",
  // No better document would open it.
  "Open valve 9.",
];

async function asked(config: Record<string, unknown>): Promise<World> {
  const world = await offline({ config: { "http.api_keys": KEYS, ...config } });
  for (const text of QUESTIONS)
    await (await post(world, "/api/v1/answers", { ...WHO, text }, { headers: FREE })).text();
  return world;
}

async function listed(world: World, headers: Record<string, string>, query = "") {
  const response = await fetch(address(world, `/api/v1/unanswered_questions${query}`), { headers });
  return { status: response.status, body: (await response.json()) as { questions: { question: string }[] } };
}

test("what a user may not read and what is nowhere are listed alike, for the key that may and its network", async () => {
  const world = await asked({ "chat.log_unanswered": true });
  const { status, body } = await listed(world, MANAGER);
  expect(status).toBe(200);
  const alike = { last_asked: expect.stringMatching(/^\d{4}-.*Z$/), outcome: "not_in_documents" };
  expect(body).toEqual({
    kept: true,
    questions: [
      { question: QUESTIONS[2], count: 2, ...alike },
      { question: QUESTIONS[1], count: 1, ...alike },
    ],
  });
  expect((await listed(world, OTHER)).body.questions).toEqual([]);
  expect((await listed(world, OTHER, "?network=acme")).status).toBe(403);
  expect((await listed(world, FREE, "?network=acme")).status).toBe(403);
  expect((await listed(world, {}, "?network=acme")).status).toBe(401);

  const environment = { READBACK_DATA_DIR: world.dataDir };
  const command = Child.run(["unanswered", "--json"], environment);
  expect((await command.exited).code).toBe(0);
  expect(JSON.parse(command.stdout)).toEqual(body.questions);
  const cleared = Child.run(["unanswered", "--network", "acme", "--clear"], environment);
  expect((await cleared.exited).code).toBe(0);
  expect((await listed(world, MANAGER)).body.questions).toEqual([]);
});

test("nothing is kept unless the settings say so; who asks the command is told", async () => {
  const world = await asked({});
  expect((await listed(world, MANAGER)).body).toEqual({ kept: false, questions: [] });
  const command = Child.run(["unanswered"], { READBACK_DATA_DIR: world.dataDir });
  await command.exited;
  expect(command).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining("READBACK_CHAT_LOG_UNANSWERED"),
  });
});
