/** What the user is said to have said: held against the user's own words, in which a question states nothing. */
import { analyze } from "../../lib/english-analyzer.js";
import { splitSentences } from "../../lib/sentence-end.js";
import type { ClaimStatement } from "./claims.js";

/** The sentence of the user's that says (or asks) what the statement says that it does; undefined when none does. */
export function userSentenceFor({ attribution, content }: ClaimStatement, user: string): string | undefined {
  const said = termsOf(content);
  if (said.length === 0) return undefined;
  return splitSentences(user)
    .map((sentence) => sentence.trim())
    .filter((sentence) => attribution === "asked" || !isQuestion(sentence))
    .find((sentence) => {
      const own = new Set(termsOf(sentence));
      return said.every((term) => own.has(term)) && isDenied(sentence) === isDenied(content);
    });
}

function isQuestion(sentence: string): boolean {
  return (
    /\?["')\]]*$/.test(sentence) ||
    /^(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|what|which|who|where|when|why|how)\b/i.test(
      sentence,
    )
  );
}

const DENIAL = /\b(?:not|never|no|nothing|neither|without|cannot)\b|n['’]t\b/gi;

function isDenied(text: string): boolean {
  return (text.match(DENIAL)?.length ?? 0) % 2 === 1;
}

/** Terms that say something, "my" and "your" being the same. */
function termsOf(text: string): readonly string[] {
  const plain = text
    .replace(DENIAL, " ")
    .replace(/\b(?:i|my|mine|we|our|you|your|yours|me|us|whether|about|please)\b/gi, " ");
  return analyze(plain.replace(/\.service\b/g, ""));
}
