/** Drafts of guides from whole folders of documents: every step is bound, and no invention in one survives unmarked. */
import { beforeAll, describe, expect, it } from "vitest";
import { readDocuments, wholeSections } from "../src/compose/asked-documents.js";
import { loadConfig } from "../src/config/load.js";
import { draftGuide } from "../src/guide/document/draft-guide.js";
import type { GuideDocument } from "../src/guide/document/passages.js";
import { sourceFindings } from "../src/guide/document/source-rules.js";
import type { Guide, GuideStep } from "../src/guide/schema/guide.js";
import { patience } from "./support/patience.js";

/** Drafts were written with the first two folders at hand; the product's own documents had no part in that. */
const PLACES = [
  ...["examples/handbook", "examples/clinic"],
  ...["RUNBOOK.md", "docs/check.md", "docs/kiosk.md", "docs/models.md", "docs/operate.md"],
];

const drafts: { readonly document: GuideDocument; readonly guide: Guide }[] = [];

beforeAll(async () => {
  const { config } = loadConfig();
  for (const place of PLACES)
    for (const document of await readDocuments(wholeSections(config), place, new AbortController().signal))
      if (document.chunks.some(({ kind }) => kind.blockType === "procedure"))
        drafts.push({ document, guide: draftGuide(document) });
}, patience(60_000));

/** Steps with one invention each, and what was planted: another number, no "not", what another document says. */
function* planted(step: GuideStep, { text, title }: GuideStep): Generator<readonly [string, GuideStep]> {
  for (const field of ["text", "warning"] as const) {
    const said = step[field] ?? "";
    for (const { 0: number, index } of said.matchAll(/\d+/g)) {
      const other = `${said.slice(0, index)}${Number(number) * 2 + 1}${said.slice(index + number.length)}`;
      yield [other, { ...step, [field]: other }];
    }
    for (const { 0: no, index } of said.matchAll(/\b(?:do not|never|not) /gi)) {
      const rest = said.slice(index + no.length);
      const other = said.slice(0, index) + (index === 0 ? `${rest[0]!.toUpperCase()}${rest.slice(1)}` : rest);
      yield [other, { ...step, [field]: other }];
    }
  }
  const extra: GuideStep = { id: "extra", kind: "instruct", title: title!, text: text! };
  yield [`unbound: ${text}`, extra];
  if (step.source !== undefined) yield [`extra: ${text}`, { ...extra, source: step.source }];
}

function marks(guide: Guide, document: GuideDocument): readonly string[] {
  return sourceFindings(guide, [document]).map(({ problem, step }) => `${step}: ${problem}`);
}

describe("drafts of the documents with steps", () => {
  it("are there, with every step bound, and say nothing that their document does not", () => {
    expect(drafts.length).toBeGreaterThan(30);
    for (const { document, guide } of drafts) {
      const unbound = guide.steps.filter(({ kind, source }) => source === undefined && kind !== "end");
      expect([document.sourceFile, unbound, marks(guide, document)]).toEqual([document.sourceFile, [], []]);
    }
  });

  it(
    'hide no invention: another number, a dropped "not", a step more',
    () => {
      const survivors: string[] = [];
      let count = 0;
      for (const [at, { document, guide }] of drafts.entries()) {
        const foreign = drafts[(at + 1) % drafts.length]!.guide.steps.filter(
          ({ text }) => text !== undefined,
        );
        for (const [number, step] of guide.steps.entries())
          for (const [what, other] of planted(step, foreign[number % foreign.length]!)) {
            count += 1;
            const found = sourceFindings({ ...guide, steps: [other] }, [document]);
            if (!found.some((one) => one.step === other.id))
              survivors.push(`${document.sourceFile}: ${what}`);
          }
      }
      expect(survivors).toEqual([]);
      expect(count).toBeGreaterThan(1_000);
      console.log(`${count} inventions in drafts of ${drafts.length} documents, all marked`);
    },
    patience(120_000),
  );
});
