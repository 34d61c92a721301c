/**
 * Replies with what they mean, written by somebody who had not seen the rules: `test/fixtures/consent/`. Of half b only sums
 * are printed, and nobody opens it. Every false consent fails; how many true ones are heard, and denials, has a floor.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judgeReply } from "../../src/operate/consent/judge.js";

interface Row {
  readonly text: string;
  readonly language: string;
  readonly level: "plain" | "challenge";
  readonly challenge: string | null;
  readonly verdict: "approved" | "denied" | "unclear";
}

function rowsOf(half: string): readonly Row[] {
  const text = readFileSync(new URL(`../fixtures/consent/${half}.jsonl`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

/** Of those rows, how many our judge agrees with. */
const share = (rows: readonly { readonly isRight: boolean }[]) =>
  `${rows.filter(({ isRight }) => isRight).length}/${rows.length}`;

describe.each([
  { half: "a", approvedMin: 135, deniedMin: 132 },
  { half: "b", approvedMin: 119, deniedMin: 107 },
])("half $half", ({ approvedMin, deniedMin, half }) => {
  const judged = rowsOf(half).map((row) => {
    const { challenge, language, level, text, verdict } = row;
    const { verdict: ours, why } = judgeReply(text, {
      level,
      languages: [language],
      ...(challenge === null ? {} : { challenge }),
    });
    return { ...row, ours, why, isRight: ours === verdict };
  });
  const wanting = (verdict: Row["verdict"], rows = judged) => rows.filter((row) => row.verdict === verdict);

  it("holds no false consent, and most of the true ones", () => {
    const wrongConsents = judged.filter(({ ours, verdict }) => ours === "approved" && verdict !== "approved");
    const languages = [...new Set(judged.map(({ language }) => language))];
    for (const language of languages) {
      const own = judged.filter((row) => row.language === language);
      const falseConsents = wrongConsents.filter((row) => row.language === language).length;
      const shares = (["approved", "denied", "unclear"] as const).map(
        (one) => `${one} ${share(wanting(one, own))}`,
      );
      console.log(`${half} ${language}: ${shares.join(", ")}; false consents ${falseConsents}`);
    }
    expect(wrongConsents.length).toBe(0);
    expect(wanting("approved").filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(approvedMin);
    expect(wanting("denied").filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(deniedMin);
  });
});
