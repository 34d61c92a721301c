/** Questions that a user could ask and would be answered: what may be read decides, as it does for an answer. */
import { SUGGEST_MS_MAX, SUGGESTIONS_COUNT, type Suggestions } from "../answer/suggestions.js";
import { NOTHING_OPEN } from "../domain/dialogue.js";
import { type BasisDeps, basisOf } from "./basis.js";
import type { BoundedWork } from "./bounded-work.js";
import type { Overview } from "./overview.js";
import { choosePersona } from "./persona.js";

export interface SuggestDeps extends BasisDeps {
  readonly suggestions: Suggestions;
}

export function createSuggest(deps: SuggestDeps, work: BoundedWork): Overview["suggest"] {
  return (request, signal, count = SUGGESTIONS_COUNT) =>
    work.run(request.user, "the suggestions", SUGGEST_MS_MAX, signal, async (within) => {
      const { access, locale } = await basisOf({ ...request, text: "" }, NOTHING_OPEN, deps, within);
      const persona = choosePersona(request);
      return (await deps.suggestions.suggest({ access, persona, locale, count }, within)).questions;
    });
}
