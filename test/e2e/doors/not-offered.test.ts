/** An order and a check that nothing here can carry out: an outcome of its own, at every door and in the metrics. */
import { describe, expect, test } from "vitest";
import { english } from "../../support/locales.js";
import { all, grpc, offline, openai, post, WHO } from "./ask.js";

const ORDER = "Open valve 3.";
const NOT_OPERATED = english.say("operate_not_offered");
const NOT_READ = `${english.say("check_not_offered")} ${english.say("not_in_documents")}`;
const UNCERTAIN = [{ reason: "not_offered", suggestion: expect.stringMatching(/./) }];

const asked = async (world: Awaited<ReturnType<typeof offline>>, text: string, more: object = {}) =>
  (await post(world, "/api/v1/answers", { ...WHO, text, ...more })).json();

describe("what nothing here can do, and no document tells how", () => {
  test("is not called a gap in the documents, at any door", async () => {
    const world = await offline();
    const series = (result: string) => world.metric(`readback_turns_total{result="${result}"}`);
    expect(await world.metrics()).toContain('readback_turns_total{result="not_offered"} 0');
    expect(await asked(world, ORDER)).toMatchObject({
      ...{ outcome: "not_offered", answer: NOT_OPERATED },
      uncertainties: UNCERTAIN,
    });
    const check = "What is the temperature in cold room 2 right now?";
    expect(await asked(world, check)).toMatchObject({
      ...{ outcome: "not_offered", answer: NOT_READ },
      uncertainties: UNCERTAIN,
    });
    const messages = [{ role: "user", content: ORDER }] as const;
    const reply = await openai(world).chat.completions.create({
      model: "readback",
      messages: [...messages],
      user: JSON.stringify(WHO),
    });
    expect(reply).toMatchObject({ readback: { outcome: "not_offered" } });
    const replies = await all(grpc(world).AskAgent({ query: ORDER, ...WHO }));
    expect(replies.at(-1)).toMatchObject({ outcome: "not_offered", text: NOT_OPERATED });
    expect([await series("not_offered"), await series("not_in_documents")]).toEqual([4, 0]);
  });

  test("stays that when it is said again", async () => {
    const world = await offline();
    await asked(world, ORDER, { session_id: "s" });
    const again = await asked(world, "Say again", { session_id: "s" });
    expect(again).toMatchObject({ outcome: "not_offered", answer: NOT_OPERATED });
  });
});

test("an order of which a document tells how is answered, and so is a plain question refused as before", async () => {
  const world = await offline();
  expect(await asked(world, "Lock out press 4.")).toMatchObject({
    outcome: expect.not.stringMatching(/^not_/),
  });
  expect(await asked(world, "What is the wifi password of the sauna?")).toMatchObject({
    outcome: "not_in_documents",
    uncertainties: [{ reason: "no_data" }],
  });
});
