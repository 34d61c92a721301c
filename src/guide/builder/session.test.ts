/** What may follow what in a session, what is told of it, and what blocks its publication. */
import { describe, expect, it } from "vitest";
import { instruct, procedureOf } from "../schema/guides.test-util.js";
import type { Patch } from "./patch.js";
import { reviewOf } from "./review.js";
import {
  type BuilderSession,
  mayFollow,
  PHASES,
  type SessionEvent,
  SessionRefused,
  stepSession,
  TRAIL_MAX,
  UNDO_MAX,
} from "./session.js";
import { sessionOf } from "./sessions.test-util.js";

const guide = procedureOf([instruct("a"), instruct("b", { critical: true })]);
const rename = (id: string): SessionEvent => ({
  ...{ type: "patched", author: { type: "person", name: "ann" } },
  patches: [{ op: "modify", id: "a", fields: { title: id } }],
});
const message = {
  id: "m",
  role: "person",
  by: "ann",
  text: "Close it.",
  action: "open_chat",
  atMs: 0,
} as const;
const said = (id: string, messagesMax = 10): SessionEvent => ({
  ...{ type: "said", message: { ...message, id }, messagesMax },
});
const added: readonly Patch[] = [{ op: "add", step: instruct("c") }];

function stepped(session: BuilderSession, ...events: readonly SessionEvent[]): BuilderSession {
  return events.reduce((now, event) => stepSession(now, event, 1_000), session);
}

function refusal(work: () => unknown): SessionRefused {
  try {
    work();
  } catch (error) {
    if (error instanceof SessionRefused) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("the phases", () => {
  it("follow each other legally and in no other way", () => {
    const legal = PHASES.flatMap((from) =>
      PHASES.filter((to) => mayFollow(from, to)).map((to) => `${from} ${to}`),
    );
    expect(legal).toEqual([
      ...[
        "scoping discovery",
        "discovery enrichment",
        "discovery review",
        "enrichment discovery",
        "enrichment review",
      ],
      ...["review discovery", "review enrichment", "review generation", "generation review"],
    ]);
    for (const from of PHASES)
      for (const to of PHASES) {
        const move = () =>
          stepped(sessionOf(guide, { phase: from }), { type: "moved", by: "ann", phase: to });
        if (from === to || mayFollow(from, to)) expect(move().phase).toBe(to);
        else
          expect(refusal(move)).toMatchObject({
            code: "conflict",
            message: expect.stringContaining(`${to} does not`),
          });
      }
  });

  it("begin anew where a person changes a step while the scope is found out", () => {
    expect(stepped(sessionOf(guide, { phase: "scoping" }), rename("x")).phase).toBe("discovery");
  });
});

describe("messages", () => {
  it("end at the cap of the plan, and one without an answer does not count", () => {
    const full = stepped(sessionOf(guide), said("1", 2), said("2", 2));
    expect(refusal(() => stepped(full, said("3", 2)))).toMatchObject({ code: "rate_limited" });
    const again = stepped(full, { type: "unsaid", id: "2" }, said("3", 2));
    expect(again.messages.map(({ id }) => id)).toEqual(["1", "3"]);
  });

  it("are about steps that are there", () => {
    const event = { type: "said", message: { ...message, focal: "gone" }, messagesMax: 9 } as const;
    expect(refusal(() => stepped(sessionOf(guide), event))).toMatchObject({ code: "bad_parameter" });
  });

  it("count what they cost", () => {
    const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.5 };
    const answer: SessionEvent = { type: "answered", message, usage };
    expect(stepped(sessionOf(guide), answer, answer).usage).toEqual({
      inputTokens: 20,
      outputTokens: 10,
      costUsd: 1,
    });
  });
});

describe("suggestions", () => {
  it("wait until a person says what becomes of them, who stands behind what they accept", () => {
    const open = stepped(
      sessionOf(guide),
      { type: "suggested", action: "add_steps", patches: added },
      { type: "suggested", action: "add_steps", patches: [{ op: "remove", id: "a" }] },
    );
    expect(open.guide).toBe(guide);
    const done = stepped(
      open,
      { type: "resolved", suggestion: "s1", by: "ann", resolution: "accepted" },
      { type: "resolved", suggestion: "s2", by: "ann", resolution: "dismissed" },
    );
    expect(done.guide.steps.map(({ id }) => id)).toEqual(["a", "b", "c", "z"]);
    expect(done.backing.at(-2)).toEqual({ step: "c", who: "ann" });
    expect(done.suggestions.map(({ by, status }) => [status, by])).toEqual([
      ["accepted", "ann"],
      ["dismissed", "ann"],
    ]);
    const again = { type: "resolved", suggestion: "s1", by: "bob", resolution: "accepted" } as const;
    expect(refusal(() => stepped(done, again))).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("ann"),
    });
    expect(refusal(() => stepped(done, { ...again, suggestion: "s9" }))).toMatchObject({ code: "not_found" });
  });

  it("stay where they do not fit the guide any more", () => {
    const open = stepped(
      sessionOf(guide),
      {
        type: "suggested",
        action: "modify_node",
        patches: [{ op: "modify", id: "a", fields: { title: "X" } }],
      },
      { ...rename("x"), patches: [{ op: "remove", id: "a" }] } as SessionEvent,
    );
    const accept = { type: "resolved", suggestion: "s1", by: "ann", resolution: "accepted" } as const;
    expect(refusal(() => stepped(open, accept)).message).toMatch(/stays as it was:\n.*no step a/s);
    expect(open.suggestions[0]).toMatchObject({ status: "proposed" });
  });
});

