import { describe, expect, it } from "vitest";
import { Holders } from "./holders.js";

describe("Holders", () => {
  it("know who has most, and what that one used longest ago", () => {
    const holders = new Holders<string>();
    expect(holders.largest()).toBeUndefined();
    for (const item of ["a", "b", "c"]) holders.use("loud", item);
    holders.use("quiet", "d");
    holders.use("loud", "a");
    expect(holders.largest()).toBe("loud");
    expect(holders.oldestOf("loud")).toBe("b");
    expect(holders.oldestOf("loud", (item) => item !== "b")).toBe("c");
    for (const item of ["a", "b", "c"]) holders.drop("loud", item);
    expect([holders.count("loud"), holders.largest(), holders.oldestOf("loud")]).toEqual([
      0,
      "quiet",
      undefined,
    ]);
  });
});
