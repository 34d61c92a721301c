/** The events of a draft that tell what its sentences may rest on. */

import type { OperationStatement } from "../domain/operation.js";
import type { Passage } from "../domain/passage.js";
import type { Reading } from "../domain/reading.js";
import type { EvidenceText } from "./evidence.js";
import type { ToolReading } from "./readings/facts.js";

export type EvidenceEvent =
  /** Documents that the answer may rest on, all of which the user may read now. */
  | { readonly type: "passages"; readonly passages: readonly Passage[] }
  /**
   * What else it may rest on, such as what the caller attached. `introducedBy` is said once, before the first sentence
   * that rests on it and on no document.
   */
  | {
      readonly type: "evidence";
      readonly texts: readonly EvidenceText[];
      readonly introducedBy?: string;
    }
  /** What was read from the systems of a site; ages count up to this event. `values`: the same as values, for statements. */
  | {
      readonly type: "readings";
      readonly tools: readonly ToolReading[];
      readonly values?: readonly Reading[];
    }
  /** What became of operations; a later one of the same operation and target is how it is now. */
  | { readonly type: "operations"; readonly facts: readonly OperationStatement[] };
