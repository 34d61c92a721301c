import { describe, expect, it } from "vitest";
import { identityOf } from "./claims.js";

const OTHERWISE = { network: "demo", username: "you" };

describe("whom a request speaks for", () => {
  it("is what it claims, where nothing is bound", () => {
    expect(identityOf({}, { network: "n", username: "u", groups: ["g"] }, OTHERWISE)).toEqual({
      user: { network: "n", username: "u" },
      groups: ["g"],
      features: [],
    });
  });

  it("is the default only for who is bound to no network", () => {
    expect(identityOf({}, {}, OTHERWISE).user).toEqual(OTHERWISE);
    expect(identityOf({ networks: ["a"] }, {}, OTHERWISE).user.network).toBe("a");
    expect(() => identityOf({ networks: ["a", "b"] }, {}, OTHERWISE)).toThrow(/"network" is missing/);
    expect(() => identityOf({}, { network: "n" })).toThrow(/"username" is missing/);
  });

  it("cannot be what the key does not allow, the default included", () => {
    expect(() => identityOf({ networks: ["a"] }, { network: "demo" }, OTHERWISE)).toThrow(
      /not for the "network"/,
    );
    expect(() => identityOf({ username: "k" }, { username: "u" }, OTHERWISE)).toThrow(
      /not for the "username"/,
    );
    expect(() => identityOf({ groups: ["g"] }, { groups: ["g", "h"] }, OTHERWISE)).toThrow(
      /not for the "groups"/,
    );
    expect(() => identityOf({ groups: [] }, { groups: ["g"] }, OTHERWISE)).toThrow(/not for the "groups"/);
  });

  it("has the key's groups unless it asks for fewer", () => {
    const groupsOf = (groups?: string[]) => identityOf({ groups: ["g", "h"] }, { groups }, OTHERWISE).groups;
    expect(groupsOf()).toEqual(["g", "h"]);
    expect(groupsOf(["h"])).toEqual(["h"]);
    expect(groupsOf([])).toEqual([]);
  });

  it("has the key's features and mode, and cannot leave them out or change them", () => {
    const key = { features: ["kiosk", "b"], mode: "m" };
    const of = (claims: object) => identityOf(key, claims, OTHERWISE);
    for (const claims of [{}, { features: null, mode: null }, { features: ["b", "kiosk"], mode: "m" }])
      expect(of(claims)).toMatchObject({ features: ["kiosk", "b"], mode: "m" });
    for (const features of [[], ["kiosk"], ["kiosk", "b", "c"], ["kiosk", "c"]])
      expect(() => of({ features })).toThrow(/not for the "features"/);
    for (const mode of ["", "n"]) expect(() => of({ mode })).toThrow(/not for the "mode"/);
  });

  it("has no mode with a key whose mode is empty, and its own choice with any other", () => {
    expect(identityOf({ mode: "" }, {}, OTHERWISE)).not.toHaveProperty("mode");
    expect(() => identityOf({ mode: "" }, { mode: "m" }, OTHERWISE)).toThrow(/not for the "mode"/);
    expect(identityOf({}, { features: ["f"], mode: "m" }, OTHERWISE)).toMatchObject({
      features: ["f"],
      mode: "m",
    });
    expect(identityOf({ features: [] }, {}, OTHERWISE).features).toEqual([]);
    expect(() => identityOf({ features: [] }, { features: ["f"] }, OTHERWISE)).toThrow(
      /not for the "features"/,
    );
  });
});
