/** A route that there is not is refused at every door that takes one, and the refusal names those that there are. */
import { expect, test } from "vitest";
import { all, grpc, offline, openai, post, QUESTION, WHO } from "./ask.js";

const KNOWN =
  /there is no such route; there are knowledge, conversational, platform, check, operate, guide\./;
const model = "readback";
const note = { ...WHO, query_type: "RETREIVAL" };
const messages = [{ role: "user", content: QUESTION }] as const;

test("an unknown route is a 400 that names the known ones", async () => {
  const world = await offline();
  const bodies: readonly [path: string, field: string, body: object][] = [
    ["/api/v1/answers", "route", { ...WHO, text: QUESTION, route: "nonsense" }],
    ["/v1/chat/completions", "user.query_type", { model, messages, user: JSON.stringify(note) }],
    ["/v1/chat/completions", "user.query_type", { model, messages, user: note, stream: true }],
    ["/v1/responses", "user.query_type", { model, input: QUESTION, user: JSON.stringify(note) }],
    ["/api/chat", "user.query_type", { model, messages, user: note }],
    ["/api/generate", "user.query_type", { model, prompt: QUESTION, user: note }],
  ];
  for (const [path, field, body] of bodies) {
    const response = await post(world, path, body);
    expect([path, response.status]).toEqual([path, 400]);
    const text = await response.text();
    expect(text, path).toMatch(KNOWN);
    expect(text, path).toContain(field);
  }
  const streamed = post(world, "/api/v1/answers", bodies[0]![2], {
    headers: { accept: "text/event-stream" },
  });
  expect((await streamed).status).toBe(400);
  for (const method of ["AskAgent", "AskAgentStream"] as const)
    await expect(all(grpc(world)[method]({ query: QUESTION, ...note }))).rejects.toMatchObject({
      code: 3,
      details: expect.stringMatching(KNOWN),
    });
  expect(world.eventsOf("turn_accepted")).toEqual([]);
});

test("a route that there is counts, whatever its capitals", async () => {
  const world = await offline({
    config: {
      "routing.routes": [
        { name: "RETRIEVAL", capability: "knowledge", retrieval: true },
        { name: "PLATFORM", capability: "platform", retrieval: false },
      ],
    },
  });
  const user = JSON.stringify({ ...WHO, query_type: "platform" });
  const { choices } = await openai(world).chat.completions.create({ model, user, messages: [...messages] });
  expect(choices[0]!.message.content).toContain("I can't see your account");
});
