import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiKeys } from "../../api/api-keys.js";
import type { Identity } from "../../api/claims.js";
import { TurnFailure } from "../../domain/failure.js";
import type { Access } from "../../domain/user.js";
import { systemClock } from "../../lib/clock.js";
import { ANN, ScriptedOperations, waitingView } from "../../operate/operations.test-util.js";
import { createTelemetry } from "../../telemetry/events.js";
import { HttpServer } from "../server.js";
import { approvalsDoor } from "./door.js";

const APPROVER = "approver-key-0123456789";
const ASKER = "asker-key-0123456789";
const BOUND = "bound-key-0123456789";
const KIOSK = "kiosk-key-0123456789";
const KEYS = [
  { key: APPROVER, roles: ["ask", "approve"] },
  { key: ASKER },
  { key: BOUND, networks: ["acme"], username: "bob", groups: ["crew"], roles: ["approve"] },
  { key: KIOSK, networks: ["acme"], username: "hall", features: ["kiosk"], roles: ["approve"] },
] as const;

/** What time it is, however long a test takes. */
const NOW_MS = Date.UTC(2026, 10, 23);

let operations: ScriptedOperations;
let server: HttpServer;
let url = "";
let groupsAreKnown: boolean;
let accesses: Access[];

beforeEach(async () => {
  operations = new ScriptedOperations();
  groupsAreKnown = true;
  accesses = [];
  const telemetry = createTelemetry([]);
  const keys = new ApiKeys(KEYS, { portIsPrivate: true, isOwnPeer: async () => true });
  const operating = {
    operations,
    async access({ features, groups, user }: Identity) {
      if (!groupsAreKnown) throw new TurnFailure("assistant_unavailable", "Try again in a moment.");
      const access = { ...user, groups, kiosk: features.includes("kiosk") };
      accesses.push(access);
      return access;
    },
  };
  const deps = { clock: { ...systemClock, now: () => NOW_MS }, telemetry };
  server = new HttpServer(
    { host: "127.0.0.1", port: 0 },
    [approvalsDoor({ ...deps, keys, operating })],
    deps,
  );
  url = `http://127.0.0.1:${await server.listen()}`;
});
afterEach(async () => {
  await server.close();
  expect(operations.missing, "replies that did not come").toBe(0);
});

interface Told {
  readonly status: number;
  readonly body: ToldBody;
}

interface ToldBody {
  readonly approvals: unknown[];
  readonly operations: object[];
  readonly readback_digest: string;
  readonly error: { readonly why?: string; readonly message: string };
}

async function call(path: string, body?: object, key: string = APPROVER): Promise<Told> {
  const headers = { "x-api-key": key, "content-type": "application/json", connection: "close" };
  const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, { headers, ...post });
  return { status: response.status, body: (await response.json()) as ToldBody };
}

const AS_ANN = "?network=acme&username=ann";

/** What a page sends that was shown the proposal. */
async function yes(more: object = {}, id = "op-1"): Promise<Told> {
  const { body } = await call(`/api/ai/approvals/${id}${AS_ANN}`);
  const shown = { readback_digest: body.readback_digest, readback_heard: true, challenge: "tango" };
  return call(`/api/ai/approvals/${id}/approve`, { ...ANN, ...shown, ...more });
}

