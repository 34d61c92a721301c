/** Which tools are called for what is wanted. */
import { expect, test } from "vitest";
import type { Resource } from "../../domain/resource.js";
import type { ReadingToolOptions } from "../../sites/options.js";
import type { ReadingTool } from "./site-reader.js";
import { readsFor } from "./site-reader.js";

function tool(name: string, signals: readonly string[], more: Partial<ReadingToolOptions> = {}): ReadingTool {
  const reads = Object.fromEntries(
    signals.map((one) => [
      one,
      { value: "/v", maxAgeMs: 1_000, ...(more.target === undefined && { name: "/name" }) },
    ]),
  );
  const options = { effect: "read", arguments: {}, kinds: [], reads, ...more } as ReadingToolOptions;
  return { id: `plant.${name}`, site: "plant", name, options };
}

function pump(n: number, more: Partial<Resource> = {}): Resource {
  const access = { network: "acme", visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
  const own = { id: `plant/pump/p${n}`, site: "plant", kind: "pump", names: [`pump ${n}`] as const };
  return { ...own, address: `p${n}`, paths: [], access, ...more };
}

const wanted = (asked = "status") => [asked];
const ids = (reads: ReturnType<typeof readsFor>) =>
  reads.map(({ resource, tool: { name } }) => `${name} ${resource?.address ?? ""}`.trim());

const STATUS = tool("status", ["status"], { target: "id" });
const LIST = tool("list", ["status", "alarm"]);

test("a thing is asked by its own tool, and by the list of all only where there is none", () => {
  expect(ids(readsFor(wanted(), [pump(1)], [LIST, STATUS]))).toEqual(["status p1"]);
  expect(ids(readsFor(wanted("alarm"), [pump(1), pump(2)], [LIST, STATUS]))).toEqual(["list"]);
  expect(ids(readsFor(wanted("speed"), [pump(1)], [LIST, STATUS]))).toEqual([]);
});

test("two witnesses of one signal are enough", () => {
  const tools = ["a", "b", "c"].map((name) => tool(name, ["status"], { target: "id" }));
  expect(ids(readsFor(wanted(), [pump(1)], tools))).toEqual(["a p1", "b p1"]);
});

test("neither the tool of another kind or site, nor a signal that may not be read of it", () => {
  const valves = tool("valves", ["status"], { target: "id", kinds: ["valve"] });
  const other = { ...STATUS, id: "other.status", site: "other" };
  expect(ids(readsFor(wanted(), [pump(1)], [valves, other]))).toEqual([]);
  const both = tool("both", ["status", "speed"], { target: "id" });
  for (const telling of [STATUS, both])
    expect(ids(readsFor(wanted(), [pump(1, { allowed: ["speed"] })], [telling]))).toEqual([]);
  expect(ids(readsFor(wanted("speed"), [pump(1, { allowed: ["speed"] })], [both]))).toEqual(["both p1"]);
});

test("of several signals each tool that tells one of them is asked, and of one that tells others as well", () => {
  const alarms = tool("alarms", ["alarm", "since"], { target: "id" });
  expect(ids(readsFor(["status", "alarm"], [pump(1)], [STATUS, alarms]))).toEqual(["status p1", "alarms p1"]);
  expect(ids(readsFor(wanted("alarm"), [pump(1, { allowed: ["alarm"] })], [alarms]))).toEqual(["alarms p1"]);
});

test("of nothing in particular, all of the site is asked for, and none of its things", () => {
  expect(readsFor(wanted(), [], [STATUS, LIST])).toEqual([{ tool: LIST }]);
  expect(readsFor(wanted("speed"), [], [STATUS, LIST])).toEqual([]);
});

test("a list tells of a thing where it has a name for one of its values, and not where it has none", () => {
  const whole = tool("whole", ["status"], { reads: { status: { value: "/v", maxAgeMs: 1_000 } } });
  const mixed = tool("mixed", [], {
    reads: { ...whole.options.reads, ...LIST.options.reads, load: whole.options.reads.status! },
  });
  expect(ids(readsFor(wanted(), [pump(1)], [whole]))).toEqual([]);
  expect(ids(readsFor(wanted(), [pump(1)], [whole, mixed]))).toEqual(["mixed"]);
});