describe("what is taken back", () => {
  it("is bounded", () => {
    const names = Array.from({ length: UNDO_MAX + 3 }, (_, at) => `${at}`);
    let session = stepped(sessionOf(guide), ...names.map(rename));
    for (let count = 0; count < UNDO_MAX; count++) session = stepped(session, { type: "undone", by: "ann" });
    expect(session.guide.steps[0]).toMatchObject({ title: "2" });
    expect(refusal(() => stepped(session, { type: "undone", by: "ann" }))).toMatchObject({
      code: "conflict",
    });
    const trail = Array.from({ length: TRAIL_MAX }, () => ({ atMs: 0, by: "ann", what: "said" }));
    expect(stepped(sessionOf(guide, { trail }), rename("x")).trail).toHaveLength(TRAIL_MAX);
  });
});

describe("publication", () => {
  const reviewed = sessionOf(guide, { phase: "review" });
  const approve: SessionEvent = { type: "approved", by: "bob" };
  const publish: SessionEvent = { type: "published", by: "ann", guide: "g", guideVersion: 1 };

  it("takes a second person, after the review, of the guide as it is", () => {
    expect(refusal(() => stepped(reviewed, { type: "approved", by: "ann" }))).toMatchObject({
      code: "forbidden",
    });
    expect(refusal(() => stepped(sessionOf(guide), approve))).toMatchObject({ code: "conflict" });
    expect(refusal(() => stepped(reviewed, publish))).toMatchObject({ code: "conflict" });
    expect(refusal(() => stepped(reviewed, approve, rename("x"), publish))).toMatchObject({
      code: "conflict",
    });
    const done = stepped(reviewed, approve, publish);
    expect(done).toMatchObject({
      phase: "generation",
      state: { status: "published", guide: "g", guideVersion: 1 },
    });
    expect(refusal(() => stepped(done, rename("x")))).toMatchObject({ code: "conflict" });
    expect(stepped(done, { ...publish, type: "withdrawn" }).state.status).toBe("withdrawn");
    expect(done.trail.map(({ by, what }) => `${by} ${what}`)).toEqual(["bob approved", "ann published"]);
  });

  it("is blocked by a step that nobody stands behind, and by a broken rule", () => {
    const marked = stepped(reviewed, { type: "patched", author: { type: "model" }, patches: added });
    expect(refusal(() => stepped(marked, approve)).message).toMatch(/step c: neither a person nor a passage/);
    const broken = sessionOf(procedureOf([instruct("a", { text: "Set it to 4.5." })]), { phase: "review" });
    expect(refusal(() => stepped(broken, approve)).message).toMatch(/4\.5 has no unit; write its unit/);
  });

  it("ends with the archive", () => {
    const archived = stepped(sessionOf(guide), { type: "archived" });
    expect(refusal(() => stepped(archived, rename("x")))).toMatchObject({ code: "gone" });
  });
});

it("a review tells counts, outline, variables, blockers and doubts", () => {
  const steps = [instruct("a", { text: "Close valve [VAR:line]." }), instruct("b", { critical: true })];
  const session = sessionOf(procedureOf(steps, { intake: [{ name: "line", label: "Which?" }] }), {
    backing: [],
  });
  expect(reviewOf(session)).toEqual({
    counts: { instruct: 2, end: 1 },
    outline: [
      { step: "a", number: 1, kind: "instruct", title: "Step a", leads: [], marked: true },
      { step: "b", number: 2, kind: "instruct", title: "Step b", leads: [], marked: true },
      { step: "z", number: 3, kind: "end", title: "Done", leads: [], marked: true },
    ],
    variables: { asked: ["line"], recorded: [], used: ["line"] },
    blockers: ["a", "b", "z"].map((id) => expect.stringContaining(`step ${id}: neither`)),
    doubts: [
      expect.stringMatching(/^step a: .*expected_outcome/),
      expect.stringMatching(/^step b: .*verification_prompt/),
      expect.stringMatching(/^step b: .*expected_outcome/),
    ],
  });
});
