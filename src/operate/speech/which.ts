/** "Pump two or pump three?": a question back about things, and what may be chosen. Pure. */
import type { Option } from "../../domain/dialogue.js";
import type { Resource } from "../../domain/resource.js";
import type { Locale } from "../../locale/locale.js";
import { sentence } from "./statements.js";

/** Things that one question names. */
export const ASKED_MAX = 4;

export function whichOf(
  between: readonly Resource[],
  locale: Locale,
): { readonly text: string; readonly options: readonly Option[] } {
  const options = between
    .slice(0, ASKED_MAX)
    .map(({ id, names }): Option => ({ words: names[0], means: { type: "resource", id } }));
  const words = options.map((one) => one.words);
  const said = { first: words.slice(0, -1).join(", "), second: words.at(-1)! };
  return { text: sentence(locale.say("which_said", said)), options };
}
