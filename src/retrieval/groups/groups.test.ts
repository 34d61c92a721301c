import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.js";
import type { User } from "../../domain/user.js";
import { CachedGroups, USERS_MAX } from "./cached-groups.js";
import { FileGroups } from "./file-groups.js";
import { type GroupDirectory, GroupsUnknown } from "./port.js";

const never = new AbortController().signal;
const REFRESH_MS = 1_000;
const ann = { network: "plant", username: "ann" };
let clock: VirtualClock;
beforeEach(() => {
  clock = new VirtualClock();
});

describe("groups in a file", () => {
  let directory: string;
  let path: string;
  let groups: FileGroups;
  const write = (value: unknown) =>
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  const of = (user: User) => groups.groupsOf(user);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "readback-"));
    path = join(directory, "groups.json");
    groups = new FileGroups(clock, path, REFRESH_MS);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it("are those of the user in the network", async () => {
    write({ plant: { ann: ["fitters", "crew"], Ann: ["managers"] }, werk: { ann: ["montage"] } });
    expect(await of(ann)).toEqual(["fitters", "crew"]);
    expect(await of({ network: "plant", username: "Ann" })).toEqual(["managers"]);
    expect(await of({ network: "werk", username: "ann" })).toEqual(["montage"]);
    expect(await of({ network: "plant", username: "bob" })).toEqual([]);
    expect(await of({ network: "constructor", username: "toString" })).toEqual([]);
    expect(await of({ network: "plant", username: "constructor" })).toEqual([]);
  });

  it("have members in each network", async () => {
    write({ plant: { ann: ["fitters", "crew"], bob: ["crew"] }, werk: { carl: ["crew"] } });
    expect(await groups.membersOf("crew", "plant")).toEqual(["ann", "bob"]);
    expect(await groups.membersOf("crew", "constructor")).toEqual([]);
    expect(await groups.membersOf("length", "plant")).toEqual([]);
  });

  it("change within the known delay", async () => {
    write({ plant: { ann: ["managers"] } });
    expect(await of(ann)).toEqual(["managers"]);
    write({ plant: { ann: [] } });
    await clock.advance(REFRESH_MS - 1);
    expect(await of(ann)).toEqual(["managers"]);
    await clock.advance(1);
    expect(await of(ann)).toEqual([]);
  });

  it.each([
    ["no file", undefined, /cannot be used: ENOENT/],
    ["no JSON", "{", /cannot be used: .*JSON.*Expected/],
    ["another shape", { plant: { ann: "fitters" } }, /plant → ann: .*expected array/],
    ["a list", [], /the whole: .*expected record/],
  ])("are unknown with %s, and known again when it is mended", async (_name, content, message) => {
    if (content !== undefined) write(content);
    await expect(of(ann)).rejects.toThrow(GroupsUnknown);
    await expect(of(ann)).rejects.toThrow(message);
    write({ plant: { ann: ["crew"] } });
    expect(await of(ann)).toEqual(["crew"]);
  });

  it("do not outlive a file that went away", async () => {
    write({ plant: { ann: ["managers"] } });
    expect(await of(ann)).toEqual(["managers"]);
    rmSync(path);
    await clock.advance(REFRESH_MS);
    await expect(of(ann)).rejects.toThrow(GroupsUnknown);
  });
});

describe("groups that are remembered", () => {
  /** Counts how often it is asked. */
  class Counting implements GroupDirectory {
    readonly asked: User[] = [];
    groups: string[] = ["crew"];
    async groupsOf(user: User): Promise<readonly string[]> {
      this.asked.push(user);
      return this.groups;
    }
  }

  it("are asked for once within the delay, for each user of each network", async () => {
    const directory = new Counting();
    const cached = new CachedGroups(clock, directory, REFRESH_MS);
    const others = [ann, { network: "werk", username: "ann" }, { network: "plant", username: "bob" }];
    for (const user of [...others, ...others]) expect(await cached.groupsOf(user, never)).toEqual(["crew"]);
    expect(directory.asked).toEqual(others);
    directory.groups = [];
    await clock.advance(REFRESH_MS);
    expect(await cached.groupsOf(ann, never)).toEqual([]);
  });

  it("are no older than the delay, counted from before the directory was asked", async () => {
    const directory = new Counting();
    const slow: GroupDirectory = {
      groupsOf: async (user) => {
        const groups = await directory.groupsOf(user);
        await clock.advance(REFRESH_MS / 2);
        return groups;
      },
    };
    const cached = new CachedGroups(clock, slow, REFRESH_MS);
    await cached.groupsOf(ann, never);
    await clock.advance(REFRESH_MS / 2);
    directory.groups = [];
    expect(await cached.groupsOf(ann, never)).toEqual([]);
  });

  it("are not remembered when they could not be found out", async () => {
    let fails = true;
    const cached = new CachedGroups(
      clock,
      {
        groupsOf: async () => {
          if (fails) throw new GroupsUnknown("down");
          return ["crew"];
        },
      },
      REFRESH_MS,
    );
    await expect(cached.groupsOf(ann, never)).rejects.toThrow("down");
    fails = false;
    expect(await cached.groupsOf(ann, never)).toEqual(["crew"]);
  });

  it("are kept for a bounded number of users, the latest", async () => {
    const directory = new Counting();
    const cached = new CachedGroups(clock, directory, REFRESH_MS);
    await cached.groupsOf(ann, never);
    for (let i = 0; i < USERS_MAX; i++) await cached.groupsOf({ network: "plant", username: `u${i}` }, never);
    expect(directory.asked).toHaveLength(USERS_MAX + 1);
    await cached.groupsOf({ network: "plant", username: "u1" }, never);
    expect(directory.asked).toHaveLength(USERS_MAX + 1);
    await cached.groupsOf(ann, never);
    expect(directory.asked).toHaveLength(USERS_MAX + 2);
  });
});
