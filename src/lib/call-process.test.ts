import { afterEach, describe, expect, it } from "vitest";
import { childrenOf, gone } from "../../test/attack/support/processes.js";
import type { EchoChildCalls } from "../../test/support/echo.child.js";
import { CallFailed, CallProcess, ProcessEnded } from "./call-process.js";
import { systemClock } from "./clock.js";
import { workerUrl } from "./worker.js";

const made: CallProcess<EchoChildCalls>[] = [];

function start(): CallProcess<EchoChildCalls> {
  const url = workerUrl(import.meta.url, "../../test/support/echo.child.js");
  const process = new CallProcess<EchoChildCalls>({ url, name: "echo", clock: systemClock });
  made.push(process);
  return process;
}

afterEach(async () => {
  await Promise.all(made.splice(0).map((one) => one.close()));
});

describe("CallProcess", () => {
  it("answers calls, several at a time, and passes on the error of a handler", async () => {
    const echo = start();
    const texts = ["a", "b", "c"];
    await expect(Promise.all(texts.map((text) => echo.call("echo", text)))).resolves.toEqual(texts);
    const failed = await echo.call("fail", "no such thing").catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(CallFailed);
    expect(failed).toMatchObject({ errorName: "RangeError", code: undefined, message: "no such thing" });
    await expect(echo.call("echo", "still here")).resolves.toBe("still here");
  });

  it("hands down nothing of the environment", async () => {
    process.env.READBACK_SECRET = "hush";
    const names = await start().call("environment", undefined);
    delete process.env.READBACK_SECRET;
    expect(names).not.toContain("READBACK_SECRET");
    expect(names).not.toContain("PATH");
  });

  it("rejects all that it was answering when it dies, with its last words, and everything after that", async () => {
    const echo = start();
    const calls = [echo.call("hang", undefined), echo.call("crash", "out of luck")];
    for (const outcome of await Promise.allSettled(calls))
      expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(ProcessEnded) });
    await expect(echo.ended).resolves.toContain("Error: out of luck");
    expect(echo.alive).toBe(false);
    await expect(echo.call("echo", "x")).rejects.toThrow("the echo process ended");
  });

  it("is killed in the middle of a call, and on closing when it does not end by itself", async () => {
    const [killed, closed] = [start(), start()];
    await Promise.all([killed.call("echo", "up"), closed.call("echo", "up")]);
    const stuck = [killed.call("spin", undefined), closed.call("spin", undefined)];
    killed.kill();
    await expect(stuck[0]).rejects.toThrow("SIGKILL");
    const pids = childrenOf(process.pid, "echo.child");
    await Promise.all([closed.close(), expect(stuck[1]).rejects.toThrow("SIGKILL")]);
    await gone(pids);
  });
});
