import { describe, expect, it } from "vitest";
import { speakable } from "./speakable.js";

describe("speakable", () => {
  it.each([
    ["**Warning:** do _not_ touch `V-101`.", "Warning: do not touch V-101."],
    ["## Steps\n1. Close the valve.\n2. Hang the tag.", "Steps 1. Close the valve. 2. Hang the tag."],
    ["- gloves\n- a lock\n* a tag", "gloves a lock a tag"],
    ["Wait two minutes [1]. Then check.[2, 3]", "Wait two minutes. Then check."],
    ["Bleed it.【4†source】", "Bleed it."],
    ["See [the handbook](https://example.com/a?b=c).", "See the handbook."],
    ["See https://www.example.com/handbook/a.html.", "See example.com."],
    ["> Never enter alone.", "Never enter alone."],
    ["Pressure | 2.5 bar", "Pressure 2.5 bar"],
    ["Done ✅", "Done"],
    ["tag_number 5 * 3", "tag_number 5 * 3"],
    ["---", ""],
    ["…", ""],
    ["关闭阀门。", "关闭阀门。"],
  ])("says %j as %j", (written, spoken) => {
    expect(speakable(written)).toBe(spoken);
  });

  it("keeps its time on hostile text", () => {
    const hostile = `${"*a".repeat(50_000)}${"[".repeat(50_000)}${"_".repeat(50_000)}https://${"x".repeat(50_000)}`;
    expect(speakable(hostile).length).toBeGreaterThan(0);
  });
});
