import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Batch, chooseBatch, RETRIED_MAX } from "./batch.js";
import type { Job, RulesDraft } from "./connector.js";
import { CANCEL_MS_MAX, DRAFT_MS_MAX, evolve, type Observation } from "./evolve.js";
import { rulesOf } from "./rules.js";
import { BEGINNING, decide, type JobState, resumed, type SyncAction, type SyncProgress } from "./state.js";

const JOB_TIMEOUT_MS = 600_000;
const BATCH: Batch = {
  id: "b1",
  documents: [
    { metadataId: "m1", version: { seqNo: 1, primaryTerm: 1 }, key: "one.md" },
    { metadataId: "m2", version: { seqNo: 2, primaryTerm: 1 }, key: "two.md" },
    { metadataId: "m3", version: { seqNo: 3, primaryTerm: 1 }, key: "one.md" },
  ],
};
const OURS = rulesOf(BATCH).map(({ id }) => id);

const step = (progress: SyncProgress, seen: Observation, nowMs = 0) =>
  evolve(progress, seen, { nowMs, jobTimeoutMs: JOB_TIMEOUT_MS });
const inRules = (draft: "due" | "written" | "valid"): SyncProgress => ({
  ...BEGINNING,
  state: { phase: "rules", batch: BATCH, sinceMs: 0, draft },
});
const inJob = (job: JobState): SyncProgress => ({ ...BEGINNING, state: { phase: "job", batch: BATCH, job } });
const draft = (rest: Partial<RulesDraft>): Observation => ({
  type: "draft_read",
  draft: { validation: "valid", errors: [], ruleIds: OURS, ...rest },
});
const job = (rest: Partial<Job>): Job => ({ id: "j1", status: "completed", ruleIds: OURS, ...rest });
const sought = { type: "sought", sinceMs: 0, rounds: 0 } as const;
const started = { type: "started", id: "j1", sinceMs: 0 } as const;

describe("rules of a batch", () => {
  it("let in each key once, then nothing, and have the default rule last", () => {
    expect(rulesOf(BATCH).map(({ policy, rule, value }) => [policy, rule, value])).toEqual([
      ["include", "equals", "one.md"],
      ["include", "equals", "two.md"],
      ["exclude", "regex", "[\\s\\S]*"],
      ["include", "regex", ".*"],
    ]);
    expect(new Set(OURS).size).toBe(OURS.length);
  });
});

describe("a draft", () => {
  it("is written, waited for, activated", () => {
    expect(decide(inRules("due").state, 0).type).toBe("write_draft");
    const written = step(inRules("due"), { type: "draft_written" });
    expect(decide(written.state, 0).type).toBe("read_draft");
    expect(step(written, draft({ validation: "edited" }))).toEqual(written);
    const valid = step(written, draft({}));
    expect(decide(valid.state, 0).type).toBe("activate_draft");
    expect(step(valid, { type: "draft_activated", done: true }).state).toMatchObject({
      phase: "job",
      job: sought,
    });
  });

  it("that somebody else has changed is written again", () => {
    expect(step(inRules("written"), draft({ ruleIds: ["DEFAULT"] })).state).toMatchObject({ draft: "due" });
    expect(step(inRules("valid"), { type: "draft_activated", done: false }).state).toMatchObject({
      draft: "due",
    });
  });

  it.each([
    ["nobody looks at", { validation: "edited" }],
    ["others keep changing", { ruleIds: ["DEFAULT"] }],
  ] as const)("that %s is given up without blaming a document", (_name, rest) => {
    const { state } = step(inRules("written"), draft(rest), DRAFT_MS_MAX + 1);
    expect(state).toMatchObject({ phase: "update" });
    if (state.phase === "update")
      for (const copy of state.copies) expect(copy).toMatchObject({ weight: "passing" });
  });

  it("that is invalid fails every document of the rule, and postpones the others", () => {
    const errors = [{ ruleIds: [OURS[0]!], messages: ["bad"] }];
    const { state } = step(inRules("written"), draft({ validation: "invalid", errors }));
    expect(state).toMatchObject({
      copies: [
        { metadataId: "m1", type: "failed", weight: "lasting" },
        { metadataId: "m2", type: "changed" },
        { metadataId: "m3", type: "failed", weight: "lasting" },
      ],
    });
  });

  it("that is invalid for no document's sake counts against all", () => {
    const errors = [{ ruleIds: ["DEFAULT"], messages: ["bad"] }];
    const { state } = step(inRules("written"), draft({ validation: "invalid", errors }));
    if (state.phase !== "update") throw new Error(state.phase);
    expect(state.copies.map((copy) => copy.type === "failed" && copy.weight)).toEqual([
      "counted",
      "counted",
      "counted",
    ]);
  });
});

