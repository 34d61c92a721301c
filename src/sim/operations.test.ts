import { describe, expect, it } from "vitest";
import { CALL, ENTRIES, PROPOSAL } from "../../test/support/ledger-entries.js";
import type { LedgerEntry } from "../operate/ledger/port.js";
import { measureOperations } from "./operations.js";
import type { PlannedUser } from "./plan.js";

const ANN: PlannedUser = {
  network: "plant",
  username: "ann",
  groups: [],
  features: [],
  mode: undefined,
  language: undefined,
  relay: "hall",
  activities: [],
  done: [`restart ${CALL.target} verified`],
};

const measured = (entries: readonly LedgerEntry[], user = ANN) => measureOperations({ entries }, [user], []);
const without = (type: LedgerEntry["type"]) => ENTRIES.filter((entry) => entry.type !== type);
const changed = (type: LedgerEntry["type"], change: object) =>
  ENTRIES.map((entry) => (entry.type === type ? ({ ...entry, ...change } as LedgerEntry) : entry));
const [REPLY] = ENTRIES.filter(({ type }) => type === "reply");
const [EXECUTING] = ENTRIES.filter(({ type }) => type === "executing");
const challenged = { ...PROPOSAL, level: "challenge", challenge: "tango" };

describe("a ledger", () => {
  it("bears out an operation that has all of its rows", () => {
    expect(measured(ENTRIES)).toMatchObject({
      called: 1,
      tasks: 1,
      succeeded: 1,
      wrongTargets: 0,
      problems: [],
    });
  });

  it.each<[string, readonly LedgerEntry[], RegExp]>([
    ["a proposal", without("proposed"), /not what was proposed/],
    ["a readback", without("readback"), /no consent/],
    ["a readback heard to its end", changed("readback", { heardAtMs: undefined }), /no consent/],
    ["a press after the readback", changed("reply", { pressedAtMs: 900 }), /no consent/],
    ["consent", without("reply"), /no consent/],
    ["consent that counted", changed("reply", { refused: "unclear" }), /no consent/],
    ["the word", changed("proposed", { proposal: challenged }), /no consent/],
    [
      "a second person",
      changed("proposed", { proposal: { ...PROPOSAL, level: "second_person" } }),
      /second person/,
    ],
    [
      "a call that is as proposed",
      changed("executing", { what: { ...CALL, args: {} } }),
      /not what was proposed/,
    ],
    [
      "one call only",
      ENTRIES.flatMap((entry) => (entry === EXECUTING ? [entry, entry] : [entry])),
      /more than once/,
    ],
    [
      "no denial",
      ENTRIES.flatMap((entry) =>
        entry === REPLY ? [{ ...REPLY, verdict: "denied" } as LedgerEntry, entry] : [entry],
      ),
      /after a denial/,
    ],
    ["a result", without("outcome"), /no result/],
    ["a reading", without("read"), /without a reading/],
    ["an end", without("ended"), /not ended/],
  ])("that lacks %s is told", (_, entries, problem) => {
    expect(measured(entries).problems.join("\n")).toMatch(problem);
  });

  it("is told as bad where its rows are not what was written", () => {
    expect(measureOperations({ entries: [], flaw: "torn" }, [], []).problems).toEqual([
      "the ledger is bad: torn",
    ]);
  });

  it("shows what a user did not want", () => {
    const other = measured(ENTRIES, { ...ANN, done: [] });
    expect(other).toMatchObject({ succeeded: 0, wrongTargets: 1 });
    expect(other.problems).toHaveLength(1);
  });
});
