/** What a turn does with a reply: which of them reach the operation over which door. */
import { expect, test } from "vitest";
import { locales } from "../../test/support/locales.js";
import { ANN, EXAMPLE, exampleRegistry, exampleWriter } from "../../test/support/orders.js";
import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { ConsentPath } from "../domain/turn.js";
import { commands } from "../routing/commands.js";
import { createOperate, type OperateDeps } from "./operate.js";
import { ScriptedOperations, waitingView } from "./operations.test-util.js";
import { Tellings } from "./tellings.js";

/** What is said to a request that waits for Ann, or for a second person, over a door that carries this. */
async function said(
  question: string,
  operations: ScriptedOperations,
  {
    consent,
    isBegun = false,
    kiosk = false,
    second,
  }: { consent?: ConsentPath; isBegun?: boolean; kiosk?: boolean; second?: string } = {},
): Promise<DraftEvent[]> {
  const { clock, writer } = exampleWriter();
  const registry = () => exampleRegistry();
  const tellings = new Tellings({ clock, operations: () => operations as never, announce: () => "taken" });
  const more = second === undefined ? {} : ({ phase: "waiting_second", by: [ANN] } as const);
  const view = waitingView({ askedOf: ANN }, isBegun ? { phase: "executing" } : more);
  operations.views = [view];
  const deps = {
    ...{ clock, writer, operations, registry, tellings, levels: EXAMPLE.operate.levels },
    ...{ route: "operate", dryRun: false, isRough: false, commandsFor: async () => commands },
  } as unknown as OperateDeps;
  const pending = [
    {
      type: "proposal",
      operation: view.proposal.id,
      turn: "t",
      untilMs: Infinity,
      sources: [],
    },
  ] as const;
  const request = {
    question,
    access: { ...ANN, username: second ?? "ann", kiosk },
    locale: locales.of("en"),
    pending,
    consent,
  };
  const events: DraftEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of createOperate(deps).draft(request as unknown as AskRequest, signal))
    events.push(event);
  return events;
}

test("a denial counts over every door, a consent only where the door carries one", async () => {
  const operations = new ScriptedOperations().expectReply({ type: "ended", reason: "denied" });
  const refused = await said("confirm tango", operations);
  expect(refused).toMatchObject([
    { type: "phrase", text: expect.stringContaining("can't take a yes here") },
    {},
  ]);
  expect(operations.given).toEqual([]);
  const denied = await said("no, don't do it", operations);
  expect(denied).toMatchObject([{ type: "phrase", text: "All right. Nothing was done." }, {}]);
  expect(operations.given).toMatchObject([{ verdict: "denied", reply: { by: { username: "ann" } } }]);
});

test("no second person consents over a door where one key speaks for anybody", async () => {
  const consent = { via: "http", isTrusted: true, isShared: true, pressedMs: 1 } as const;
  const operations = new ScriptedOperations().expectReply({ type: "ended", reason: "denied" });
  const refused = await said("confirm tango", operations, { consent, second: "ben" });
  expect(refused).toMatchObject([
    { type: "phrase", text: expect.stringContaining("can't take a yes here") },
    {},
  ]);
  expect(operations.given).toEqual([]);
  await said("no", operations, { consent, second: "ben" });
  expect(operations.given).toMatchObject([{ verdict: "denied", reply: { by: { username: "ben" } } }]);
  operations.expectReply({ type: "ended", reason: "expired" });
  await said("confirm tango", operations, { consent });
  expect(operations.given.at(-1)).toMatchObject({ verdict: "approved", reply: { isTrusted: true } });
  expect(operations.given.at(-1)!.reply).not.toHaveProperty("isShared");
});

test.each([
  { via: "voice" } as const,
  // A key of the API that is a kiosk's, with a user of its own.
  { via: "http", isShared: false } as const,
])("a kiosk, at which anybody may stand, is no second person: %o", async (door) => {
  const consent = { ...door, isTrusted: true, pressedMs: 1 };
  const operations = new ScriptedOperations();
  const refused = await said("confirm tango", operations, { consent, kiosk: true, second: "kiosk-1" });
  expect(refused).toMatchObject([
    { type: "phrase", text: expect.stringContaining("can't take a yes here") },
    {},
  ]);
  expect(operations.given).toEqual([]);
});

test("a stop of what has begun is not told as if nothing came of it", async () => {
  const operations = new ScriptedOperations();
  const [stopped] = await said("stop", operations, { isBegun: true });
  expect(stopped).toEqual({ type: "phrase", text: locales.of("en").say("operate_stopped_begun") });
  expect(operations.stopped).toMatchObject([{ username: "ann" }]);
  const [nothing] = await said("stop", operations);
  expect(nothing).toEqual({ type: "phrase", text: "Stopped. Nothing was done." });
});

test("a readback tells where to consent over a door that carries no consent, and what to say over one that does", async () => {
  const operations = new ScriptedOperations();
  const consent = { via: "http", isTrusted: true, isShared: true, pressedMs: 1 } as const;
  const lastOf = async (door: Parameters<typeof said>[2]) => {
    const phrases = (await said("request seven", operations, door)).filter(({ type }) => type === "phrase");
    return phrases.at(-1);
  };
  const elsewhere = { text: expect.stringContaining("can't take a yes here") };
  expect(await lastOf({})).toMatchObject(elsewhere);
  expect(await lastOf({ consent, second: "ben" })).toMatchObject(elsewhere);
  expect(await lastOf({ consent })).toMatchObject({ text: "Say confirm tango." });
});
