import { describe, expect, it } from "vitest";
import { chunkSections } from "../../ingest/chunk.js";
import { parseMarkdown } from "../../ingest/read/markdown.js";
import { systemClock } from "../../lib/clock.js";
import type { LanguageModel, ModelEvent } from "../../llm/port.js";
import { loadPrompts } from "../../llm/prompts.js";
import type { KnowledgeDocument } from "../../retrieval/writer.js";
import { Judge } from "../judge/judge.js";
import { readJsonLines } from "../read-data-set.js";
import { type DraftRow, draftedQuestions, draftRows } from "./draft.js";
import { modelQuestions } from "./model-questions.js";
import { sectionsOf } from "./sections.js";

function documentOf(
  title: string,
  markdown: string,
  rest: Partial<KnowledgeDocument> = {},
): KnowledgeDocument {
  const limits = { tokensTarget: 2_000, overlapTokensMax: 0 };
  const chunks = chunkSections(parseMarkdown(markdown), limits);
  const sourceFile = `${title.toLowerCase()}.md`;
  return {
    documentId: sourceFile,
    path: sourceFile,
    sourceFile,
    title,
    contentHash: "",
    usesDefaultVisibility: true,
    access: { visibility: "network", allowedUsers: [], allowedGroups: [] },
    chunks: chunks.map((chunk, i) => ({ chunkId: `${sourceFile} ${i}`, ...chunk })),
    ...rest,
  };
}

const drafted = (...documents: readonly KnowledgeDocument[]): DraftRow[] =>
  draftRows(draftedQuestions(documents));

const BANDS = documentOf(
  "Bands",
  "# Bands\n\n| Band | Work | From |\n|---|---|---|\n| 1 | Packing | 2,310 euros |\n| 2 | Driving | 2,520 euros |\n",
);
const PRESS = documentOf(
  "Press",
  "# Press\n\nThe check takes 6 minutes. Never lift it.\n\n## Start\n\n1. Lift the lid slowly with both hands. Wait.\n2. Press the button.\n",
);

