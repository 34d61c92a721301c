import { describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { type GroupDirectory, GroupsUnknown } from "../retrieval/groups/port.js";
import { turnAccess } from "./access.js";
import { request } from "./voice-bench.test-util.js";

const never = new AbortController().signal;
const knows = (...groups: string[]): GroupDirectory => ({ groupsOf: async () => groups });
const events = new RecordedEvents();
const deps = (fromCommand: boolean, ...directories: GroupDirectory[]) => ({
  groups: { fromCommand, directories },
  telemetry: events,
});
const asked = { ...request, groups: ["fitters", "crew"] };

describe("the access of a turn", () => {
  it.each([
    ["the message's", deps(true), ["fitters", "crew"]],
    ["none: the message's do not count", deps(false), []],
    ["a directory's", deps(false, knows("managers")), ["managers"]],
    [
      "those of all, each once",
      deps(true, knows("crew", "a"), knows("b", "a")),
      ["fitters", "crew", "a", "b"],
    ],
  ])("has groups: %s", async (_name, from, groups) => {
    expect(await turnAccess(asked, from, never)).toEqual({
      network: "plant",
      username: "ann",
      groups,
      kiosk: false,
    });
  });

  it("is a kiosk's under any mode", async () => {
    const kiosk = { ...asked, mode: "ai_onboarding", features: ["voice", "shop-kiosk-2"] };
    expect((await turnAccess(kiosk, deps(true), never)).kiosk).toBe(true);
  });

  it("fails when a directory cannot say, rather than leaving groups out", async () => {
    const broken: GroupDirectory = { groupsOf: () => Promise.reject(new GroupsUnknown("the file is gone")) };
    const access = turnAccess(asked, deps(true, knows("a"), broken), never);
    await expect(access).rejects.toMatchObject({ name: "TurnFailure", code: "assistant_unavailable" });
    expect(events.of("groups_unknown")).toMatchObject([{ error: "the file is gone" }]);
  });

  it("does not take a fault for an unknown group", async () => {
    const fault = new TypeError("oh");
    const broken: GroupDirectory = { groupsOf: () => Promise.reject(fault) };
    await expect(turnAccess(asked, deps(true, broken), never)).rejects.toBe(fault);
  });
});