describe("what waits", () => {
  it("is listed for who may know of it, in the reference's names, with its readback", async () => {
    const untilMs = NOW_MS + 90_000;
    const done = waitingView({ id: "op-0" }, { phase: "ended", outcomes: ["verified"] });
    operations.views = [done, waitingView({}, { untilMs })];
    operations.knownTo = ({ groups }) => groups.includes("crew");
    expect((await call(`/api/ai/approvals${AS_ANN}`)).body).toEqual({ approvals: [] });
    const { body, status } = await call(`/api/ai/approvals${AS_ANN}&groups=crew,night`);
    expect(status).toBe(200);
    expect(body.approvals).toEqual([
      {
        approval_id: "op-1",
        command: 'plant.restart_pump {"pump":"p2"}',
        risk_level: "medium",
        description: "restart: Pump two",
        level: "challenge",
        expires_at: new Date(untilMs).toISOString(),
        seconds_left: 90,
        number: 7,
        status: "waiting",
        readback: "Restart pump two. It is stopped now. Say confirm tango.",
        readback_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        challenge: "tango",
        network: "acme",
        asked_of: "ann",
        approved_by: [],
        dry_run: false,
        calls: [{ target: "plant/pump/p2", name: "Pump two", before: "stopped", wanted: "running" }],
      },
    ]);
    expect(accesses.at(-1)).toEqual({ ...ANN, groups: ["crew", "night"], kiosk: false });
  });

  it("needs the role, and says for whom the key may speak", async () => {
    operations.views = [waitingView()];
    const refused = await call(`/api/ai/approvals${AS_ANN}`, undefined, ASKER);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
    expect(refused.body.error.message).toContain('add "approve" to the roles of this key');
    expect((await call("/api/ai/approvals")).body.error).toMatchObject({ field: "network" });
    expect((await call("/api/ai/approvals", undefined, BOUND)).status).toBe(200);
    expect(accesses.at(-1)).toEqual({ network: "acme", username: "bob", groups: ["crew"], kiosk: false });
    expect((await call(`/api/ai/approvals${AS_ANN}`, undefined, BOUND)).status).toBe(403);
    expect((await call("/api/ai/approvals/op-1/deny", ANN, BOUND)).status).toBe(403);
    expect((await call("/api/ai/approvals/op-1/deny", ANN, "nobody")).status).toBe(401);
  });

  it("is not shown where groups cannot be looked up", async () => {
    groupsAreKnown = false;
    expect((await call(`/api/ai/approvals${AS_ANN}`)).status).toBe(503);
  });
});

describe("what was done", () => {
  it("is listed", async () => {
    const reading = { target: "plant/pump/p2", signal: "status", value: "running", takenAtMs: 0, tool: "t" };
    const more = { phase: "ended", outcomes: ["verified"], after: [reading], by: [ANN] } as const;
    operations.views = [waitingView({}, more)];
    expect((await call(`/api/ai/approvals${AS_ANN}`)).body.approvals).toEqual([]);
    const { body } = await call(`/api/v1/operations${AS_ANN}`);
    expect(body.operations).toMatchObject([
      { status: "ended", approved_by: ["ann"], calls: [{ after: "running", outcome: "verified" }] },
    ]);
    // The word is of no use any more.
    expect(body.operations[0]).not.toHaveProperty("challenge");
  });
});

