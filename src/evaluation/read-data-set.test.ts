import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataSetProblem, readDataSetFile, readJsonDataSet, readJsonLines } from "./read-data-set.js";

const limits = { rowsMax: 1_000 };
const lines = (...rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");

function problemsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof DataSetProblem) return error.message.split("\n");
    throw error;
  }
  throw new Error("the data set was taken");
}

describe("JSON lines", () => {
  it("are rows with defaults, under a header", () => {
    const content = lines(
      { dataset: "Handbook", documents: "handbook", network: "acme" },
      { id: "a", question: " How long? ", expected: { outcome: "answered", must_say: ["x", ["y", "z"]] } },
      {
        turns: ["One.", "Two?"],
        username: "tom",
        groups: ["g"],
        features: ["kiosk"],
        mode: "m",
        language: "de",
      },
    );
    const { rows, ...header } = readJsonLines(`\uFEFF${content}\r\n\n`, limits);
    expect(header).toEqual({ name: "Handbook", documents: "handbook", network: "acme" });
    expect(rows).toEqual([
      {
        id: "a",
        category: "uncategorized",
        turns: ["How long?"],
        username: "evaluator",
        groups: [],
        features: [],
        expected: { outcomes: ["answered"], mustSay: [["x"], ["y", "z"]], mustNotSay: [] },
      },
      {
        id: "row-2",
        category: "uncategorized",
        turns: ["One.", "Two?"],
        username: "tom",
        groups: ["g"],
        features: ["kiosk"],
        mode: "m",
        language: "de",
        expected: { mustSay: [], mustNotSay: [] },
      },
    ]);
  });

  it("name the line and the field of all that is wrong", () => {
    const content = [
      lines({ id: "a", question: "Q?" }, { id: "b", question: "Q?", expected: { outcome: "maybe" } }),
      "",
      "{not json",
      lines(
        { id: "a", question: "Q?" },
        { id: "c" },
        { id: "d", question: "Q?", turns: ["T"] },
        { question: "" },
        7,
      ),
      lines(
        { id: "e", question: "Q?", expected: { must_sya: ["x"] } },
        { id: "f", question: "Q?", groups: "g" },
      ),
    ].join("\n");
    const problems = problemsOf(() => readJsonLines(content, limits));
    expect(problems[0]).toMatch(/^line 4: is not JSON: /);
    expect(problems.slice(1).map((problem) => problem.split(": ").slice(0, 2).join(": "))).toEqual([
      "line 2: expected.outcome",
      "line 5: id",
      "line 6: question",
      "line 7: question",
      "line 8: question",
      "line 9: Invalid input",
      "line 10: expected.must_sya",
      "line 11: groups",
    ]);
    expect(problems[7]).toMatch(/must_sya/);
  });

  it.each<[row: object, field: string]>([
    [{ question: "Q?", ground_truth: 5 }, "ground_truth"],
    [{ turns: ["Q?"], ground_truth: "T" }, "ground_truth"],
    [{ question: "Q?", expected: { must_say: [""] } }, "expected.must_say[0]"],
    [{ input: 7, output: [] }, "input"],
    [{ input: "Q?", output: [{ answer: "x".repeat(20_000) }] }, "output"],
    [{ question: "Q?", groups: ["a", 1] }, "groups[1]"],
  ])("name the field of %j as its sender does", (row, field) => {
    expect(problemsOf(() => readJsonLines(lines(row), limits))[0]).toContain(`line 1: ${field}: `);
    const list = [{ question: "Q?" }, row];
    expect(problemsOf(() => readJsonDataSet(list, limits))[0]).toContain(`dataset[1].${field}: `);
  });

  it("tell twenty problems, and count the rest", () => {
    const problems = problemsOf(() =>
      readJsonLines(Array.from({ length: 30 }, () => "{").join("\n"), limits),
    );
    expect(problems).toHaveLength(21);
    expect(problems[20]).toBe("and 10 more");
  });

  it("have to hold a row, and not too many", () => {
    expect(problemsOf(() => readJsonLines("\n\n", limits))).toEqual(["dataset: there is no row"]);
    expect(problemsOf(() => readJsonLines(lines({ dataset: "x" }), limits))).toEqual([
      "dataset: there is no row",
    ]);
    const many = lines({ question: "a" }, { question: "b" }, { question: "c" });
    expect(problemsOf(() => readJsonLines(many, { rowsMax: 2 }))).toEqual([
      "dataset: there are 3 rows; at most 2 are taken",
    ]);
  });

  it("may only refer to rows that are there", () => {
    const row = { id: "a", question: "Q?", expected: { same_words_as: "b" } };
    expect(problemsOf(() => readJsonLines(lines(row), limits))).toEqual([
      'line 1: expected.same_words_as: there is no row "b"',
    ]);
    expect(readJsonLines(lines(row, { id: "b", question: "R?" }), limits).rows).toHaveLength(2);
  });

  it("are read or refused with reasons, whatever they hold", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json()), { maxLength: 6 }), (parts) => {
        try {
          expect(readJsonLines(parts.join("\n"), limits).rows.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(DataSetProblem);
          expect((error as DataSetProblem).problems.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe("data sets of others", () => {
  it("may be those of the reference", () => {
    const reference = [
      { id: 7, question: "What is X?", ground_truth: "X is Y.", category: "basic", difficulty: 3 },
    ];
    const [row] = readDataSetFile("golden_dataset.json", JSON.stringify(reference), limits).rows;
    expect(row).toMatchObject({
      id: "7",
      category: "basic",
      turns: ["What is X?"],
      expected: { groundTruth: "X is Y." },
    });
  });

  it("may be ClapNQ's", () => {
    const content = lines(
      { id: "1", input: "who?", passages: [], output: [{ answer: "They did.", selected_sentences: [] }] },
      { id: "2", input: "why?", passages: [], output: [{ answer: "" }] },
    );
    expect(readJsonLines(content, limits).rows).toMatchObject([
      { category: "answerable", turns: ["who?"], expected: { groundTruth: "They did." } },
      { category: "unanswerable", turns: ["why?"], expected: { outcomes: ["not_in_documents"] } },
    ]);
  });
});

describe("a JSON value", () => {
  it("is a list of rows, or an object that holds one", () => {
    expect(readJsonDataSet([{ question: "a" }], limits).rows).toHaveLength(1);
    expect(readJsonDataSet({ dataset: [{ question: "a" }] }, limits).rows).toHaveLength(1);
    const bad = () => readJsonDataSet([{ question: "a" }, { question: "b", username: "" }], limits);
    expect(problemsOf(bad)[0]).toMatch(/^dataset\[1\].username: /);
  });

  it.each([[{}], ["x"], [null], [7], [{ dataset: "name" }]])("is not %j", (value) => {
    expect(problemsOf(() => readJsonDataSet(value, limits))).toEqual([
      expect.stringMatching(/^dataset: give the rows/),
    ]);
  });
});

describe("the golden set", () => {
  const path = fileURLToPath(new URL("../../examples/golden.jsonl", import.meta.url));
  const { documents, rows } = readDataSetFile(path, readFileSync(path, "utf8"), limits);
  const folder = fileURLToPath(new URL(`../../examples/${documents}/`, import.meta.url));

  it("has sixty questions or more, of every kind", () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
    const kinds = new Set(rows.map(({ category }) => category));
    expect([...kinds].sort()).toEqual(
      [
        "answerable",
        "partial",
        "unanswerable",
        "ambiguous",
        "false_premise",
        "forbidden",
        "conflicting",
        "multi_turn",
        "kiosk",
        "topic_change",
      ].sort(),
    );
  });

  it("names documents that are there, and ground truths that stand in them", () => {
    for (const { id, expected } of rows) {
      for (const name of expected.documents ?? [])
        expect(existsSync(folder + name), `${id}: ${name}`).toBe(true);
      const texts = (expected.documents ?? []).map((name) => readFileSync(folder + name, "utf8")).join("\n");
      for (const number of (expected.groundTruth ?? "").match(/\d+/g) ?? [])
        expect(texts, `${id}: ${number}`).toContain(number);
    }
  });

  it("wants the forbidden to sound as what is not there", () => {
    const forbidden = rows.filter(({ category }) => category === "forbidden");
    const missing = new Set(rows.filter(({ category }) => category === "unanswerable").map(({ id }) => id));
    // What may be offered instead is said in words of its own.
    const refused = forbidden.filter(({ expected }) => !expected.outcomes?.includes("ambiguous"));
    expect(refused.length).toBeGreaterThan(forbidden.length / 2);
    for (const { expected } of refused) expect(missing).toContain(expected.sameWordsAs);
  });
});
