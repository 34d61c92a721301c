/** What is said of an operation: whole sentences in English, and in every language nothing left open. */
import { describe, expect, it, test } from "vitest";
import { english, locales } from "../../../test/support/locales.js";
import { ANN, exampleOrder } from "../../../test/support/orders.js";
import type {
  CallOutcome,
  NotCounted,
  OperationCall,
  OperationView,
  Proposal,
  VoidReason,
} from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import type { Order } from "../orders/order.js";
import { OperationSpeech, textOf } from "./operations.js";

const LANGUAGES = ["en", "de", "es", "fr", "pl", "uk"];

function call(address: string, name: string, before: string): OperationCall {
  const postcondition = { tool: "plant.read_status", signal: "status", equals: "running", windowMs: 60_000 };
  return {
    target: `plant/pump/${address}`,
    name,
    tool: "plant.restart",
    args: { target: address },
    before: { value: before },
    postcondition,
  };
}

const PRINTER = call("lp2", "label printer two", "running");
const PROPOSAL: Proposal = {
  ...{ id: "op-1", number: 7, action: "restart", calls: [PRINTER], level: "challenge", challenge: "tango" },
  ...{ askedOf: ANN, language: "en", dryRun: false },
};
const THREE = [PRINTER, call("p1", "pump one", "stopped"), call("p2", "pump two", "fault")] as const;

const reading = ({ postcondition, target }: OperationCall, value: string): Reading => ({
  ...{ target, value, signal: postcondition.signal, tool: postcondition.tool, takenAtMs: 0 },
});

function view(
  outcomes: readonly (CallOutcome | undefined)[],
  values: readonly (string | undefined)[] = [],
): OperationView {
  const calls = THREE.slice(0, outcomes.length) as unknown as Proposal["calls"];
  const after = calls.map((one, i) => (values[i] === undefined ? undefined : reading(one, values[i])));
  return {
    proposal: { ...PROPOSAL, calls },
    readback: "",
    phase: "ended",
    untilMs: 0,
    outcomes,
    after,
    by: [],
  };
}

const speech = new OperationSpeech(english);
const readback = (...of: Parameters<OperationSpeech["readback"]>) => textOf(speech.readback(...of));

describe("a readback", () => {
  it("says what would be done, how it is now, and what to say", () => {
    expect(readback(PROPOSAL)).toBe(
      "Restart label printer two. Label printer two is running. Say confirm tango.",
    );
    const says = speech.readback(PROPOSAL).flatMap((one) => one.says);
    expect(says).toEqual([{ target: PRINTER.target, signal: "status", value: "running", holds: true }]);
  });

  it("says every name, a value with its unit, and whether it is for practice", () => {
    expect(readback({ ...PROPOSAL, calls: THREE })).toContain(
      "Restart label printer two, pump one, and pump two.",
    );
    const { challenge: _, ...plain } = PROPOSAL;
    const set: OperationCall = { ...call("f1", "freezer one", "x"), value: { number: -18, unit: "°C" } };
    const calls = [
      {
        ...set,
        before: { value: -20, unit: "°C" },
        postcondition: { ...set.postcondition, signal: "set_point" },
      },
    ] as const;
    expect(readback({ ...plain, action: "set", calls, level: "plain", dryRun: true })).toBe(
      "This is a dry run. Set freezer one to -18 °C. Freezer one, set point: -20 °C. Say yes, or no.",
    );
  });

  it("asks for a second person, and is said to them by its number", () => {
    const drain: Proposal = { ...PROPOSAL, action: "drain", level: "second_person" };
    expect(readback(drain)).toMatch(/It needs a second person\. Say confirm tango\.$/);
    const second = readback(drain, "second");
    expect(second).toMatch(/^Request 7: Drain label printer two\./);
    expect(second).not.toContain("second person");
  });

  it("has the verb of the settings where no language has a word for it", () => {
    expect(readback({ ...PROPOSAL, action: "deep_clean" })).toMatch(/^Deep clean: label printer two\./);
    expect(readback({ ...PROPOSAL, action: "other" })).toMatch(/^Other: label printer two\./);
  });
});

