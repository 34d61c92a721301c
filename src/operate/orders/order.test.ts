/** What is an order, of what and with which arguments, by the settings of the example plant; and what is refused, and why. */
import { describe, expect, it, test } from "vitest";
import { ANN, EXAMPLE, exampleOrder, exampleRegistry } from "../../../test/support/orders.js";
import { NO_TARGETS } from "../../domain/target-context.js";
import { strictest } from "./call.js";

/** The chat spoke of label printer two. */
const SPOKEN = {
  turn: 1,
  resolved: [{ id: "plant/printer/lp2", usedMs: 0 }],
  named: { ids: ["plant/printer/lp2"], turn: 1 },
};

/** The calls, as `tool address value`, or what it is instead. */
function brief(order: ReturnType<typeof exampleOrder>): string {
  if (order.type === "refused") return order.why;
  if (order.type !== "order") return order.type;
  const calls = order.drafts.map(({ call: { args, tool } }) =>
    [tool.replace("plant.", ""), ...Object.values(args)].join(" "),
  );
  const level = strictest(order.drafts.map((one) => one.level));
  return `${level}: ${calls.join(", ")}`;
}

test.each([
  ["restart label printer two", "challenge: restart lp2"],
  ["Restart pump two, please", "challenge: restart p2"],
  ["can you restart pump two", "challenge: restart p2"],
  ["stop all pumps in hall two", "challenge: stop p3, stop p4"],
  ["stop pump one and pump two", "challenge: stop p1, stop p2"],
  ["restart pumps one, two and three", "challenge: restart p1, restart p2, restart p3"],
  ["set freezer one to minus eighteen", "plain: set_point f1 -18"],
  ["set the temperature of freezer one to -18 °C", "plain: set_point f1 -18"],
  ["set pump two to 1500 rpm", "plain: set_point p2 1500"],
  ["drain tank three", "second_person: drain t3"],
  ["update grafana", "challenge: update_container grafana"],
  ["acknowledge the alarm of pump two", "plain: acknowledge_alarm p2"],
  ["turn off pump two", "challenge: stop p2"],
  ["switch on mixer one", "challenge: start m1"],
  ["starte pump two neu", "challenge: restart p2"],
  ["redémarre label printer two", "challenge: restart lp2"],
  ["reinicia label printer two", "challenge: restart lp2"],
  ["zrestartuj label printer two", "challenge: restart lp2"],
  ["перезапусти label printer two", "challenge: restart lp2"],
])("an order: %s", (question, calls) => {
  expect(brief(exampleOrder(question))).toBe(calls);
});

test.each([
  ...[
    "don't start pump two",
    "never restart pump two",
    "do not stop any pump",
    "not the pump, restart it not",
  ],
  ...[
    "is it safe to restart pump two",
    "how do I restart pump two",
    "who restarted pump two",
    "stop",
    "stop it",
  ],
  ...["should I restart pump two", "may I drain tank three", "what happens if I stop pump two"],
  ...["pump two was restarted", "is pump two running", "the handbook says restart pump two"],
  ...["where is the emergency stop", "when do I press the emergency stop"],
])("no order: %s", (question) => {
  expect(brief(exampleOrder(question, { context: SPOKEN }))).toBe("not_an_order");
});

