/** States as a site's systems write them, in one word of ours, and how they compare with what was asked. Pure. */
import { relationOf, stateOf } from "../../grounding/readings/vocabulary.js";
import { wordSet } from "../../lib/word-set.js";
import type { Locale } from "../../locale/locale.js";

/** The state that a value is, as `locales/` names it: "ACTIVE (running)" is `running`, and "not running" is itself. */
export function stateNamed(value: string | boolean): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  const words = (value.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !SINCE.has(word));
  const states = words.map((word) => (FAULT.has(word) ? "failed" : stateOf(word)?.family));
  return states.includes(undefined) ? words.join(" ") : (states.at(-1) ?? value);
}

/** In prose they are nouns; as a value, they are a state. */
const FAULT: ReadonlySet<string> = new Set(["fault", "faulted", "error", "tripped"]);
/** Words for how long it has been so. */
const SINCE = wordSet(
  "for since about an a ago second seconds minute minutes hour hours day days week weeks month months",
);

/** In the language of the answer; a state that it has no word for is said as the system writes it. */
export function stateInWords(value: string | boolean, locale: Locale): string {
  const texts = locale.group("state");
  const name = stateNamed(value);
  return texts[name] ?? texts[name.replaceAll(" ", "_")] ?? String(value);
}

/** Whether what was read is the state that was asked about; undefined: neither follows from the other. */
export function isInState(value: string | boolean, asked: string): boolean | undefined {
  const name = stateNamed(value);
  if (name === asked) return true;
  const [claimed, known] = [stateOf(asked), stateOf(name)];
  if (claimed === undefined || known === undefined) return undefined;
  const relation = relationOf(claimed, known);
  return relation === "open" ? undefined : relation === "same";
}
