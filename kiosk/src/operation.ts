/** An operation on a page: what was read back, how much may go wrong, and each thing's state before and after. */
import { newElement } from "./dom.js";
import type { Operation } from "./state.js";
import { filled, type Strings } from "./strings.js";

/** What is worth showing of it, in the page's language. */
export function operationParts({ calls, challenge, readback, risk_level }: Operation, strings: Strings) {
  const states = document.createElement("ul");
  for (const { after, before, name, outcome, wanted } of calls) {
    const values = { name, before, wanted, after: after ?? strings.no_reading };
    const came = outcome === undefined ? [] : [strings[`outcome_${outcome}`]];
    states.append(newElement("li", [filled(strings.thing_state, values), ...came].join(" · ")));
  }
  const word = challenge === undefined ? [] : [filled(strings.challenge, { word: challenge })];
  const risk = [strings[`risk_${risk_level}`], ...word].join(" · ");
  return [newElement("p", readback), newElement("p", risk), states];
}
