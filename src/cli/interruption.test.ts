import { describe, expect, it } from "vitest";
import { Interrupted, listenForInterruption } from "./interruption.js";

const listeners = () => process.listenerCount("SIGINT") + process.listenerCount("SIGTERM");

describe("an interruption", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("aborts on %s; the next one is the system's to handle", (name) => {
    const before = listeners();
    const { signal } = listenForInterruption();
    expect(signal.aborted).toBe(false);
    process.emit(name, name);
    expect(signal.reason).toBeInstanceOf(Interrupted);
    expect(listeners()).toBe(before);
  });

  it("gives the signals back when it is over", () => {
    const before = listeners();
    const { signal, dispose } = listenForInterruption();
    expect(listeners()).toBe(before + 2);
    dispose();
    expect(listeners()).toBe(before);
    expect(signal.aborted).toBe(false);
  });
});
