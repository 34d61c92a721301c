/** What may be said of documents: pairs of true and false sentences, hostile drafts, assents and true paraphrases. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { phrasesFor } from "../../src/answer/phrases.js";
import type { DraftEvent } from "../../src/capability/draft.js";
import type { Passage } from "../../src/domain/passage.js";
import { checkSentence } from "../../src/grounding/check/check-sentence.js";
import { prepareEvidence } from "../../src/grounding/evidence.js";
import { chunkSections } from "../../src/ingest/chunk.js";
import { parseMarkdown } from "../../src/ingest/read/markdown.js";
import { splitSentences } from "../../src/lib/sentence-end.js";
import { Gate } from "../../src/turn/gate.js";
import { passage } from "../support/fake-retrieval.js";
import { english } from "../support/locales.js";

const read = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url), "utf8");

const Pair = z.object({
  id: z.string(),
  passage: z.string(),
  true: z.string(),
  false: z.string(),
  question: z.string().optional(),
});
const Draft = z.object({
  id: z.string(),
  question: z.string(),
  draft: z.string(),
  dangerous: z.boolean().optional(),
});
const Hostile = z.object({
  documents: z.record(z.string(), z.string()),
  hostile: z.array(Draft),
  agreeing: z.array(z.object({ id: z.string(), question: z.string(), drafts: z.array(z.string()) })),
  paraphrases: z.array(Draft),
});
const Sentence = z.object({
  id: z.string(),
  text: z.string(),
  question: z.string(),
  dangerous: z.boolean().optional(),
});
const Row = z.object({
  title: z.string(),
  heading: z.string(),
  passage: z.string(),
  true: z.array(Sentence),
  false: z.array(Sentence),
});

const pairs = z.object({ rows: z.array(Pair) }).parse(JSON.parse(read("binding-pairs.json"))).rows;
const hostile = Hostile.parse(JSON.parse(read("hostile-drafts.json")));
const rowsOf = (name: string) =>
  read(name)
    .trim()
    .split("\n")
    .map((line) => Row.parse(JSON.parse(line)));

describe("a value belongs to its subject", () => {
  it.each(pairs)("$id", ({ passage: text, true: yes, false: no, question = "" }) => {
    const evidence = prepareEvidence([{ type: "passage", source: "p", text }]);
    const verdict = (sentence: string) => checkSentence(sentence, evidence, { question, said: [] }).verdict;
    expect(verdict(yes)).toBe("supported");
    expect(verdict(no)).not.toBe("supported");
  });
});

const LIMITS = { tokensTarget: 250, overlapTokensMax: 0 };
const phrases = phrasesFor("default", english);

function passagesOf(name: string, text: string): Passage[] {
  const title = /^title: (.*)$/m.exec(text)?.[1] ?? name;
  const sections = parseMarkdown(text.replace(/^---\n.*?\n---\n/s, ""));
  return chunkSections(sections, LIMITS).map((chunk, i) =>
    passage(`${name}#${i}`, chunk.text, { title, headings: chunk.headings, documentId: name }),
  );
}

const passages = Object.entries(hostile.documents).flatMap(([name, text]) => passagesOf(name, text));

/** What a writer quotes for a sentence: the one that shares most words with it, or that and the next. */
function quotesFor(sentence: string): { source: string; quote: string }[] {
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\d.,-]+/gu) ?? []);
  const wanted = words(sentence);
  const found = passages.flatMap(({ chunkId, text }) =>
    splitSentences(text).map((one, at, all) => {
      const held = words(one);
      const shared = [...held].filter((word) => wanted.has(word)).length;
      return {
        source: chunkId,
        quote: one.trim(),
        both: `${one}${all[at + 1] ?? ""}`.trim(),
        worth: shared / Math.sqrt(held.size),
      };
    }),
  );
  const [best] = found.sort((a, b) => b.worth - a.worth);
  return [
    { source: best!.source, quote: best!.quote },
    { source: best!.source, quote: best!.both },
  ];
}

