/** Answers that need nothing looked up: a phrase, or a question back. */
import { type Capability, USUAL_LIMITS } from "../capability/capability.js";
import type { DraftEnd } from "../capability/draft.js";
import type { Option } from "../domain/dialogue.js";

/** Asks the user something, with what may be answered. */
export function asksBack(question: string, options: readonly Option[] = []): Capability {
  return says(question, { outcome: "ambiguous", options });
}

/** Says a phrase. */
export function says(
  text: string,
  end: Pick<DraftEnd, "outcome" | "options"> = { outcome: "answered" },
): Capability {
  return {
    name: "phrase",
    limits: USUAL_LIMITS,
    async *draft() {
      yield { type: "phrase", text };
      yield { type: "end", searched: "not_needed", degraded: false, ...end };
    },
  };
}
