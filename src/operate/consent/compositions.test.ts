/**
 * Five thousand replies of each language, put together by chance from a seed: denials, remarks, hesitation and unknown
 * words around a consent. What holds a denial is never taken for a consent; what is nothing but a consent and was not
 * taken for one is counted and printed.
 */
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../lib/random.js";
import { CHALLENGE_WORDS } from "../../locale/challenge.js";
import { listsOf, writtenGrammars } from "../../locale/commands/samples.test-util.js";
import { wordsOf } from "../../locale/commands/words.js";
import { commands } from "../../routing/commands.js";
import { judgeReply } from "./judge.js";

const EACH = 5_000;
const SIGNS = [" ", " ", " ", ", ", "... ", " — ", "! "];

interface Composition {
  readonly parts: readonly string[];
  readonly level: "plain" | "challenge";
  readonly verdict: "approved" | "denied" | "not_approved";
}

describe.each(writtenGrammars)("in $language", (grammar) => {
  const { language } = grammar;
  const random = seededRandom(16);
  const some = <T>(of: readonly T[]) => of[Math.floor(random.fraction() * of.length)]!;
  const lists = listsOf(grammar);
  const from = (list: string) => some(lists[`consent_${list}`]!);
  const known = new Set(
    Object.entries(lists).flatMap(([name, entries]) =>
      name.startsWith("consent_") ? entries.flatMap((one) => wordsOf(one).map(({ text }) => text)) : [],
    ),
  );
  /** Words of everything else that can be said in this language. */
  const unknown = [
    ...new Set(
      Object.values(lists)
        .flat()
        .flatMap((one) => wordsOf(one).map(({ text }) => text)),
    ),
  ].filter((word) => !known.has(word));
  const words = CHALLENGE_WORDS.get(language)!;
  const word = some(words);
  const phrase = () => `${from("confirm")} ${word}`;
  const hesitation = () => Array.from({ length: Math.floor(random.fraction() * 3) }, () => from("filler"));
  const denial = () => from(some(["stop", "wait", "no"]));
  const anything = () => Array.from({ length: Math.floor(random.fraction() * 3) }, () => some(unknown));

  const COMPOSED: readonly (() => Composition)[] = [
    () => ({ level: "challenge", verdict: "approved", parts: [...hesitation(), phrase(), ...hesitation()] }),
    () => ({ level: "challenge", verdict: "approved", parts: [from("yes"), ...hesitation(), phrase()] }),
    () => ({ level: "challenge", verdict: "approved", parts: [phrase(), from("aside"), ...anything()] }),
    () => ({ level: "plain", verdict: "approved", parts: [...hesitation(), from("yes"), ...hesitation()] }),
    () => ({
      level: "challenge",
      verdict: "denied",
      parts: [denial(), ...anything(), some(unknown), phrase()],
    }),
    () => ({
      level: "challenge",
      verdict: "denied",
      parts: [phrase(), ...anything(), denial(), ...anything()],
    }),
    () => ({
      level: "challenge",
      verdict: "denied",
      parts: [phrase(), from("aside"), ...anything(), denial()],
    }),
    () => ({ level: "challenge", verdict: "denied", parts: [from("aside"), denial(), phrase()] }),
    () => ({
      level: "challenge",
      verdict: "denied",
      parts: [from("undecided"), denial(), ...hesitation(), phrase()],
    }),
    () => ({
      level: "plain",
      verdict: "denied",
      parts: [...hesitation(), from("yes"), ...anything(), denial(), from("yes")],
    }),
    () => ({ level: "plain", verdict: "denied", parts: [from("yes"), from("undecided"), denial()] }),
    () => ({
      level: "challenge",
      verdict: "not_approved",
      parts: [...hesitation(), from("yes"), ...hesitation()],
    }),
    () => ({
      level: "challenge",
      verdict: "not_approved",
      parts: [from("confirm"), some(words.filter((one) => one !== word))],
    }),
    () => ({ level: "challenge", verdict: "not_approved", parts: [phrase(), some(unknown), ...anything()] }),
    () => ({ level: "challenge", verdict: "not_approved", parts: [some(unknown), phrase()] }),
    () => ({ level: "challenge", verdict: "not_approved", parts: [from("confirm"), some(unknown), word] }),
    () => ({
      level: "challenge",
      verdict: "not_approved",
      parts: [phrase(), from("aside"), from("doubt"), ...anything()],
    }),
    () => ({ level: "plain", verdict: "not_approved", parts: [from("yes"), some(unknown), ...anything()] }),
    () => ({
      level: "plain",
      verdict: "not_approved",
      parts: [from("undecided"), from("yes"), ...hesitation()],
    }),
    () => ({ level: "plain", verdict: "not_approved", parts: [...hesitation(), from("filler")] }),
  ];

  it(`takes no denial and nothing unexplained for a consent, of ${EACH} compositions`, () => {
    const rejected: string[] = [];
    const accepted: string[] = [];
    const notDenied: string[] = [];
    let consents = 0;
    for (let i = 0; i < EACH; i++) {
      const { level, parts, verdict } = COMPOSED[i % COMPOSED.length]!();
      const text = parts.reduce((said, part) => `${said}${some(SIGNS)}${part}`);
      const languages = random.fraction() < 0.5 ? [language] : commands.grammars.map((one) => one.language);
      const judged = judgeReply(text, {
        level,
        languages,
        ...(level === "challenge" ? { challenge: word } : {}),
      });
      if (verdict === "approved") consents++;
      if (verdict === "approved" && judged.verdict !== "approved") rejected.push(`${text} (${judged.why})`);
      if (verdict !== "approved" && judged.verdict === "approved") accepted.push(text);
      if (verdict === "denied" && judged.verdict !== "denied") notDenied.push(`${text} (${judged.why})`);
    }
    console.log(`${language}: ${rejected.length} of ${consents} consents rejected`, rejected.slice(0, 5));
    expect(accepted).toEqual([]);
    expect(notDenied).toEqual([]);
    // What only consents is rejected where two of its pieces are, side by side, another phrase.
    expect(rejected.length).toBeLessThan(0.05 * consents);
  });
});