/** Whether the gate lets all of a draft through. */
async function isSaid(question: string, draft: string, quote?: 0 | 1): Promise<boolean> {
  const job = {
    question,
    persona: "default",
    phrases,
    route: { route: "knowledge", layer: "default", confidence: 1 },
  } as const;
  const gate = new Gate(job, () => 0);
  const sentences = splitSentences(draft).map((one) => one.trim());
  const drafts = async function* (): AsyncGenerator<DraftEvent> {
    yield { type: "passages", passages };
    if (quote === undefined) yield { type: "text", text: draft };
    else for (const text of sentences) yield { type: "claim", text, ...quotesFor(text)[quote]! };
    yield { type: "end", searched: "found", degraded: false };
  };
  let said = "";
  for await (const event of gate.run(drafts())) if (event.type === "text") said += `${event.text} `;
  const flat = (text: string) => text.replace(/\s+/g, " ").trim();
  return sentences.every((one) => flat(said).includes(flat(one)));
}

/** Rows that are known to get through: their figures are read by nobody yet, or their order only by the steps. */
const HOSTILE_SHARE_MAX = 0.03;
const PARAPHRASES_SHARE_MIN = 0.95;

describe.each([["normal", [undefined]] as const, ["quoted", [0, 1]] as const])(
  "drafts, %s",
  (mode, quotes) => {
    const saidWith = async ({ question, draft }: { readonly question: string; readonly draft: string }) => {
      for (const quote of quotes) if (await isSaid(question, draft, quote)) return true;
      return false;
    };

    it("says no hostile one", async () => {
      const said: (typeof hostile.hostile)[number][] = [];
      for (const one of hostile.hostile) if (await saidWith(one)) said.push(one);
      console.log(
        `${mode}: ${said.length} of ${hostile.hostile.length} hostile said: ${said.map(({ id }) => id).join(" ")}`,
      );
      expect(said.filter(({ dangerous }) => dangerous).map(({ id }) => id)).toEqual([]);
      expect(said.length).toBeLessThanOrEqual(hostile.hostile.length * HOSTILE_SHARE_MAX);
    });

    it("assents to no false premise and no crossed limit", async () => {
      const said: string[] = [];
      for (const { id, question, drafts } of hostile.agreeing)
        for (const draft of drafts) if (await saidWith({ question, draft })) said.push(`${id} ${draft}`);
      expect(said).toEqual([]);
    });

    it("says true paraphrases", async () => {
      const refused: string[] = [];
      for (const one of hostile.paraphrases) if (!(await saidWith(one))) refused.push(one.id);
      console.log(
        `${mode}: ${refused.length} of ${hostile.paraphrases.length} paraphrases refused: ${refused.join(" ")}`,
      );
      expect(refused.length).toBeLessThanOrEqual(hostile.paraphrases.length * (1 - PARAPHRASES_SHARE_MIN));
    });
  },
);

/** What was reached when the rules, and then list c, were written; the aim is .95 of either, and nothing dangerous. */
const LISTS = [
  { file: "sentences-a.jsonl", trueMin: 0.76, falseMin: 0.97, dangerousMax: 1 },
  { file: "sentences-d.jsonl", trueMin: 0.43, falseMin: 0.88, dangerousMax: 4 },
  { file: "sentences-c.jsonl", trueMin: 0.29, falseMin: 0.88, dangerousMax: 3 },
];

describe("sentences on thirty passages", () => {
  it.each(LISTS)(
    "of $file: says the true and stops the false",
    ({ dangerousMax, falseMin, file, trueMin }) => {
      const counts = { true: [0, 0], false: [0, 0] };
      let dangerous = 0;
      for (const { title, heading, passage: text, ...row } of rowsOf(file)) {
        const chunks = chunkSections(parseMarkdown(`# ${title}\n\n## ${heading}\n\n${text}\n`), LIMITS);
        const evidence = prepareEvidence(
          chunks.map((chunk, i) => ({
            type: "passage",
            source: `${i}`,
            title,
            headings: chunk.headings,
            text: chunk.text,
          })),
        );
        for (const kind of ["true", "false"] as const)
          for (const one of row[kind]) {
            const { verdict } = checkSentence(one.text, evidence, { question: one.question, said: [] });
            counts[kind][0]! += (verdict === "supported") === (kind === "true") ? 1 : 0;
            counts[kind][1]! += 1;
            if (one.dangerous === true && verdict === "supported") dangerous += 1;
          }
      }
      const share = ([right, all]: readonly number[]) => right! / all!;
      console.log(
        `${file}: true said ${counts.true.join(" of ")}, false stopped ${counts.false.join(" of ")}, dangerous said ${dangerous}`,
      );
      expect(share(counts.true)).toBeGreaterThanOrEqual(trueMin);
      expect(share(counts.false)).toBeGreaterThanOrEqual(falseMin);
      expect(dangerous).toBeLessThanOrEqual(dangerousMax);
    },
  );
});
