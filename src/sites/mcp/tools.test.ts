/** What may be called is what an operator declared, and nothing else. */
import { describe, expect, it } from "vitest";
import type { ToolOptions } from "../options.js";
import { type OfferedTool, schemaDigest, toolStatuses } from "./tools.js";

const inputSchema = { type: "object" as const, properties: { id: { type: "string" } } };
const OFFERED: OfferedTool = { name: "get", inputSchema };
const READ: ToolOptions = {
  effect: "read",
  reads: {},
  arguments: {},
  kinds: [],
  schema: schemaDigest(OFFERED)!,
};

function statusOf(options: Partial<ToolOptions>, ...offered: OfferedTool[]): string {
  const [status] = toolStatuses({ get: { ...READ, ...options } as ToolOptions }, offered);
  return status!.isOn ? "on" : status!.reason!;
}

describe("a tool", () => {
  const declared = (change: Partial<OfferedTool>): [Partial<ToolOptions>, OfferedTool] => {
    const tool = { ...OFFERED, ...change };
    return [{ schema: schemaDigest(tool)! }, tool];
  };

  it("is on as it was declared", () => {
    expect(statusOf({}, OFFERED)).toBe("on");
    expect(statusOf({ target: "id" }, OFFERED)).toBe("on");
    expect(statusOf(...declared({ annotations: { readOnlyHint: true, destructiveHint: false } }))).toBe("on");
  });

  it.each<[string, Partial<ToolOptions>, OfferedTool[], RegExp]>([
    ["nobody offers it", {}, [], /does not offer it/],
    ["two are offered", {}, [OFFERED, OFFERED], /two of this name/],
    ["it is not declared", { schema: undefined }, [OFFERED], new RegExp(`write .*${READ.schema}`)],
    ["its input changed", {}, [{ ...OFFERED, inputSchema: { type: "object" } }], /not what was declared/],
    ["its output changed", {}, [{ ...OFFERED, outputSchema: { type: "object" } }], /not what was declared/],
    ["its hints changed", {}, [{ ...OFFERED, annotations: { readOnlyHint: true } }], /not what was declared/],
    ["it takes no such argument", { target: "pump" }, [OFFERED], /no argument pump/],
    ["its schema is long", {}, [{ ...OFFERED, outputSchema: schemaWith("x".repeat(70_000)) }], /too long/],
    ["its schema is deep", {}, [{ ...OFFERED, outputSchema: schemaWith(nested(100_000)) }], /too deeply/],
  ])("is off where %s", (_what, options, offered, reason) => {
    expect(statusOf(options, ...offered)).toMatch(reason);
  });

  it("is off where its system says that it does more than read, and no word of its system makes it more", () => {
    expect(statusOf(...declared({ annotations: { readOnlyHint: false } }))).toMatch(/readOnlyHint: false/);
    expect(statusOf(...declared({ annotations: { destructiveHint: true } }))).toMatch(/destructiveHint/);
    const [options, tool] = declared({ annotations: { readOnlyHint: true } });
    expect(statusOf({ ...options, effect: "irreversible" }, tool)).toMatch(/only reads/);
    const [reversible, destroying] = declared({ annotations: { destructiveHint: true } });
    expect(statusOf({ ...reversible, effect: "reversible" }, destroying)).toMatch(/reversible; its/);
    expect(statusOf({ ...reversible, effect: "disruptive" }, destroying)).toBe("on");
  });

  it("that nobody configured is off", () => {
    const statuses = toolStatuses({}, [{ ...OFFERED, name: "set" }, OFFERED]);
    expect(statuses.map(({ name, isOn }) => [name, isOn])).toEqual([
      ["get", false],
      ["set", false],
    ]);
  });
});

describe("the digest of a schema", () => {
  it("depends on what a schema says, not on the order in which it says it, nor on descriptions beside it", () => {
    const type = "object" as const;
    const one = { name: "a", inputSchema: { type, required: ["x", "y"] } };
    const same = {
      description: "new words",
      inputSchema: { required: ["x", "y"], type },
      name: "a",
    };
    const other = { name: "a", inputSchema: { type, required: ["y", "x"] } };
    expect(schemaDigest(one)).toMatch(/^[0-9a-f]{64}$/);
    expect(schemaDigest(same)).toBe(schemaDigest(one));
    expect(schemaDigest(other)).not.toBe(schemaDigest(one));
  });
});

const schemaWith = (not: unknown) => ({ type: "object" as const, not });

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
