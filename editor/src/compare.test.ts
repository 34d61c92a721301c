import { describe, expect, it } from "vitest";
import { differences } from "./compare.js";
import type { Guide, Step } from "./guide.js";

const step = (id: string, fields: object = {}): Step => ({ id, kind: "instruct", text: id, ...fields });
const guide = (steps: readonly Step[], fields: object = {}): Guide => {
  return { id: "g", name: "G", flow_type: "procedural", version: 1, steps, ...fields };
};
const told = (before: Guide, after: Guide) =>
  differences(before, after).map((one) =>
    one.type === "changed"
      ? `${one.step?.id ?? ""}.${one.field}: ${one.before} > ${one.after}`
      : `${one.type} ${one.step.id}`,
  );

describe("two versions", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => step(id)) as [Step, Step, Step, Step];

  it("are alike where only their number differs", () => {
    expect(told(guide([a, b]), guide([a, b], { version: 2, status: "published" }))).toEqual([]);
  });

  it.each([
    [guide([a]), guide([a, b]), ["added b"]],
    [guide([a, b]), guide([b]), ["removed a"]],
    [guide([a, b, c, d]), guide([b, c, d, a]), ["moved a"]],
    [guide([a, b, c, d]), guide([d, a, b, c]), ["moved d"]],
    [guide([a]), guide([step("a", { text: "A", warning: "hot" })]), ["a.text: a > A", "a.warning:  > hot"]],
    [guide([a]), guide([a], { name: "H", tags: ["x"] }), [".name: G > H", ".tags:  > x"]],
    [
      guide([step("a", { options: [{ id: "1", label: "Red", next: "b" }] })]),
      guide([step("a", { options: [{ id: "1", label: "Red", next: "c" }] })]),
      ["a.options: Red → b > Red → c"],
    ],
    [
      guide([step("a", { options: [{ id: "1", label: "Red", next: "b" }] })]),
      guide([step("a", { options: [{ id: "2", label: "Red", next: "b" }] })]),
      ['a.options: [{"id":"1","label":"Red","next":"b"}] > [{"id":"2","label":"Red","next":"b"}]'],
    ],
  ])("differ (%#)", (before, after, differ) => {
    expect(told(before, after)).toEqual(differ);
  });
});
