/** The session rules of the table of spoken approvals, played: words through the judge, and their verdicts through the executor. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { CONSENT_MS_MAX, type ReplyResult } from "../domain/operation.js";
import { judgeReply } from "./consent/judge.js";
import { ANN, ExecutorBench } from "./executor-bench.test-util.js";

interface Rule {
  readonly situation: string;
  readonly outcome: string;
  readonly executes: boolean;
}

const TABLE = new URL("../../test/conformance/spoken_approval_cases.json", import.meta.url);
const { session_rules: RULES } = JSON.parse(readFileSync(TABLE, "utf8")) as {
  readonly session_rules: readonly Rule[];
};

const WORD = "tango";
const YES = `confirm ${WORD}`;

/** A proposal that asks for the word, and what is said to it. */
class Session {
  readonly bench = new ExecutorBench();
  id = "op-none";
  /** How often its tool had its effect since the last reply. */
  effects = 0;

  constructor() {
    const { onExecute } = this.bench.site;
    this.bench.site.onExecute = (call) => {
      this.effects += 1;
      return onExecute(call);
    };
  }

  async asked(): Promise<this> {
    this.id = await this.bench.asked(["p1"], { level: "challenge" });
    return this;
  }

  async proposed(): Promise<this> {
    const proposed = await this.bench.propose(["p1"], { level: "challenge" });
    if (proposed.type === "waiting") this.id = proposed.operation.proposal.id;
    return this;
  }

  async says(words: string, pressedMs = this.bench.clock.monotonic()): Promise<ReplyResult> {
    this.effects = 0;
    const { verdict } = judgeReply(words, { level: "challenge", challenge: WORD, languages: ["en"] });
    const result = this.bench.says(this.id, verdict, ANN, { pressedMs, words });
    await settle();
    return result;
  }
}

const NOT_COUNTED = { type: "not_counted" };
const DENIED = { type: "ended", reason: "denied" };
const ACCEPTED = { type: "accepted" };

/** What each row is here; resolves with the session. The last reply comes to what is expected of it. */
const PLAYED: Readonly<Record<string, () => Promise<Session>>> = {
  "confirm with no proposal": async () => {
    const session = new Session();
    expect(await session.says(YES)).toEqual({ type: "unknown_operation" });
    return session;
  },
  "same token again after success": async () => {
    const session = await new Session().asked();
    await session.says(YES);
    expect(session.effects).toBe(1);
    expect(await session.says(YES)).toEqual({ type: "unknown_operation" });
    return session;
  },
  "affirmation without the word": async () => {
    const session = await new Session().asked();
    expect(await session.says("yes, do it")).toMatchObject(NOT_COUNTED);
    return session;
  },
  "approval that began while the proposal was still being read out": async () => {
    const session = await new Session().proposed();
    const pressedMs = session.bench.clock.monotonic();
    expect(await session.says(YES)).toMatchObject({ ...NOT_COUNTED, why: "readback_not_heard" });
    await session.bench.hears(session.id, ANN);
    expect(await session.says(YES, pressedMs)).toMatchObject({ ...NOT_COUNTED, why: "pressed_too_early" });
    return session;
  },
  "silence-type transcripts 'Okay.' 'Thank you.'": async () => {
    const session = await new Session().asked();
    for (const words of ["Okay.", "Thank you."]) expect(await session.says(words)).toMatchObject(NOT_COUNTED);
    return session;
  },
  "approve, then 'never ever confirm that'": async () => {
    const session = await new Session().asked();
    const { onObserve } = session.bench.site;
    session.bench.site.onObserve = async (...from) => {
      expect(await session.says("never ever confirm that")).toEqual(DENIED);
      return onObserve(...from);
    };
    expect(await session.says(YES)).toEqual(DENIED);
    return session;
  },
  // Each word is judged when it is understood; what is being read again waits for nobody, and is denied as the next row.
  "...that speech turns out to be a denial": () => PLAYED["approve, then 'never ever confirm that'"]!(),
  "denied, then the phrase said cleanly": async () => {
    const session = await new Session().asked();
    expect(await session.says(`don't ${YES}`)).toEqual(DENIED);
    expect(await session.says(YES)).toEqual(DENIED);
    await session.asked();
    expect(await session.says(YES)).toEqual(ACCEPTED);
    return session;
  },
  "confirm called before transcript lands: token kept, later confirm succeeds": async () => {
    const session = await new Session().asked();
    expect(await session.says("")).toMatchObject(NOT_COUNTED);
    expect(await session.says(YES)).toEqual(ACCEPTED);
    return session;
  },
  "repeated refusals retire the proposal": async () => {
    const session = await new Session().asked();
    for (const words of ["confirm mango", "confirm cargo"])
      expect(await session.says(words)).toMatchObject(NOT_COUNTED);
    expect(await session.says("confirm bingo")).toEqual({ type: "ended", reason: "missed" });
    expect(await session.says(YES)).toEqual({ type: "ended", reason: "missed" });
    return session;
  },
  // It is made, once, and nothing of it is believed but what is read afterwards.
  "dispatch throws": async () => {
    const session = await new Session().asked();
    session.bench.site.onExecute = () => Promise.reject(new Error("it broke"));
    expect(await session.says(YES)).toEqual(ACCEPTED);
    await session.bench.clock.advance(2 * CONSENT_MS_MAX);
    expect(session.bench.ended).toMatchObject([{ outcomes: ["contradicted"] }]);
    return session;
  },
  "confirm call carries other arguments": async () => {
    const session = await new Session().asked();
    const args: unknown[] = [];
    const { onExecute } = session.bench.site;
    session.bench.site.onExecute = (call) => {
      args.push(call.args);
      return onExecute(call);
    };
    const given = { pressedMs: session.bench.clock.monotonic(), words: YES, args: { speed: 9 } };
    expect(await session.bench.says(session.id, "approved", ANN, given)).toEqual(ACCEPTED);
    await settle();
    expect(args).toEqual([{ speed: 1 }]);
    return session;
  },
  "a cough that never completes": async () => {
    const session = await new Session().asked();
    await session.bench.clock.advance(CONSENT_MS_MAX);
    expect(await session.says(YES)).toEqual({ type: "ended", reason: "expired" });
    return session;
  },
};

/** Rows that are otherwise here, and why ours is better. */
const DIFFERS: Readonly<Record<string, string>> = {
  "approve, then new speech not yet transcribed":
    "A consent is not held up by a press that may mean anything: a denial in it counts until the call, and ends what is left.",
};

test.each(RULES)("$situation: $outcome", async ({ executes, situation }) => {
  if (DIFFERS[situation] !== undefined) return expect(PLAYED[situation]).toBeUndefined();
  const { effects } = await PLAYED[situation]!();
  expect(effects).toBe(executes ? 1 : 0);
});
