/** The door before the executor itself: what is consented to over HTTP is done once, and under the rules of the voice. */
import { expect, it, onTestFinished } from "vitest";
import { settle } from "../../../test/support/virtual-clock.js";
import { ApiKeys } from "../../api/api-keys.js";
import type { Proposal } from "../../domain/operation.js";
import type { User } from "../../domain/user.js";
import { systemClock } from "../../lib/clock.js";
import { ANN, BEN, ExecutorBench } from "../../operate/executor-bench.test-util.js";
import { createTelemetry } from "../../telemetry/events.js";
import { HttpServer } from "../server.js";
import { approvalsDoor } from "./door.js";

const KEY = "approver-key-0123456789";
const BENS = "key-of-ben-0123456789012";

/** A proposal that nobody has heard by voice, behind a door. */
async function proposed(level: Proposal["level"]) {
  const bench = new ExecutorBench();
  const telemetry = createTelemetry([]);
  const keys = new ApiKeys(
    [
      { key: KEY, roles: ["approve"] },
      { key: BENS, username: BEN.username, roles: ["approve"] },
    ],
    {
      portIsPrivate: true,
      isOwnPeer: async () => true,
    },
  );
  const operating = {
    operations: bench.executor,
    access: async ({ user }: { user: User }) => ({ ...user, groups: ["all"], kiosk: false }),
  };
  const routes = [approvalsDoor({ clock: bench.clock, telemetry, keys, operating })];
  const server = new HttpServer({ host: "127.0.0.1", port: 0 }, routes, { clock: systemClock, telemetry });
  const url = `http://127.0.0.1:${await server.listen()}`;
  onTestFinished(() => server.close());
  const result = await bench.propose(["p1"], { level });
  if (result.type !== "waiting") throw new Error(result.type);
  const { id } = result.operation.proposal;
  await bench.clock.advance(50);
  const call = async (path: string, body?: object, key = KEY) => {
    const headers = { "x-api-key": key, "content-type": "application/json", connection: "close" };
    const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/${path}`, { headers, ...post });
    await settle();
    const reply = (await response.json()) as Record<string, string> & { error?: { why?: string } };
    return { status: response.status, reply, why: reply.error?.why };
  };
  const show = ({ network, username }: User) =>
    call(`ai/approvals/${id}?network=${network}&username=${username}`);
  /** By somebody who is shown it first. */
  const yes = async (who: User, more: object = {}, key = KEY) => {
    const { readback_digest } = (await show(who)).reply;
    await bench.clock.advance(50);
    return call(
      `ai/approvals/${id}/approve`,
      { ...who, readback_digest, readback_heard: true, ...more },
      key,
    );
  };
  return { bench, call, id, show, yes };
}

it("is done once, with its word, by the person who was asked", async () => {
  const { bench, yes } = await proposed("challenge");
  expect((await yes(BEN, { challenge: "tango" })).status).toBe(409);
  expect((await yes(ANN, { challenge: "mango" })).why).toBe("unclear");
  expect(bench.site.executed).toEqual([]);
  expect((await yes(ANN, { challenge: "tango" })).reply.result).toBe("approved");
  await bench.clock.advance(1_000);
  expect(bench.site.executed).toHaveLength(1);
  expect((await yes(ANN, { challenge: "tango" })).status).toBeGreaterThanOrEqual(404);
  expect(bench.site.executed).toHaveLength(1);
  const entries = bench.ledger.written.map(({ entry }) => entry);
  expect(entries.map(({ type }) => type)).toEqual(expect.arrayContaining(["proposed", "reply", "executing"]));
  expect(entries.flatMap((one) => (one.type === "reply" ? one.reply.via : []))).toContain("http");
});

it("needs a second person where the level does", async () => {
  const { bench, yes } = await proposed("second_person");
  const word = { challenge: "tango" };
  expect((await yes(ANN, word)).reply).toMatchObject({ result: "needs_second_person" });
  expect((await yes(ANN, word)).status).toBe(409);
  expect(bench.site.executed).toEqual([]);
  expect((await yes(BEN, word)).why).toBe("not_trusted");
  expect((await yes(BEN, word, BENS)).reply.result).toBe("approved");
  await bench.clock.advance(1_000);
  expect(bench.site.executed).toHaveLength(1);
});

it("is told of a no that came too late what became of it", async () => {
  const { bench, call, id, yes } = await proposed("plain");
  expect((await yes(ANN)).reply.result).toBe("approved");
  await bench.clock.advance(1_000);
  const late = await call(`ai/approvals/${id}/deny`, ANN);
  expect([late.status, late.why]).toEqual([409, "ended"]);
  expect(late.reply.error).toMatchObject({ message: expect.stringContaining("verified") });
});

it("is not done after a no, nor after its time", async () => {
  const denied = await proposed("plain");
  expect((await denied.call(`ai/approvals/${denied.id}/deny`, ANN)).reply.result).toBe("denied");
  expect((await denied.yes(ANN)).status).toBeGreaterThanOrEqual(404);
  const late = await proposed("plain");
  const { readback_digest } = (await late.show(ANN)).reply;
  await late.bench.clock.advance(1_000_000);
  const body = { ...ANN, readback_digest, readback_heard: true };
  expect((await late.call(`ai/approvals/${late.id}/approve`, body)).status).toBeGreaterThanOrEqual(404);
  expect([denied, late].flatMap(({ bench }) => bench.site.executed)).toEqual([]);
});
