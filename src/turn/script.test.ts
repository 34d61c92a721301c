import { describe, expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { Condition } from "../lib/condition.js";
import { Script } from "./script.js";

const never = new AbortController().signal;

function takeAll(script: Script): string[] {
  const taken: string[] = [];
  for (let next = script.take(); next !== undefined; next = script.take()) taken.push(next);
  return taken;
}

describe("Script", () => {
  it("gives out sentences as they are finished, and the rest at the end", () => {
    const script = new Script(new Condition());
    script.append("Lock the press. Tag");
    expect(takeAll(script)).toEqual(["Lock the press. "]);
    expect(script.exhausted).toBe(false);
    script.append(" it out.");
    expect(takeAll(script)).toEqual([]);
    expect(script.complete).toBe(false);
    script.close();
    expect(script.exhausted).toBe(false);
    expect(takeAll(script)).toEqual(["Tag it out."]);
    expect(script.exhausted).toBe(true);
    expect(script.complete).toBe(true);
    expect(script.text).toBe("Lock the press. Tag it out.");
  });

  it("gives out a sentence at once when white space follows it, whatever comes next", () => {
    const script = new Script(new Condition());
    script.append("Lock the press. ");
    expect(takeAll(script)).toEqual(["Lock the press. "]);
    script.append("and tag it out ");
    expect(takeAll(script)).toEqual(["and tag it out "]);
    script.close();
    expect(takeAll(script)).toEqual([]);
    expect(script.text).toBe("Lock the press. and tag it out");
  });

  it("announces every change", async () => {
    const changed = new Condition();
    const script = new Script(changed);
    for (const change of [() => script.append("a"), () => script.clear(), () => script.close()]) {
      const told = watch(changed.wait(never));
      change();
      await settle();
      expect(told.now.type).toBe("resolved");
    }
    const failed = new Script(changed);
    const told = watch(changed.wait(never));
    failed.fail(new Error("broken"));
    await settle();
    expect(told.now.type).toBe("resolved");
  });

  it("starts over when cleared", () => {
    const script = new Script(new Condition());
    script.append("Lock the press. Tag");
    script.take();
    script.clear();
    expect(script.text).toBe("");
    script.append("Another answer. Yes.");
    script.close();
    expect(takeAll(script)).toEqual(["Another answer. ", "Yes."]);
  });

  it("lets the reader meet the writer's error after the sentences before it", async () => {
    const script = new Script(new Condition());
    script.append("Lock the press. Tag");
    script.fail(new Error("broken"));
    expect(script.exhausted).toBe(false);
    expect(takeAll(script)).toEqual(["Lock the press. "]);
    expect(() => script.exhausted).toThrow("broken");
    await expect(script.whole(never)).rejects.toThrow("broken");
  });

  it("tells the whole text once it is written, or why not", async () => {
    const script = new Script(new Condition());
    const stop = new AbortController();
    const whole = watch(script.whole(never));
    const stopped = watch(script.whole(stop.signal));
    script.append("Lock");
    stop.abort("stop");
    await settle();
    expect(stopped.now).toEqual({ type: "rejected", error: "stop" });
    expect(whole.now.type).toBe("pending");
    script.append(" it.");
    script.close();
    await settle();
    expect(whole.now).toEqual({ type: "resolved", value: "Lock it." });
  });
});
