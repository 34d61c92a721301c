import { expect, it } from "vitest";
import { rotateSecrets, Secret, textsOf } from "./secret.js";

const settings = (key: string, url = "https://one.example", others = 0) => ({
  llm: {
    url,
    key: new Secret(key),
    fallbacks: Array.from({ length: others }, () => ({ key: new Secret(key) })),
  },
});

it("is in a text and in JSON what it has become", () => {
  const kept = settings("first", undefined, 1);
  const headers = { authorization: kept.llm.key, accept: "json" };
  rotateSecrets(kept, settings("second", undefined, 1));
  expect(`Bearer ${kept.llm.key}`).toBe("Bearer second");
  expect(textsOf(headers)).toEqual({ authorization: "second", accept: "json" });
  expect(JSON.stringify(kept.llm.fallbacks)).toBe('[{"key":"second"}]');
});

it("goes to no server that it may not be meant for: one that has changed, or another of a list", () => {
  for (const again of [settings("second", "https://two.example"), settings("second", undefined, 1)]) {
    const kept = settings("first");
    expect(() => rotateSecrets(kept, again)).toThrow(/together with other settings, which takes a restart/);
    expect(String(kept.llm.key)).toBe("first");
  }
});

it("lets other settings change where no key does: they count after a restart, as they always did", () => {
  const kept = settings("first");
  rotateSecrets(kept, settings("first", "https://two.example"));
  expect(kept).toEqual(settings("first"));
});
