/** Values for tests of evaluations: answers, rows, and whoever answers from a list. */
import type { Answer, AnswerClaim } from "../../src/domain/answer.js";
import type { AnswerReport } from "../../src/domain/answer-report.js";
import { type Passage, PROSE } from "../../src/domain/passage.js";
import type { Answerer, Speaker } from "../../src/evaluation/answerer.js";
import type { DataSetRow } from "../../src/evaluation/data-set.js";

export function passageOf(sourceFile: string, text: string, rest: Partial<Passage> = {}): Passage {
  return {
    chunkId: `chunk of ${sourceFile}`,
    documentId: `document ${sourceFile}`,
    title: sourceFile,
    supersedes: [],
    sourceFile,
    headings: [],
    position: 0,
    kind: PROSE,
    text,
    highlights: [],
    score: 1,
    access: { network: "acme", visibility: "network", allowedUsers: [], allowedGroups: [] },
    alsoIn: [],
    ...rest,
  };
}

/** A sentence that was said, resting on a passage. */
export function claimOf(text: string, passage: Passage, rest: Partial<AnswerClaim> = {}): AnswerClaim {
  const evidence = [{ type: "passage", source: passage.chunkId, value: passage.text }] as const;
  return { text, verdict: "supported", evidence, reasons: [], confidence: 0.9, said: true, ...rest };
}

export function answerOf(text: string, rest: Partial<Answer> = {}): Answer {
  return {
    outcome: "answered",
    route: { route: "knowledge", layer: "default", confidence: 1 },
    text,
    spoken: text,
    queries: [],
    passages: [],
    claims: [],
    uncertainties: [],
    confidence: 0.9,
    degraded: false,
    ...rest,
  };
}

export const NOT_FOUND = answerOf("I can't find that in your documents.", { outcome: "not_in_documents" });

export function reportOf(answer: Answer, rest: Partial<AnswerReport> = {}): AnswerReport {
  return {
    answer,
    sources: [],
    timingsMs: { search: 2, total: 5 },
    usage: { inputTokens: 10, outputTokens: 3 },
    ...rest,
  };
}

export function failureOf(code: NonNullable<AnswerReport["failure"]>["code"]): AnswerReport {
  const usage = { inputTokens: 0, outputTokens: 0 };
  return {
    answer: undefined,
    failure: { code, error: `it was ${code}` },
    sources: [],
    timingsMs: {},
    usage,
  };
}

export function rowOf(id: string, rest: Partial<DataSetRow> = {}): DataSetRow {
  return {
    id,
    category: "answerable",
    turns: [`question ${id}`],
    username: "maria",
    groups: [],
    features: [],
    expected: { mustSay: [], mustNotSay: [] },
    ...rest,
  };
}

export interface ListedQuestion extends Speaker {
  readonly text: string;
  /** Which conversation it is part of, from 0. */
  readonly conversation: number;
}

/** Answers each question by its text, and keeps what was asked. */
export class ListedAnswerer {
  readonly asked: ListedQuestion[] = [];
  /** Conversations that are not closed. */
  readonly open = new Set<number>();
  #opened = 0;

  constructor(
    private readonly reports: (
      question: ListedQuestion,
      signal: AbortSignal,
    ) => AnswerReport | Promise<AnswerReport>,
  ) {}

  readonly answer: Answerer = (speaker) => {
    const conversation = this.#opened++;
    this.open.add(conversation);
    return {
      ask: async (text, signal) => {
        const question = { ...speaker, text, conversation };
        this.asked.push(question);
        return this.reports(question, signal);
      },
      close: async () => {
        this.open.delete(conversation);
      },
    };
  };

  /** How often each text was asked. */
  get counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { text } of this.asked) counts[text] = (counts[text] ?? 0) + 1;
    return counts;
  }
}
