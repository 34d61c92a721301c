/** The two requests of an answer as the model server receives them, and how early speech begins. */
import { describe, expect, test } from "vitest";
import { searchReply, textReply, toolReply } from "../support/openai-replies.js";
import type { ChatBody } from "../support/openai-requests.js";
import { BADGE, LOCKOUT, OPENING, SPILL } from "./documents.js";
import type { TestUser } from "./relay.js";
import { contents, Drip, drippedSpeech, lastContent, librarian, packets, spoken } from "./script.js";
import { World } from "./world.js";

const documents = { acme: { "lockout.md": LOCKOUT, "spill.md": SPILL }, shop: { "opening.md": OPENING } };

describe("the two stages", () => {
  test("stage 1 must call the tool, stage 2 may call nothing and gets every answer", async () => {
    const world = await World.start({ documents });
    const usage = { prompt_tokens: 31, completion_tokens: 7 };
    const query = (text: string) => JSON.stringify({ search_query: text });
    const call = (id: string, text: string) => ({
      id,
      name: "retrieve_relevant_documents",
      arguments: query(text),
    });
    world.server
      .expectChat(
        toolReply(
          [call("call_a", "press 4 lockout"), call("call_b", "solvent spill"), call("call_c", "press 4")],
          usage,
        ),
      )
      .expectChat(textReply("The padlock is red.", { usage: { prompt_tokens: 311, completion_tokens: 17 } }));
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("How do I lock out press 4, and what about a spill?");
    await ann.answered();
    const [plan, compose] = world.server.chats as [ChatBody, ChatBody];
    expect(plan).toMatchObject({
      model: "gpt-4.1-mini",
      tool_choice: "required",
      parallel_tool_calls: false,
    });
    expect(plan.stream ?? false).toBe(false);
    expect(plan.tools?.map((tool) => tool.function.name)).toEqual(["retrieve_relevant_documents"]);
    expect(plan.tools?.[0]?.function.parameters).toMatchObject({
      type: "object",
      required: ["search_query"],
      properties: { search_query: { type: "string", description: expect.stringContaining("English") } },
    });
    expect(plan.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(lastContent(plan, "user")).toBe("How do I lock out press 4, and what about a spill?");

    expect(compose).toMatchObject({ tool_choice: "none", parallel_tool_calls: false, stream: true });
    expect(compose.stream_options).toEqual({ include_usage: true });
    expect(compose.tools).toEqual(plan.tools);
    expect(compose.messages.slice(0, 2)).toEqual(plan.messages);
    const [asked, ...results] = compose.messages.slice(2);
    expect(asked?.tool_calls?.map(({ id }) => id)).toEqual(["call_a", "call_b", "call_c"]);
    expect(results.map(({ role, tool_call_id: id }) => [role, id])).toEqual([
      ["tool", "call_a"],
      ["tool", "call_b"],
      ["tool", "call_c"],
    ]);
    // What several searches find is there once.
    const whole = contents(compose, "tool").join("\n");
    expect(whole.match(/LOCKOUT71/g)).toHaveLength(1);
    expect(whole.match(/SPILL52/g)).toHaveLength(1);
    expect(whole).toContain("Lockout of press 4");

    expect(await world.metric('token_usage_total{type="first_no_tool_request_input_tokens"}')).toBe(31);
    expect(await world.metric('token_usage_total{type="first_no_tool_request_output_tokens"}')).toBe(7);
    expect(await world.metric('token_usage_total{type="second_with_rag_request_input_tokens"}')).toBe(311);
    expect(await world.metric('token_usage_total{type="second_with_rag_request_output_tokens"}')).toBe(17);
    world.server.verify();
  });

  test("both are told what was said before, but not its passages", async () => {
    const world = await World.start({ documents });
    world.server
      .expectChat(searchReply("press 4 lockout"))
      .expectChat(textReply("The padlock is red."))
      .expectChat(searchReply("press 4 padlock"))
      .expectChat(textReply("The shift lead keeps it."));
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("How do I lock out press 4?", { request_id: "r-1" });
    await ann.answered("r-1");
    ann.ask("Who keeps the padlock?", { request_id: "r-2" });
    await ann.answered("r-2");
    for (const body of world.server.chats.slice(2)) {
      expect(body.messages.slice(1, 4)).toEqual([
        { role: "user", content: "How do I lock out press 4?" },
        { role: "assistant", content: "The padlock is red." },
        { role: "user", content: "Who keeps the padlock?" },
      ]);
    }
    expect(JSON.stringify(world.server.chats[2]?.messages)).not.toContain("LOCKOUT71");
  });

  test("another user's chat is not theirs, nor the same name's in another network", async () => {
    const world = await World.start({ documents, respond: librarian });
    const relay = await world.relay();
    relay.user("acme", "ann").ask("Where is the secret hammer of Ann?");
    await relay.user("acme", "ann").answered();
    const before = world.server.chats.length;
    for (const user of [relay.user("acme", "bob"), relay.user("shop", "ann"), relay.user("acme", "Ann")]) {
      user.ask("How do I lock out press 4?");
      await user.answered();
    }
    expect(world.server.chats.length).toBeGreaterThan(before);
    for (const body of world.server.chats.slice(before)) expect(JSON.stringify(body)).not.toContain("hammer");
  });

  test("speech starts while stage 2 is being written", async () => {
    const world = await World.start({ documents });
    const words = new Drip<string>();
    const speech = drippedSpeech(packets(3));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply(words));
    world.server.expectSpeech(speech.reply, ({ input }) => expect(input).toBe("The padlock is red."));
    const ann = (await world.relay()).user("acme", "ann");
    ann.askAloud("How do I lock out press 4?");
    words.put("The padlock ");
    words.put("is red. The shift ");
    await world.server.received(3);
    speech.release(0, 1);
    await ann.packets(1);
    // Stage 2 is not over, and neither is the first sentence's audio.
    speech.release(1, 3);
    world.server.expectSpeech(spoken(packets(1, 10)), ({ input }) =>
      expect(input).toBe("The shift lead keeps it."),
    );
    words.put("lead keeps it.");
    words.close();
    expect((await ann.answered()).text).toBe("The padlock is red. The shift lead keeps it.");
    expect(ann.summary).toContain("end_message 1 80 ms");
    world.server.verify();
  });
});

