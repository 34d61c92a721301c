/** Challenge words keep their rule, are no words of the operation, and are in no hint of a recogniser. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { OperationCall } from "../../domain/operation.js";
import { isWithin } from "../../lib/edit-distance.js";
import { seededRandom } from "../../lib/random.js";
import { CHALLENGE_WORDS } from "../../locale/challenge.js";
import { listsOf, writtenGrammars } from "../../locale/commands/samples.test-util.js";
import { wordsOf } from "../../locale/commands/words.js";
import { challengeFor } from "./challenge.js";

const TABLE = new URL("../../../test/conformance/spoken_approval_cases.json", import.meta.url);
const { challenge_words_rejected_by_measurement: rejected } = JSON.parse(readFileSync(TABLE, "utf8")) as {
  readonly challenge_words_rejected_by_measurement: Readonly<Record<string, string>>;
};
const WORDS_MIN = 24;
const CHARS_MIN = 5;
const EDITS_MIN = 3;

describe.each(writtenGrammars)("the words of $language", (grammar) => {
  const words = CHALLENGE_WORDS.get(grammar.language) ?? [];

  it("are enough, and each is one word in lower-case letters that was not rejected elsewhere", () => {
    expect(words.length).toBeGreaterThanOrEqual(WORDS_MIN);
    for (const word of words) {
      expect(word).toMatch(/^\p{Ll}+$/u);
      expect(word.length).toBeGreaterThanOrEqual(CHARS_MIN);
      expect(wordsOf(word)).toHaveLength(1);
      expect(rejected).not.toHaveProperty(word);
    }
  });

  it("are apart from each other, and from all that is said to a proposal", () => {
    const lists = Object.entries(listsOf(grammar)).filter(([name]) => name.startsWith("consent_"));
    const said = new Set(
      lists.flatMap(([, entries]) => entries.flatMap((one) => wordsOf(one).map(({ text }) => text))),
    );
    for (const [i, word] of words.entries())
      for (const other of [...words.slice(i + 1), ...said])
        expect(isWithin(EDITS_MIN - 1, word, other), `${word} and ${other}`).toBe(false);
  });
});

describe("a challenge word", () => {
  const call = (name: string, more: Partial<OperationCall> = {}): OperationCall => ({
    ...{ target: "site:x", name, tool: "site.set", args: {} },
    postcondition: { tool: "site.read", signal: "status", equals: "running", windowMs: 1 },
    before: { value: "stopped" },
    ...more,
  });
  const English = CHALLENGE_WORDS.get("en")!;
  const drawn = (action: string, one: OperationCall) => {
    const random = seededRandom(3);
    return new Set(
      Array.from({ length: 500 }, () => challengeFor({ action, calls: [one], language: "en-GB" }, random)),
    );
  };

  it("is any of them, by chance", () => {
    expect(drawn("restart", call("pump three")).size).toBe(English.length);
  });

  it.each([
    ["its name", "restart", call("Volcano pump")],
    ["something like it", "restart", call("Volcanos")],
    ["something longer", "restart", call("Volcanologist")],
    ["something that sounds like it", "restart", call("Volkano pump")],
    ["its tool", "restart", call("pump", { tool: "site.open_volcano" })],
    ["its target", "restart", call("pump", { target: "hall/volcano-2" })],
    ["its arguments", "restart", call("pump", { args: { to: ["a", { lamp: "VOLCANO" }] } })],
    ["its action", "volcano", call("pump")],
  ])("is no word of the operation: %s", (_, action, one) => {
    const words = drawn(action, one);
    expect(words).not.toContain("volcano");
    expect(words.size).toBe(English.length - 1);
  });

  it.each(["de", "de-AT", "DE"])("is one of the language of the operation: %s", (language) => {
    const word = challengeFor({ action: "x", calls: [call("x")], language }, seededRandom(1));
    expect(CHALLENGE_WORDS.get("de")).toContain(word);
  });

  it("is English where a language has none, and there is none where the operation has them all", () => {
    expect(CHALLENGE_WORDS.get("en")).toContain(
      challengeFor({ action: "x", calls: [call("x")], language: "tlh" }, seededRandom(1)),
    );
    expect(
      challengeFor({ action: English.join(" "), calls: [call("x")], language: "en" }, seededRandom(1)),
    ).toBeUndefined();
  });
});