describe("what became of it", () => {
  it("is done only where a reading shows it, and says so with it", () => {
    expect(speech.outcome(view(["verified"], ["running"]))).toMatchObject([
      { text: "Done.", says: [], did: [{ action: "restart", outcome: "verified" }] },
      { text: "Label printer two is running.", says: [{ value: "running" }] },
    ]);
    expect(textOf(speech.outcome(view(["verified"])))).toMatch(/I don't know whether that was done/);
  });

  it.each<[CallOutcome, RegExp]>([
    ["contradicted", /^Restart label printer two: that did not work\. Label printer two is stopped\.$/],
    ["unknown", /^Restart label printer two: I don't know whether that was done\. Go and look\.$/],
    ["failed", /^Restart label printer two: the system refused, and it was not done\.$/],
    ["skipped", /^Restart label printer two: not begun\.$/],
    ["dry_run", /^This was a dry run\. Nothing was done\.$/],
  ])("%s", (outcome, said) => {
    const value = outcome === "contradicted" ? ["stopped"] : [];
    const parts = speech.outcome(view([outcome], value));
    expect(textOf(parts)).toMatch(said);
    expect(textOf(parts)).not.toContain("Done");
  });

  it("is told of each of several, and is not done where one is not", () => {
    const said = textOf(speech.outcome(view(["verified", "failed", "skipped"], ["running"])));
    expect(said).toBe(
      "Label printer two is running. Restart pump one: the system refused, and it was not done. Restart pump two: not begun.",
    );
  });

  it("is nothing where it was void before", () => {
    const over = { ...view([undefined]), reason: "expired" } as const;
    expect(textOf(speech.outcome(over))).toBe("The time for it is over. Nothing was done.");
  });
});

test("why nothing is proposed", () => {
  const refusal = (question: string, more = {}) =>
    speech.refusal(exampleOrder(question, more) as Extract<Order, { type: "refused" }>);
  expect(refusal("emergency stop line two!")).toMatch(/^I am not an emergency stop\./);
  expect(refusal("stop all pumps")).toBe("That is 6 things. I do at most 5 at once.");
  expect(refusal("set freezer one to 5")).toBe("Freezer one takes -28 °C to -16 °C.");
  expect(refusal("open tank one")).toBe("I can't do that with tank one.");
  expect(refusal("restart pump nine")).toBe("I can't see anything here that is called pump nine.");
  expect(refusal("stop pump two", { isOff: true })).toBe("Operating is switched off. Nothing is done.");
  const already = speech.already([PRINTER], [reading(PRINTER, "running")]);
  expect(already).toMatchObject([
    { text: "Label printer two is already running.", says: [{ value: "running" }] },
  ]);
});

test("an answer that did not count says what is wanted", () => {
  const result = { type: "not_counted", why: "unclear", missesLeft: 2 } as const;
  expect(speech.reply(result, PROPOSAL)).toBe("I need a clear yes or no. Say confirm tango. Tries left: 2.");
});

const REASONS: readonly VoidReason[] = [
  "denied",
  "stopped",
  "expired",
  "missed",
  "state_changed",
  "unreadable",
  "not_heard",
  "restarted",
  "not_recorded",
  "withdrawn",
];
const NOT_COUNTED: readonly NotCounted[] = [
  "unclear",
  "readback_not_heard",
  "pressed_too_early",
  "not_asked_of_you",
  "same_person",
  "rough_recogniser",
  "not_trusted",
];

test.each(LANGUAGES)("%s leaves nothing open", (language) => {
  const speech = new OperationSpeech(locales.of(language));
  const outcomes: CallOutcome[] = ["contradicted", "unknown", "failed"];
  const said = [
    textOf(speech.readback({ ...PROPOSAL, level: "second_person", dryRun: true })),
    textOf(speech.readback({ ...PROPOSAL, calls: THREE }, "second")),
    textOf(speech.outcome(view(outcomes, ["stopped"]))),
    textOf(speech.outcome(view(["verified"], ["running"]))),
    ...REASONS.map((reason) => speech.over(reason)),
    ...NOT_COUNTED.map((why) => speech.reply({ type: "not_counted", why, missesLeft: 1 }, PROPOSAL)),
    speech.unreadable(["pump one", "pump two"]),
    speech.notProposed({ type: "busy", with: view([undefined]) }),
    speech.notProposed({ type: "refused", why: "too_many" }),
    speech.reply({ type: "needs_second_person", number: 7 }, PROPOSAL),
  ];
  for (const one of said) expect(one).toMatch(/^[^%]+[.!?]$/);
  expect(said[0]).toMatch(/label printer two/i);
  expect(said[0]).toContain("tango");
});
