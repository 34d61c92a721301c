/** The table of spoken approvals, with a word that has to be confirmed and without. The README says where it is from. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judgeReply, type ReplyJudgement } from "../../src/operate/consent/judge.js";

interface Row {
  readonly text: string;
  readonly verdict: string;
}

const TABLE = JSON.parse(
  readFileSync(new URL("spoken_approval_cases.json", import.meta.url), "utf8"),
) as Readonly<Record<"challenge_utterances" | "plain_utterances", readonly Row[]>>;

/** What a verdict of the table asks of ours. */
const MEANS: Readonly<Record<string, (judged: ReplyJudgement) => boolean>> = {
  approved: ({ verdict }) => verdict === "approved",
  denied: ({ verdict }) => verdict === "denied",
  no_match: ({ verdict }) => verdict === "unclear",
  wrong_word: ({ verdict, why }) => verdict === "unclear" && why === "other_word",
  near_miss: ({ verdict, why }) => verdict === "unclear" && why === "other_word",
  not_denied: ({ verdict }) => verdict !== "denied",
  not_consent: ({ verdict }) => verdict !== "approved",
  skip: ({ verdict }) => verdict === "unclear",
  not_an_answer: ({ verdict }) => verdict === "unclear",
};

/** Rows that we judge differently, and why. */
const DIFFERS: Readonly<Record<string, string>> = {
  "cancel meeting":
    "Who says cancel while a change waits may mean it: the change is given up, and can be asked for again.",
};

const CASES = [
  ...TABLE.challenge_utterances.map((row) => ({
    ...row,
    asked: { level: "challenge", challenge: "tango" } as const,
  })),
  ...TABLE.plain_utterances.map((row) => ({ ...row, asked: { level: "plain" } as const })),
];

/** As a recogniser without punctuation writes it. */
const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}' ]+/gu, " ");

describe.each(CASES)("$text: $verdict", ({ asked, text, verdict }) => {
  it.each([text, bare(text)])("%s", (said) => {
    const judged = judgeReply(said, { ...asked, languages: ["en-US"] });
    expect(MEANS[verdict]!(judged), JSON.stringify(judged)).toBe(DIFFERS[text] === undefined);
  });
});
