/** Whether words for things say nothing besides: "pump two afterwards" is no pump two. Pure. */
import type { Resource } from "../../domain/resource.js";
import type { Grammar } from "../../locale/commands/file.js";
import { FUNCTION_WORDS, LIGHT_WORDS } from "../../words/function-words.js";
import type { Language } from "../../words/polarity.js";
import type { KnownResources } from "../targets/registry.js";
import { ARTICLES, entriesOf } from "../targets/sentence.js";
import { numberByEar, spokenWords } from "../targets/spoken-words.js";

/** Lists whose words may stand around a name. */
const AROUND = ["near", "every", "other", "place", "pronoun", "fault", "joint"] as const;

/**
 * Whether each word that is of no name points, counts, or joins names. `isStrict`: words that only sound like a name do not
 * count as one; else only words that would hold any sentence together are looked at, as the resolver asks for the others.
 */
export function isNamesOnly(
  text: string,
  things: readonly Resource[],
  known: KnownResources,
  grammar: Grammar,
  isStrict: boolean,
): boolean {
  const language = grammar.language as Language;
  const words = spokenWords(text, [language, "en"]);
  const texts = words.map((word) => word.text);
  const around = new Set(
    AROUND.flatMap((list) => entriesOf(grammar, list, texts)).flatMap(({ from, to }) =>
      texts.slice(from, to),
    ),
  );
  const names = new Set(things.flatMap((one) => wordsOfNames(one, known)));
  return words.every(({ kind, text: word }) => {
    if (kind === "number" || around.has(word) || ARTICLES.test(word) || names.has(stem(word))) return true;
    if (isStrict) return false;
    return !(FUNCTION_WORDS.has(word) || LIGHT_WORDS.has(word)) || numberByEar(word, language) !== undefined;
  });
}

/** Of all that it is called, and of where it is. */
function wordsOfNames(resource: Resource, known: KnownResources): readonly string[] {
  const chain = known.chainOf(resource).flatMap(({ names }) => names);
  const all = [...chain, resource.kind, resource.address, known.areaOf(resource) ?? ""];
  return all.flatMap((name) => spokenWords(name, []).map(({ text }) => stem(text)));
}

/** Without the ending of a plural. */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:es|s|en|n|e)$/, "") : word;
}
