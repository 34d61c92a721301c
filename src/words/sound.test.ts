import { describe, expect, it } from "vitest";
import { soundCost, soundOf } from "./sound.js";

const perSound = (one: string, other: string, language: "en" | "de" = "en") => {
  const sounds = [soundOf(one, language), soundOf(other, language)] as const;
  return soundCost(...sounds) / Math.max(sounds[0].length, sounds[1].length);
};

describe("what is confused in a noisy hall sounds alike", () => {
  it.each([
    ["2", "10", 0.5],
    ["13", "30", 0.15],
    ["15", "50", 0.15],
    ["5", "9", 0.5],
    ["7", "11", 0.5],
    ["4", "5", 0.5],
    ["pump", "bump", 0.1],
    ["B", "D", 0.5],
    ["B", "P", 0.2],
    ["M", "N", 0.5],
    ["F", "S", 0.5],
    ["doc leveler", "dock leveller", 0.01],
    ["auto clave", "autoclave", 0.01],
    ["lock out", "lockout", 0.01],
    ["parks washer", "parts washer", 0.1],
  ])("%s and %s", (one, other, atMost) => {
    expect(perSound(one, other)).toBeLessThanOrEqual(atMost);
    expect(perSound(other, one)).toBeCloseTo(perSound(one, other), 10);
  });

  it.each([
    ["1", "2"],
    ["3", "8"],
    ["B", "X"],
    ["lobby", "valve"],
  ])("%s and %s do not", (one, other) => {
    expect(perSound(one, other)).toBeGreaterThan(0.5);
  });

  it("in other languages by their own number words", () => {
    expect(soundOf("2", "de")).toBe(soundOf("zwei"));
    expect(perSound("14", "40", "de")).toBeLessThan(0.3);
  });
});
