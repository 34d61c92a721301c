/** What a site has, by name, for somebody who asks what can be checked. Pure. */
import type { Locale } from "./locale.js";

/** Things that are named. */
export const NAMED_MAX = 5;

/** "You can ask me how these are: pump one, tank one, and 12 more." `names`: one at the least. */
export function canCheck(names: readonly string[], locale: Locale): string {
  const more = names.length - NAMED_MAX;
  const said = { names: names.slice(0, NAMED_MAX).join(", ") };
  return more > 0
    ? locale.say("check_can_more", { ...said, count: String(more) })
    : locale.say("check_can", said);
}
