import { describe, expect, it } from "vitest";
import { FLITE_SAMPLE_RATE_HZ, Flite } from "./flite.js";

const sentence = "Bleed the compressor for two minutes.";

describe("Flite", () => {
  it("speaks, and says the same the same way each time", async () => {
    const flite = await Flite.load("slt");
    const first = flite.speak(sentence);
    expect(first.length / FLITE_SAMPLE_RATE_HZ).toBeGreaterThan(1.5);
    expect(first.length / FLITE_SAMPLE_RATE_HZ).toBeLessThan(3);
    expect(first.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)).toBeGreaterThan(5_000);
    flite.speak(
      "Something else, which is a good deal longer, so that the program's memory has to grow for it. ".repeat(
        3,
      ),
    );
    expect(flite.speak(sentence)).toEqual(first);
    expect((await Flite.load("slt")).speak(sentence)).toEqual(first);
  });

  it("says nothing when there is nothing to say", async () => {
    const flite = await Flite.load("slt");
    for (const text of ["", "...", "-voice kal"]) expect(flite.speak(text).length).toBeGreaterThan(0);
    expect(flite.speak("").every((sample) => Math.abs(sample) < 200)).toBe(true);
  });

  it("refuses a voice that it does not have", async () => {
    const flite = await Flite.load("nobody" as "slt");
    for (let time = 0; time < 2; time++) expect(() => flite.speak(sentence)).toThrow("8000 Hz, not at 16000");
  });
});