describe("jobs that are found", () => {
  const found = (...jobs: Job[]) => step(inJob(sought), { type: "jobs_found", jobs }).state;

  it("decide what is next", () => {
    expect(found()).toMatchObject({ job: { type: "due" } });
    expect(found(job({ ruleIds: ["DEFAULT"] }))).toMatchObject({ job: { type: "due" } });
    expect(found(job({ status: "in_progress" }))).toMatchObject({ job: { type: "started", id: "j1" } });
    expect(found(job({}))).toMatchObject({ phase: "reindex" });
    expect(found(job({ status: "error", error: "no" }))).toMatchObject({ phase: "update" });
    expect(found(job({ status: "pending", ruleIds: [] }))).toMatchObject({
      job: { type: "blocked", by: ["j1"] },
    });
    expect(found(job({ id: "x", status: "error" }), job({ id: "y", status: "suspended" }))).toMatchObject({
      job: { type: "started", id: "y" },
    });
  });

  it("of others that do not end are given up on", () => {
    const jobs = [job({ status: "canceling", ruleIds: [] })];
    const { state } = step(inJob(sought), { type: "jobs_found", jobs }, CANCEL_MS_MAX + 1);
    expect(state).toMatchObject({ phase: "update", copies: [{ weight: "passing" }, {}, {}] });
  });

  it("are looked for again by whoever takes over a job that was due", () => {
    expect(resumed(inJob({ type: "due" }), 5).state).toMatchObject({ job: { type: "sought", sinceMs: 5 } });
    expect(resumed(inJob(started), 5)).toEqual(inJob(started));
  });
});

describe("a job that runs", () => {
  const read = (found: Job | undefined, nowMs = 1) =>
    step(inJob(started), { type: "job_read", job: found }, nowMs).state;

  it("is waited for until its time is over", () => {
    expect(read(job({ status: "in_progress" }), JOB_TIMEOUT_MS - 1)).toEqual(inJob(started).state);
    expect(read(job({ status: "in_progress" }), JOB_TIMEOUT_MS)).toMatchObject({
      job: { type: "unwanted", told: false },
    });
  });

  it.each([
    ["error", job({ status: "error", error: "AccessDenied" }), /failed: AccessDenied/],
    ["error without words", job({ status: "error" }), /does not say why/],
    ["canceled", job({ status: "canceled" }), /was cancelled/],
    ["gone", undefined, /is gone/],
  ])("that ends badly is an attempt: %s", (_name, found, reason) => {
    expect(read(found)).toMatchObject({
      phase: "update",
      copies: [{ weight: "counted", reason: expect.stringMatching(reason) }, {}, {}],
    });
  });

  it("with the rules of somebody else is none", () => {
    expect(read(job({ ruleIds: ["DEFAULT"] }))).toMatchObject({
      phase: "update",
      copies: [{ weight: "passing" }, {}, {}],
    });
  });

  it("that cannot be cancelled is left behind", () => {
    const unwanted = inJob({ type: "unwanted", id: "j1", sinceMs: 0, reason: "late", told: true });
    const running: Observation = { type: "job_read", job: job({ status: "canceling" }) };
    expect(step(unwanted, running, CANCEL_MS_MAX)).toEqual(unwanted);
    expect(step(unwanted, running, CANCEL_MS_MAX + 1).state).toMatchObject({ phase: "update" });
    expect(step(unwanted, { type: "job_read", job: job({}) }).state).toMatchObject({ phase: "reindex" });
  });
});