describe("a draft", () => {
  it("asks for the amount in a sentence", () => {
    expect(drafted(PRESS)).toContainEqual({
      id: "press-1",
      kind: "fact",
      turns: ["Press: The check takes how many minutes?"],
      answerable: true,
      expect: [["6 minutes"]],
      hurts: false,
      source: { document: "press.md", heading: "Press", quote: "The check takes 6 minutes." },
      draft: true,
    });
  });

  it("asks for a cell of each row, of another column each time", () => {
    expect(drafted(BANDS).map(({ turns, expect, kind }) => [kind, turns[0], expect])).toEqual([
      ["table", "What is the Work of Band 1?", [["Packing"]]],
      ["table", "What is the From of Band 2?", [["2,520 euros"]]],
    ]);
  });

  it("asks for the value of a key", () => {
    const pay = documentOf(
      "Pay",
      "# Pay\n\n- Late shift, from 14:00 to 22:00: 8 percent\n- Sunday: 50 percent\n",
    );
    expect(drafted(pay).map(({ turns, expect }) => [turns[0], expect])).toEqual([
      ["What is the Late shift, from 14:00 to 22:00 of Pay?", [["8 percent"]]],
      ["What is the Sunday of Pay?", [["50 percent"]]],
    ]);
  });

  it("asks for the steps under a heading, and for lists, each item by its beginning", () => {
    const list = documentOf("Refunds", "# Refunds\n\n- Opened packs of food and drink\n- Gift cards\n");
    expect(drafted(PRESS)).toContainEqual(
      expect.objectContaining({
        kind: "procedure",
        turns: ["Press, Start: what are the steps?"],
        expect: [["Lift the lid slowly with"], ["Press the button."]],
      }),
    );
    expect(drafted(list)).toMatchObject([
      { kind: "list", expect: [["Opened packs of food and"], ["Gift cards"]] },
    ]);
  });

  it("takes a part of what is too long for the ear, where the number of items is told", () => {
    const steps = Array.from({ length: 7 }, (_, i) => `${i + 1}. Turn valve ${i + 1}.`).join("\n");
    const [row] = drafted(documentOf("Valves", `# Valves\n\n${steps}\n`));
    expect(row).toMatchObject({ partial_ok: true, items: [7] });
    expect(row!.expect).toHaveLength(7);
  });

  it("asks of a document what only another one has", () => {
    const rows = drafted(BANDS, PRESS).filter(({ answerable }) => !answerable);
    expect(rows).toMatchObject([
      {
        kind: "near_unanswerable",
        turns: ["Band 1: The check takes how many minutes?"],
        forbid: ["6 minutes"],
      },
      { kind: "near_unanswerable", turns: ["What is the Work of Press?"], expect: [], forbid: ["Packing"] },
    ]);
  });

  it("asks nothing unanswerable that its document has after all", () => {
    const both = documentOf("Both", "# Both\n\nWork from 2 euros. How many minutes it takes is open.\n");
    expect(
      drafted(both, BANDS, PRESS).filter(({ id, answerable }) => id.startsWith("both") && !answerable),
    ).toEqual([]);
  });

  it("is asked by somebody who may read the document, and not at all where nobody may", () => {
    const access = { visibility: "restricted", allowedUsers: ["petra"], allowedGroups: ["hr"] } as const;
    expect(drafted({ ...PRESS, access })[0]).toMatchObject({ groups: ["hr"] });
    expect(drafted({ ...PRESS, access: { ...access, allowedGroups: [] } })[0]).toMatchObject({
      username: "petra",
    });
    expect(drafted({ ...PRESS, access: { ...access, allowedGroups: [], allowedUsers: [] } })).toEqual([]);
  });

  it("is of the newest revision", () => {
    const old = documentOf("Press", "# Press\n\nThe check takes 9 minutes.\n", { revision: "1" });
    expect(drafted({ ...PRESS, revision: "2" }, old)).toEqual(drafted({ ...PRESS, revision: "2" }));
  });

  it("can be read as a data set", () => {
    const lines = drafted(BANDS, PRESS).map((row) => JSON.stringify(row));
    const { rows } = readJsonLines(lines.join("\n"), { rowsMax: 100 });
    expect(rows).toHaveLength(lines.length);
    expect(rows.every(({ draft, expected }) => draft === true && expected.key !== undefined)).toBe(true);
  });
});

describe("a model's questions", () => {
  const [section] = sectionsOf([PRESS]);
  async function questionsOf(reply: string) {
    const model: LanguageModel = {
      name: "drafter",
      complete: () => Promise.reject(new Error("unexpected")),
      async *stream(): AsyncGenerator<ModelEvent, void, undefined> {
        yield { type: "text", text: reply };
        yield { type: "end", reason: "complete", usage: { inputTokens: 1, outputTokens: 1 } };
      },
    };
    const judgements = { judgement: async () => undefined, keepJudgement: async () => undefined };
    const prompts = await loadPrompts();
    const judge = new Judge({ model, prompts, judgements, clock: systemClock, delayMs: 0 });
    return modelQuestions(section!, judge, new AbortController().signal);
  }
  const questionOf = (quote: string, wording: string) => ({
    kind: "fact",
    question: "How long is the check?",
    expect: [[wording]],
    quote,
  });

  it("are taken where the section says what is quoted, and the quote what is expected", async () => {
    const good = questionOf("The check takes 6 minutes.", "6 minutes");
    const questions = [
      good,
      questionOf("The check takes 9 minutes.", "9 minutes"),
      questionOf("Never lift it.", "6 minutes"),
    ];
    expect(await questionsOf(JSON.stringify({ questions }))).toEqual([good]);
  });

  it("are none where it makes no sense", async () => {
    expect(await questionsOf("I would ask about the check.")).toEqual([]);
  });
});
