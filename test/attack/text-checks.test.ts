/**
 * Text that is meant to keep the checks busy, at the doors that check: while each request is worked on, a relay's
 * keep_alives and `/healthz` are answered. Every sentence that was not checked says so, and none of it passes.
 */
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { address, documents, offline, post, QUESTION, ROUTE, WHO } from "../e2e/doors/ask.js";
import { World } from "../e2e/world.js";
import { textReply } from "../support/openai-replies.js";
import { Rounds } from "./support/processor.js";

const TEXT_CHARS_MAX = 20_000;
/** Of the loop's time under an attack, between two answers to others. */
const SHARE_MAX = 1 / 3;

/** What is repeated, by what it is. */
const HOSTILE: Readonly<Record<string, string>> = {
  "digits and blanks": "1 ",
  amounts: "5 mg ",
  "a table": "| pump 7 | 12.5 bar | 80 °C | 3 A |\n",
  "a table without marks": "pump 7 12.5 bar 80 °C 3 A\n",
  CJK: "漢",
  "CJK sentences": "消火器の使い方。",
  brackets: "([{",
  commas: "a, ",
  "a long word": "ab",
  quotes: '"a "',
  "short sentences": "Stop it. ",
  opposites: "open shut ",
  names: "Anna Berg ",
  "full stops": ".",
  "blanks and line feeds": " \n",
};

const repeated = (pattern: string, chars: number) =>
  `x ${pattern.repeat(Math.ceil(chars / pattern.length)).slice(0, chars - 4)} y`;

/** Runs `attack` while others are served, and tells how they fared; it returns what was wrong with its end. */
async function besides(world: World, name: string, attack: () => Promise<string>): Promise<void> {
  const relay = await world.relay();
  const rounds = new Rounds();
  let isOver = false;
  const attacked = attack().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await relay.flushed();
    const health = await fetch(address(world, "/healthz"), { headers: { connection: "close" } });
    expect(health.status).toBe(200);
    rounds.answered();
  }
  expect(await attacked).toBe("");
  console.log(`${name}: ${rounds}`);
  expect(rounds.longestShare, name).toBeLessThan(SHARE_MAX);
  relay.close();
}

interface Checked {
  readonly claims: readonly { readonly verdict: string; readonly reasons: readonly { code: string }[] }[];
}

describe("POST /api/v1/checks", () => {
  it("lets others go on, whatever is checked against whatever", async () => {
    const world = await offline({ clock: systemClock });
    for (const [name, pattern] of Object.entries(HOSTILE)) {
      const text = repeated(pattern, TEXT_CHARS_MAX);
      const passages = [1, 2].map((id) => ({
        id: String(id),
        title: "t",
        text: `The valve is open. ${text.slice(50)}`,
      }));
      await besides(world, `checks, ${name}`, async () => {
        const response = await post(world, "/api/v1/checks", { text, question: text, passages });
        const body = await response.text();
        return response.status === 200 || body.includes("expected at most 400 sentences") ? "" : body;
      });
    }
  });

  it("lets others go on while readings are searched", async () => {
    const world = await offline({ clock: systemClock });
    const result = Array.from({ length: 900 }, (_, i) => ({ name: `svc${i}`, hostname: `h${i}`, port: i }));
    const claims = Array.from({ length: 300 }, (_, i) => `svc${i} and svc${i + 1} are running on port ${i}.`);
    const body = { text: claims.join(" "), question: "Is it?", tools: [{ tool: "ps", result, age_s: 1 }] };
    await besides(world, "checks of readings", async () => {
      const response = await post(world, "/api/v1/checks", body);
      const told = await response.text();
      return response.status === 200 ? "" : told;
    });
  });

  it("passes nothing that it has not checked", async () => {
    const world = await offline();
    const text = `Open the valve ${"and then the gate ".repeat(300)}slowly.`;
    const passages = [{ id: "a", text }];
    const { claims } = (await (await post(world, "/api/v1/checks", { text, passages })).json()) as Checked;
    expect(claims).toMatchObject([{ verdict: "unsupported", reasons: [{ code: "not_checked" }] }]);
  });

  it("bears nothing out by a line of a sentence that is too long", async () => {
    const world = await offline();
    const passages = [
      { id: "a", text: `Never do one of these:\n${"wash the pump,\n".repeat(200)}open the valve.` },
    ];
    const body = { text: "Open the valve.", passages };
    const { claims } = (await (await post(world, "/api/v1/checks", body)).json()) as Checked;
    expect(claims).toMatchObject([{ verdict: "unsupported" }]);
  });

  it("refuses passages that are too long together, naming the limit", async () => {
    const world = await offline();
    const passages = Array.from({ length: 11 }, (_, i) => ({ id: String(i), text: "a ".repeat(9_999) }));
    const response = await post(world, "/api/v1/checks", { text: "It is so.", passages });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("expected at most 200000 characters in all passages together");
  });
});

describe("POST /api/v1/answers", () => {
  it("lets others go on, with a hostile history and hostile attachments", async () => {
    const world = await offline({ clock: systemClock });
    let user = 0;
    for (const [name, pattern] of Object.entries(HOSTILE)) {
      const said = repeated(pattern, 2_100);
      const history = [
        { role: "user", text: "What are the readings?" },
        { role: "assistant", text: said },
      ];
      const extra = repeated(pattern, 10_000);
      for (const text of ["And then?", "Say that again.", "What is the pressure of pump 7?"])
        await besides(world, `answers, ${name}, ${text}`, async () => {
          // Each as somebody new: nobody may ask so often.
          user += 1;
          const body = { ...WHO, username: `u${user}`, text, history, context: { extra_context: extra } };
          const response = await post(world, "/api/v1/answers", body);
          const answer = await response.text();
          return response.status === 200 ? "" : answer;
        });
    }
  });

  it("stops a model that never stops talking, and says so", async () => {
    const world = await World.start({ documents, clock: systemClock });
    const talk = "The canteen seats 120 people and is on the second floor of building C. ".repeat(3_000);
    world.server.expectChat(textReply(talk));
    await besides(world, "a model that never stops", async () => {
      const response = await post(world, "/api/v1/answers", { ...WHO, text: QUESTION, route: ROUTE });
      const body = (await response.json()) as { outcome: string; answer: string; claims: unknown[] };
      return body.outcome === "partial" && body.claims.length <= 400 ? "" : JSON.stringify(body);
    });
  });
});
