/** What a claim says in pieces: of each of two, and which comes first. */
import { describe, expect, it } from "vitest";
import { checkSentence } from "../check/check-sentence.js";
import { prepareEvidence } from "../evidence.js";

const evidence = (text: string) => prepareEvidence([{ type: "passage", source: "p", text }]);
const isSaid = (claim: string, text: string) =>
  checkSentence(claim, evidence(text), { question: "", said: [] }).verdict === "supported";

const STEPS =
  "1. Isolate the pump at the breaker.\n2. Drain the casing.\n3. Remove the cover.\n4. Replace the seal.";
const ROWS =
  "Track: 11; Length (m): 640; Max. load (t): 22.5; Overhead line: yes\n\n" +
  "Track: 12; Length (m): 640; Max. load (t): 20.0; Overhead line: yes\n\n" +
  "Track: 13; Length (m): 310; Max. load (t): 20.0; Overhead line: no";
const VALVES =
  "Boiler: B1; Working pressure (bar): 8.0; Valve lifts at (bar): 10.0 ± 0.2\n\n" +
  "Boiler: B3; Working pressure (bar): 6.5; Valve lifts at (bar): 8.0 ± 0.1";

describe("order", () => {
  it.each([
    ["The pump is isolated before the casing is drained.", true],
    ["The casing is drained before the pump is isolated.", false],
    ["Do not remove the cover until the casing has been drained.", true],
    ["Do not drain the casing until the cover has been removed.", false],
    ["After the cover has been removed, replace the seal.", true],
    // What lies between is left out.
    ["After the pump has been isolated, replace the seal.", false],
  ])("%s %s", (claim, expected) => expect(isSaid(claim, STEPS)).toBe(expected));
});

describe("of each", () => {
  it.each([
    ["Tracks 11 and 12 are both 640 metres long.", true],
    ["Tracks 12 and 13 are both 640 metres long.", false],
    ["Track 13 has no overhead line.", true],
    ["Track 12 has no overhead line.", false],
  ])("%s %s", (claim, expected) => expect(isSaid(claim, ROWS)).toBe(expected));
});

describe("the name of a row holds for each of its cells", () => {
  it.each([
    ["The valve of B1 lifts at 10 bar, plus or minus 0.2.", true],
    ["The valve of B3 lifts at 10 bar.", false],
    ["The valve of B3 lifts at 8 bar.", true],
    ["The working pressure of B3 is 8 bar.", false],
  ])("%s %s", (claim, expected) => expect(isSaid(claim, VALVES)).toBe(expected));
});