describe("consent", () => {
  it("that quotes what was shown, with the word, is passed on as heard and trusted", async () => {
    operations.views = [waitingView()];
    operations.expectReply({ type: "accepted" });
    expect(await yes({ challenge: " Tango " })).toEqual({
      status: 200,
      body: { approval_id: "op-1", result: "approved" },
    });
    const [heard] = operations.heard;
    expect(heard).toEqual({ id: "op-1", to: ANN, heardMs: expect.any(Number) });
    const reply = { by: ANN, words: "tango", via: "http", isRough: false, isTrusted: true };
    expect(operations.given).toEqual([
      { id: "op-1", verdict: "approved", reply: { ...reply, pressedMs: expect.any(Number) } },
    ]);
    expect(operations.given[0]!.reply.pressedMs).toBeGreaterThan(heard!.heardMs!);
  });

  it("needs no word where the level asks for none; the second person is asked next", async () => {
    operations.views = [waitingView({ level: "second_person", challenge: undefined })];
    operations.expectReply({ type: "needs_second_person", number: 7 });
    expect((await yes({ challenge: null })).body).toMatchObject({ result: "needs_second_person", number: 7 });
    expect(operations.given[0]!.verdict).toBe("approved");
  });

  it.each([undefined, "", "tangos", "confirm tango"])(
    "without the word (%j) is no yes",
    async (challenge) => {
      operations.views = [waitingView()];
      operations.expectReply({ type: "not_counted", why: "unclear", missesLeft: 2 });
      const { body, status } = await yes({ challenge });
      expect(status).toBe(409);
      expect(body.error).toEqual({
        code: "conflict",
        message: "This did not count: unclear.",
        why: "unclear",
        misses_left: 2,
      });
      expect(operations.given[0]!.verdict).toBe("unclear");
    },
  );

  it("to another proposal, or to one that was not shown, reaches nobody", async () => {
    operations.views = [waitingView(), waitingView({ id: "op-2" })];
    const other = (await call(`/api/ai/approvals/op-2${AS_ANN}`)).body.readback_digest;
    const { body, status } = await yes({ readback_digest: other });
    expect([status, body.error.why]).toEqual([409, "readback_not_heard"]);
    expect((await yes({ readback_digest: null })).status).toBe(400);
    expect((await yes({ readback_heard: false })).status).toBe(400);
    const [first] = operations.views;
    const digest = (await call(`/api/ai/approvals/op-1${AS_ANN}`)).body.readback_digest;
    const [restart] = first!.proposal.calls;
    operations.views = [waitingView({ calls: [{ ...restart, args: { pump: "p3" } }] })];
    expect((await yes({ readback_digest: digest })).status).toBe(409);
    expect([operations.given, operations.heard]).toEqual([[], []]);
  });

  it.each(["executing", "verifying", "ended"] as const)("to what is %s is too late", async (phase) => {
    operations.views = [waitingView({}, { phase, ...(phase === "ended" && { reason: "expired" }) })];
    const { body, status } = await yes();
    expect([status, body.error.why]).toEqual([409, phase === "ended" ? "expired" : phase]);
    expect(operations.given).toEqual([]);
  });

  it("that voids it or comes too late by a moment is told why", async () => {
    operations.views = [waitingView()];
    operations
      .expectReply({ type: "ended", reason: "state_changed" })
      .expectReply({ type: "not_counted", why: "same_person", missesLeft: 1 })
      .expectReply({ type: "unknown_operation" });
    expect((await yes()).body.error).toMatchObject({ why: "state_changed", message: /state changed/ });
    expect((await yes()).body.error).toMatchObject({ why: "same_person", misses_left: 1 });
    expect((await yes()).status).toBe(404);
  });

  it("of a second person takes a key of their own, and no kiosk's, at which anybody may stand", async () => {
    operations.views = [
      waitingView({ level: "second_person", challenge: undefined }, { phase: "waiting_second" }),
    ];
    const { readback_digest } = (await call(`/api/ai/approvals/op-1${AS_ANN}`)).body;
    const shown = { network: "acme", readback_heard: true, readback_digest };
    for (const [key, username] of [
      [KIOSK, "hall"],
      [APPROVER, "hall"],
    ] as const) {
      const { body, status } = await call("/api/ai/approvals/op-1/approve", { ...shown, username }, key);
      expect([status, body.error.why]).toEqual([409, "not_trusted"]);
    }
    expect(operations.given).toEqual([]);
    operations.expectReply({ type: "accepted" });
    expect((await call("/api/ai/approvals/op-1/approve", shown, BOUND)).status).toBe(200);
  });

  it("to what there is not, and to what this person may not know of, is answered alike", async () => {
    operations.views = [waitingView()];
    operations.knownTo = ({ username }) => username === "ann";
    const body = {
      network: "acme",
      username: "eve",
      readback_heard: true,
      readback_digest: "0",
      challenge: "tango",
    };
    const unknown = await call("/api/ai/approvals/op-9/approve", { ...body, ...ANN });
    expect(unknown.status).toBe(404);
    expect(await call("/api/ai/approvals/op-1/approve", body)).toEqual(unknown);
    expect(await call("/api/ai/approvals/op-1/deny", { network: "acme", username: "eve" })).toEqual(unknown);
    expect((await call("/api/ai/approvals/op-1?network=acme&username=eve")).status).toBe(404);
  });
});

describe("a no", () => {
  it("needs nothing but a name", async () => {
    operations.views = [waitingView()];
    operations.expectReply({ type: "ended", reason: "denied" });
    expect((await call("/api/ai/approvals/op-1/deny", ANN)).body).toEqual({
      approval_id: "op-1",
      result: "denied",
    });
    expect(operations.given).toMatchObject([{ verdict: "denied", reply: { by: ANN, via: "http" } }]);
    expect(operations.heard).toEqual([]);
  });

  it("that comes too late is told as such", async () => {
    operations.views = [waitingView()];
    operations.expectReply({ type: "ended", reason: "expired" });
    expect((await call("/api/ai/approvals/op-1/deny", ANN)).body.error).toMatchObject({ why: "expired" });
    operations.views = [waitingView({}, { phase: "executing" })];
    operations.expectReply({ type: "accepted" });
    const { body, status } = await call("/api/ai/approvals/op-1/deny", ANN);
    expect([status, body.error.why]).toEqual([409, "executing"]);
    operations.views = [waitingView({}, { phase: "ended", outcomes: ["verified"] })];
    operations.expectReply({ type: "unknown_operation" });
    expect((await call("/api/ai/approvals/op-1/deny", ANN)).body.error).toEqual({
      ...{ code: "conflict", why: "ended", message: "This came too late. Pump two: verified." },
    });
  });
});
