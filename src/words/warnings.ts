/** What a warning calls itself by, in the six languages. */
import { pattern } from "../lib/pattern.js";

/** A sentence that begins with such a word and a mark behind it: "Danger: …", "ACHTUNG! …". */
export const WARNING = pattern("iu")`
  ^(?:⚠|\uFE0F|[\s*_>])*(?:warning|danger|caution|attention|warnung|gefahr|vorsicht
  |achtung|avertissement|prudence|advertencia|peligro|atención|precaución|ostrzeżenie
  |niebezpieczeństwo|uwaga|попередження|небезпека|увага)\s*[:!.,–—-]
`;