/** Whatever a connector may answer to an action. */
function answers(action: SyncAction): fc.Arbitrary<Observation> {
  const ruleIds = fc.constantFrom(OURS, ["DEFAULT"]);
  const jobs = fc.record({
    id: fc.constantFrom("j1", "j2"),
    status: fc.constantFrom(
      "pending",
      "in_progress",
      "suspended",
      "canceling",
      "completed",
      "error",
      "canceled",
    ),
    ruleIds,
  }) as fc.Arbitrary<Job>;
  switch (action.type) {
    case "load":
      return fc.constant({ type: "loaded", batch: BATCH, stale: [] });
    case "write_draft":
      return fc.constant({ type: "draft_written" });
    case "read_draft":
      return fc.record({
        type: fc.constant("draft_read" as const),
        draft: fc.record({
          validation: fc.constantFrom("edited", "valid", "invalid"),
          errors: fc.array(
            fc.record({ ruleIds: fc.array(fc.constantFrom(...OURS, "x")), messages: fc.constant(["m"]) }),
          ),
          ruleIds,
        }) as fc.Arbitrary<RulesDraft>,
      });
    case "activate_draft":
      return fc.record({ type: fc.constant("draft_activated" as const), done: fc.boolean() });
    case "find_jobs":
      return fc.record({ type: fc.constant("jobs_found" as const), jobs: fc.array(jobs, { maxLength: 4 }) });
    case "cancel_jobs":
      return fc.constant({ type: "jobs_cancelled" });
    case "start_job":
      return fc.constant({ type: "job_started", id: "j1" });
    case "read_job":
      return fc.record({ type: fc.constant("job_read" as const), job: fc.option(jobs, { nil: undefined }) });
    case "copy":
      return fc.constant({ type: "copied", copies: [] });
    case "update":
      return fc.constant({ type: "updated", results: [] });
  }
}

describe("whatever the connector answers", () => {
  it("a batch comes to its end in bounded time, and a process that takes over goes on anywhere", () => {
    fc.assert(
      fc.property(fc.gen(), fc.array(fc.nat(400), { maxLength: 5 }), (draw, crashes) => {
        let progress = step(BEGINNING, { type: "loaded", batch: BATCH, stale: [] });
        let [nowMs, looks, steps] = [0, 0, 0];
        while (progress.state.phase !== "load") {
          const action = decide(progress.state, looks);
          nowMs += "afterMs" in action ? action.afterMs : 0;
          // Any call takes a moment.
          nowMs += 10;
          const next = step(progress, draw(answers, action), nowMs);
          looks = JSON.stringify(next) === JSON.stringify(progress) ? looks + 1 : 0;
          progress = next;
          if (crashes.includes(++steps))
            progress = resumed(JSON.parse(JSON.stringify(progress)) as SyncProgress, nowMs);
          expect(nowMs).toBeLessThan(JOB_TIMEOUT_MS + DRAFT_MS_MAX + 20 * CANCEL_MS_MAX);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("the choice of a batch", () => {
  const document = (n: number) => ({
    metadataId: `m${n}`,
    version: { seqNo: n, primaryTerm: 1 },
    key: `${n}.md`,
  });
  const pending = Array.from({ length: 30 }, (_, n) => document(n));
  const attempts = { m0: { seqNo: 0, count: 2 }, m1: { seqNo: 1, count: 1 }, m2: { seqNo: 99, count: 2 } };
  const ids = (turn: number, some = pending, made: typeof attempts | object = attempts) =>
    chooseBatch(some, made as typeof attempts, turn, 10).map(({ metadataId }) => metadataId);

  it("takes new documents in their order, those that changed since they failed among them", () => {
    expect(ids(0)).toEqual(["m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11"]);
  });

  it("takes what failed before alone, by turns, the least tried first", () => {
    expect(ids(1)).toEqual(["m1"]);
    expect(ids(0, pending.slice(0, 2))).toEqual(["m1"]);
    expect(ids(1, pending, {})).toHaveLength(10);
  });

  it("takes no new ones while too many have failed", () => {
    const many = Array.from({ length: RETRIED_MAX + 5 }, (_, n) => document(n));
    const made = Object.fromEntries(
      many.slice(5).map(({ metadataId, version }) => [metadataId, { seqNo: version.seqNo, count: 1 }]),
    );
    expect(ids(0, many, made)).toEqual(["m5"]);
  });
});