describe("sentences that are synthesized ahead", () => {
  test("are two beyond the one that is playing, however many are written", async () => {
    const sentences = ["padlock", "key", "lamp", "lever", "tag"].map((thing) => `The ${thing} is red.`);
    const text = `# Lockout of press 4\n\n${sentences.join(" ")}\n`;
    const world = await World.start({ documents: { acme: { "lockout.md": text } } });
    world.server.expectChat(searchReply("press 4")).expectChat(textReply(sentences.join(" ")));
    const speech = [0, 10, 20, 30, 40].map((from) => drippedSpeech(packets(1, from)));
    for (const { reply } of speech) world.server.expectSpeech(reply);
    const relay = await world.relay();
    const ann = relay.user("acme", "ann");
    ann.askAloud("How do I lock out press 4?");
    const asked = () => world.server.speeches.map(({ input }) => input);
    for (const [playing, { release }] of speech.entries()) {
      await world.server.received(2 + Math.min(5, playing + 3));
      await relay.flushed();
      expect(asked()).toEqual(sentences.slice(0, playing + 3));
      release(0, 1);
      await ann.packets(playing + 1);
    }
    await ann.answered();
    world.server.verify();
  });
});

describe("the persona", () => {
  /** The system prompt and the passages that an answer is given with. */
  async function prompted(world: World, user: TestUser, parameters: object): Promise<ChatBody> {
    user.ask("When does it open or how do I lock out the press?", parameters);
    await user.answered();
    return world.server.chats.at(-1)!;
  }

  const cases = [
    { name: "default", parameters: {}, says: "a voice on the radio" },
    {
      name: "default for a mode that is not known",
      parameters: { mode: "pirate" },
      says: "a voice on the radio",
    },
    { name: "kiosk by its flag", parameters: { f: "beta,kiosk" }, says: "kiosk in a shop" },
    { name: "onboarding by its mode", parameters: { mode: "ai_onboarding" }, says: "trying you out" },
    {
      name: "onboarding by its mode, flags or not",
      parameters: { mode: "ai_onboarding", f: "kiosk" },
      says: "trying you out",
    },
  ];
  test.each(cases)("is $name", async ({ parameters, says }) => {
    const world = await World.start({ documents, respond: librarian });
    const user = (await world.relay()).user("shop", "kiosk-1");
    const body = await prompted(world, user, parameters);
    expect(lastContent(body, "system")).toContain(says);
    expect(lastContent(body, "system")).toContain("read on a small screen");
    expect(lastContent(body, "system")).not.toMatch(/%\w+%/);
  });

  test("is told when the answer is spoken", async () => {
    const world = await World.start({ documents, respond: librarian });
    const ann = (await world.relay()).user("acme", "ann");
    ann.askAloud("How do I lock out press 4?");
    await ann.answered();
    for (const body of world.server.chats)
      expect(lastContent(body, "system")).toContain("spoken over a loud radio");
  });

  test("answers in the language of the question, or in the one that the relay names", async () => {
    const world = await World.start({ documents, respond: librarian });
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("How do I lock out press 4?", { request_id: "r-1" });
    await ann.answered("r-1");
    ann.ask("How do I lock out press 4?", { language: "pt-BR", request_id: "r-2" });
    await ann.answered("r-2");
    const told = world.server.chats.map(
      (body) => /Answer in (the .*)\./.exec(contents(body, "system").join("\n"))?.[1],
    );
    const asQuestion =
      'the language of the question, or, where its words do not tell, the language with the BCP 47 tag "en"';
    expect(told.slice(0, 2)).toEqual([asQuestion, asQuestion]);
    for (const language of told.slice(2)) expect(language).toContain('"pt-BR"');
  });

  test("of onboarding does not widen access", async () => {
    const world = await World.start({
      documents: { ...documents, aionboarding: { "badge.md": BADGE } },
      respond: librarian,
    });
    const ann = (await world.relay()).user("aionboarding", "ann");
    ann.ask("lost badge reset master number, lockout of press 4", { mode: "ai_onboarding" });
    await ann.answered();
    expect(world.requestText).not.toMatch(/BADGE44|LOCKOUT71/);
  });
});