test.each([
  ["restart pump nine", "unknown_target"],
  ["drain tank four", "unknown_target"],
  ["restart prototype press", "unknown_target"],
  ["restart pump two tomorrow", "unknown_target"],
  ["restart pump two afterwards", "unknown_target"],
  ["restart pump two in ten minutes", "unknown_target"],
  ["restart pump two; rm -rf /", "unknown_target"],
  ['restart pump two", "force": true', "unknown_target"],
  ["emergency stop line two!", "emergency_stop"],
  ["hit the emergency stop", "emergency_stop"],
  ["Not-Aus", "emergency_stop"],
  ["arrêt d'urgence", "emergency_stop"],
  ["parada de emergencia", "emergency_stop"],
  ["zatrzymaj awaryjnie", "emergency_stop"],
  ["аварійна зупинка", "emergency_stop"],
  ["restart the pump", "ask"],
  ["restart both label printers", "ask"],
  ["restart it", "no_target"],
  ["stop all pumps", "too_many"],
  ["stop everything in hall two", "too_many"],
  ["stop pump one and start pump two", "one_at_a_time"],
  ["restart pump two and tell me the pressure of pump three", "one_at_a_time"],
  ["open tank one", "not_offered"],
  ["stop line two", "not_offered"],
  ["set the pressure of press one to 150", "not_offered"],
  ["raise the temperature of freezer one by 2 degrees", "not_offered"],
  ["set freezer one to 5", "out_of_range"],
  ["set freezer one to 99999999999999999999", "out_of_range"],
  ["set freezer one to 0 degrees fahrenheit", "other_unit"],
])("%s: %s", (question, why) => {
  expect(brief(exampleOrder(question))).toBe(why);
});

describe("what a chat spoke of", () => {
  it.each(["restart it", "restart that", "start it", "starte sie neu", "перезапусти його"])(
    "%s",
    (question) => {
      expect(brief(exampleOrder(question, { context: SPOKEN }))).toMatch(/^challenge: (re)?start lp2$/);
    },
  );

  it("is told from the others", () => {
    const order = exampleOrder("restart the other one", { context: SPOKEN });
    expect(order.type === "ask" && order.between.map(({ address }) => address)).toEqual(["lp1", "lp3"]);
  });

  it("counts less than what the user chose", () => {
    const chosen = { context: SPOKEN, mentions: ["plant/printer/lp3"] };
    expect(brief(exampleOrder("restart the label printer", chosen))).toBe("challenge: restart lp3");
  });
});

describe("the settings", () => {
  const withThing = (more: object) => exampleRegistry({ p2: more });

  it("only ever tighten what an effect asks", () => {
    const safety = withThing({ lifeSafety: true });
    expect(brief(exampleOrder("stop pump two", { registry: safety }))).toBe("second_person: stop p2");
    expect(brief(exampleOrder("stop pump one and two", { registry: safety }))).toMatch(/^second_person/);
    const levels = { ...EXAMPLE.operate.levels, disruptive: "refused" } as const;
    expect(brief(exampleOrder("stop pump two", { levels }))).toBe("never");
    expect(brief(exampleOrder("acknowledge pump two", { levels }))).toBe("plain: acknowledge_alarm p2");
  });

  it("lock things out, list what may be done to them, and switch everything off", () => {
    const order = (more: object) => brief(exampleOrder("stop pump two", { registry: withThing(more) }));
    expect(order({ lockedOut: true })).toBe("locked_out");
    expect(order({ allowed: ["status", "restart"] })).toBe("not_allowed");
    expect(order({ allowed: ["stop"] })).toBe("challenge: stop p2");
    expect(brief(exampleOrder("stop pump two", { isOff: true }))).toBe("off");
    expect(brief(exampleOrder("is pump two running", { isOff: true }))).toBe("not_an_order");
  });

  it("keep a kiosk to what it is granted, and other networks out", () => {
    const kiosk = { ...ANN, kiosk: true };
    const granted = withThing({
      access: { network: "acme", visibility: "restricted", allowedUsers: ["ann"], allowedGroups: [] },
    });
    expect(brief(exampleOrder("stop pump two", { access: kiosk }))).toBe("unknown_target");
    expect(brief(exampleOrder("stop pump two", { access: kiosk, registry: granted }))).toBe(
      "challenge: stop p2",
    );
    const rival = { ...ANN, network: "rival" };
    expect(exampleOrder("stop pump two", { access: rival, context: NO_TARGETS }).type).not.toBe("order");
  });
});
