/** More asked than there is room for, on real sockets: what is refused is told so at each door, and what must be heard is. */
import { status } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { LOOK_MS } from "../../src/lib/pressure.js";
import { hangReply } from "../support/openai-replies.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import { address, all, grpc, post, WHO } from "./doors/ask.js";
import { packets, spoken } from "./script.js";
import { World } from "./world.js";

const documents = { acme: { "lockout.md": LOCKOUT } };
const CALL = "Help, he is not breathing!";
const QUESTION = "What is the colour of the padlock?";

/** No heap is below a ten thousandth of its limit. */
async function worldOfTheTripped(): Promise<World> {
  const clock = new VirtualClock();
  const config = { "chat.pressure_heap_share_max": 0.0001, "chat.pressure_ms": 0 };
  const world = await World.start({ clock, documents, config });
  await clock.advance(LOOK_MS);
  return world;
}

test("while a guard is tripped, every door refuses new turns, but for those that must be heard", async () => {
  const world = await worldOfTheTripped();
  const relay = await world.relay();
  const ann = relay.user("acme", "ann");
  ann.ask(QUESTION, { request_id: "typed" });
  expect(await ann.answered("typed")).toMatchObject({
    command: "ai_message_error",
    code: "assistant_unavailable",
    error: "Too many people are asking at once. Try again in a moment.",
  });
  const refused = await post(world, "/api/v1/answers", { ...WHO, text: QUESTION });
  expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true]);
  expect(await refused.json()).toMatchObject({ error: { code: "overloaded" } });
  await expect(all(grpc(world).AskAgent({ query: QUESTION, ...WHO }))).rejects.toMatchObject({
    code: status.RESOURCE_EXHAUSTED,
  });
  const ready = await fetch(address(world, "/readyz"));
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: "not_ready", reason: "no new turns are taken: heap" },
  ]);

  ann.ask(CALL, { request_id: "danger" });
  expect((await ann.answered("danger")).text).toContain("Call the emergency number now");
  ann.ask("stop", { request_id: "stop" });
  expect(await ann.answered("stop")).toMatchObject({ command: "text_message" });
  expect(world.server.chats).toEqual([]);
  expect(await world.metric('readback_pressure_high{what="heap"}')).toBe(1);
  expect(await world.metric('readback_turns_degraded_total{to="refusal",reason="heap"}')).toBe(3);
});

test("a spoken question is understood before it is refused: a call for help is answered", async () => {
  const world = await worldOfTheTripped();
  const ann = (await world.relay()).user("acme", "ann");
  world.server.expectTranscription(transcriptReply(QUESTION));
  ann.say(7, await spokenPackets(QUESTION), { request_id: "question" });
  expect(await ann.answered("question")).toMatchObject({ code: "assistant_unavailable" });
  world.server.expectTranscription(transcriptReply(CALL)).expectSpeech(spoken(packets(2)));
  ann.say(8, await spokenPackets(CALL), { request_id: "danger" });
  expect((await ann.answered("danger")).text).toContain("Call the emergency number now");
});

test("a turn whose time is over while it waits is not begun", async () => {
  const clock = new VirtualClock();
  const config = { "chat.turns_running_max": 1, "chat.turn_wait_ms_max": 2_000 };
  const world = await World.start({ clock, documents, config, respond: { chat: () => hangReply } });
  const relay = await world.relay();
  relay.user("acme", "bob").ask(QUESTION, { request_id: "slow" });
  await world.happened("turn_started");
  const ann = relay.user("acme", "ann");
  ann.ask(QUESTION, { request_id: "late" });
  await world.happened("turn_accepted", 2);
  await clock.advance(2_000);
  expect(await ann.answered("late")).toMatchObject({ code: "assistant_unavailable" });
  expect(world.eventsOf("turn_started")).toHaveLength(1);
  expect(world.eventsOf("turn_degraded")).toMatchObject([{ to: "refusal", reason: "expired" }]);
});