describe("budgets", () => {
  test("a message of more than 250 tokens is refused with its length and the limit", async () => {
    const world = await World.start({ documents, respond: librarian });
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("word ".repeat(251), { request_id: "long" });
    const refusal = await ann.answered("long");
    expect(refusal).toMatchObject({ command: "ai_message_error", code: "message_too_long" });
    expect(refusal.error).toMatch(/251.*250/);
    ann.ask("word, ".repeat(249), { request_id: "fits" });
    expect(await ann.answered("fits")).toMatchObject({ command: "text_message" });
    expect(world.server.chats[0]?.messages).toHaveLength(2);
  });

  test("history of more than 1,000 tokens loses its oldest lines, passages of more than 2,500 their end", async () => {
    const about = (n: number, sentences: number) =>
      Array.from({ length: sentences }, (_, i) => `The handle H${n}x${i} of the press turns left.`).join(" ");
    const manual = `# Handles of the press\n\n${[1, 2, 3, 4, 5].map((n) => `- ${about(n, 90)}\n`).join("")}`;
    const world = await World.start({ documents: { acme: { "manual.md": manual } } });
    const ann = (await world.relay()).user("acme", "ann");
    for (const turn of [1, 2, 3, 4]) {
      world.server.expectChat(searchReply("press handle")).expectChat(textReply(about(turn, 45)));
      ann.ask(`Where do I find the handle of question${turn}?`, { request_id: `r-${turn}` });
      await ann.answered(`r-${turn}`);
    }
    const remembered = JSON.stringify(world.server.chats.at(-2)?.messages);
    for (const turn of ["H1x", "question1"]) expect(remembered).not.toContain(turn);
    for (const turn of ["H2x", "question2", "H3x", "question4"]) expect(remembered).toContain(turn);
    const passages = contents(world.server.chats.at(-1)!, "tool").join("\n");
    expect(passages.split(/\s+/).length).toBeLessThan(2_600);
    expect(world.eventsOf("passages_truncated").at(-1)).toMatchObject({ limit: 2_500 });
    expect(world.log).toContain('"event":"passages_truncated"');
  });
});
