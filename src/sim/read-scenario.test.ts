import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { readScenario, ScenarioProblem } from "./read-scenario.js";

const SMALLEST = `
title: One question
duration: 1m
relays:
  hall:
users:
  - name: ann
    relays: hall
    steps:
      - ask: How long do I cool a burn?
`;

function problemsOf(text: string): string[] {
  try {
    readScenario(text, "a.yaml");
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioProblem)) throw error;
    return error.message.split("\n");
  }
}

/** The smallest scenario with one line replaced, and the number of that line. */
function changed(line: string, replacement: string): string {
  if (!SMALLEST.includes(line)) throw new Error(`there is no line ${line}`);
  return SMALLEST.replace(line, replacement);
}

describe("a scenario", () => {
  it("needs little", () => {
    const scenario = readScenario(SMALLEST, "a.yaml");
    expect(scenario).toMatchObject({
      title: "One question",
      duration: 60_000,
      speed: 1,
      seed: 1,
      network: "acme",
    });
    expect(scenario.relays).toEqual({ hall: {} });
    expect(scenario.users[0]).toMatchObject({
      name: "ann",
      count: 1,
      relays: ["hall"],
      answer: "voice",
      groups: [],
    });
  });

  it.each([
    ["250ms", 250],
    ["1.5s", 1_500],
    ["10m", 600_000],
    ["2 h", 7_200_000],
    ["0s", 0],
  ])("writes a duration as %s", (written, ms) => {
    expect(readScenario(changed("duration: 1m", `duration: ${written}`), "a.yaml").duration).toBe(ms);
  });

  it("takes one or many, and a question with or without what it expects", () => {
    const text = `${SMALLEST}        expect: { outcome: voice, says: [a, b | c], error: chat_busy }
questions:
  list:
    - Why?
    - { ask: How?, expect: { any_of: [{ outcome: text }, { outcome: [error, voice] }] } }
`;
    const { questions, users } = readScenario(text, "a.yaml");
    expect(questions.list).toEqual([
      { ask: "Why?", expect: undefined },
      { ask: "How?", expect: { any_of: [{ outcome: ["text"] }, { outcome: ["error", "voice"] }] } },
    ]);
    expect(users[0]?.steps?.[0]?.expect).toEqual({
      outcome: ["voice"],
      says: ["a", "b | c"],
      error: ["chat_busy"],
    });
  });

  test("of the examples can be read", () => {
    const file = new URL("../../examples/shift.yaml", import.meta.url);
    const scenario = readScenario(readFileSync(file, "utf8"), "shift.yaml");
    expect(scenario.duration).toBe(600_000);
    expect(scenario.users.filter(({ from }) => from === 0).reduce((sum, { count }) => sum + count, 0)).toBe(
      50,
    );
  });
});

describe("what is wrong with a scenario is told with its line", () => {
  const steps = "      - ask: How long do I cool a burn?";
  const cases: readonly [string, string, string[]][] = [
    ["nothing at all", "", ["a.yaml:1: Invalid input: expected object, received null"]],
    ["no YAML", "title: [", ["a.yaml:1: is not YAML: "]],
    [
      "a word that is not known",
      changed("duration: 1m", "duration: 1m\nspede: 3"),
      ["a.yaml:4: spede: is not known here"],
    ],
    [
      "a duration without a unit",
      changed("duration: 1m", "duration: 60"),
      ["a.yaml:3: duration: expected a duration, such as 500ms, 40s or 10m"],
    ],
    [
      "a speed of zero",
      changed("duration: 1m", "duration: 1m\nspeed: 0"),
      ["a.yaml:4: speed: expected 1 to 100"],
    ],
    [
      "a relay that does not exist",
      changed("    relays: hall", "    relays: hal"),
      ["a.yaml:8: users.0.relays: there is no relay hal; there are hall"],
    ],
    [
      "two things in one step",
      changed(steps, `${steps}\n        say: Hello`),
      ["a.yaml:10: users.0.steps.0: expected exactly one of ask, say,"],
    ],
    [
      "nothing in a step",
      changed(steps, "      - expect: { outcome: voice }"),
      ["a.yaml:10: users.0.steps.0: expected exactly one of ask, say,"],
    ],
    [
      "two times in one step",
      changed(steps, `${steps}\n        at: 3s\n        after: 3s`),
      ["a.yaml:10: users.0.steps.0: expected at most one of at, after,"],
    ],
    [
      "a list that does not exist",
      changed(steps, "      - ask_from: lits"),
      ["a.yaml:10: users.0.steps.0: there is no list of questions lits"],
    ],
    [
      "a word for a command",
      changed(steps, "      - do: canel"),
      ["a.yaml:10: users.0.steps.0.do: expected one of release, cancel"],
    ],
    [
      "an outcome",
      changed(steps, `${steps}\n        expect: { outcome: voise }`),
      ["a.yaml:11: users.0.steps.0.expect.outcome.0: expected one of voice"],
    ],
    [
      "a code of an error",
      changed(steps, `${steps}\n        expect: { error: chat_bussy }`),
      ["a.yaml:11: users.0.steps.0.expect.error.0: expected a code of LT-110"],
    ],
    [
      "a button held while typing",
      changed(steps, `${steps}\n        hold: true`),
      ["a.yaml:11: users.0.steps.0.hold: is for what is spoken"],
    ],
    [
      "something again and again, without what",
      changed("    steps:", "    every: 3s\n    steps:"),
      ["a.yaml:7: users.0: needs either every and does, or steps"],
    ],
    [
      "a range the wrong way round",
      changed("    steps:", "    every: 9s to 3s\n    steps:"),
      ["a.yaml:9: users.0.every: expected a duration or a range"],
    ],
    [
      "an end before the beginning",
      changed("    steps:", "    from: 9s\n    until: 3s\n    steps:"),
      ["a.yaml:10: users.0.until: is not after from"],
    ],
    [
      "a name given twice",
      `${SMALLEST}  - { name: ann, relays: hall, steps: [{ ask: a }] }\n`,
      ["a.yaml:11: users.1.name: there is another ann"],
    ],
    [
      "nobody",
      changed("users:", "users: []\nothers:"),
      ["a.yaml:6: users: expected at least one user", "a.yaml:8: others: is not known here"],
    ],
  ];

  test.each(cases)("%s", (_what, text, lines) => {
    const found = problemsOf(text);
    for (const [i, line] of lines.entries()) expect(found[i]).toContain(line);
    expect(found).toHaveLength(lines.length);
  });

  it("all of it, up to a limit", () => {
    const found = problemsOf(`${SMALLEST}${Array.from({ length: 30 }, (_, i) => `x${i}: 1`).join("\n")}\n`);
    expect(found).toHaveLength(21);
    expect(found.at(-1)).toBe("and 10 more");
  });
});
