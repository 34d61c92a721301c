/**
 * Words that turn what a sentence says into something else: negations, modals, exceptions, quantities, order, and
 * opposites. Texts that differ in one of them never count as near-duplicates. A word too many here keeps two passages
 * apart that could have been one; a word too few hides an instruction. Of two opposites one is enough: "in" and "out".
 * Besides English the negations and modals of the languages that share its alphabet and are most common on sites.
 */
import { cardinalWords, NUMBER_WORDS } from "../words/number-words.js";

const list = (words: string): readonly string[] => words.split(" ");

export const DECIDING_WORDS: ReadonlySet<string> = new Set([
  // Negation and exception.
  ...list(
    "not no non never none nobody nothing nor neither either without except excluding unless only but instead",
  ),
  ...list("barely hardly avoid lest cannot"),
  // Permission, duty, possibility.
  ...list("must may might shall should can could will would ought need needs needed needn dare"),
  ...list("required require requires requirement mandatory optional optionally recommended voluntary"),
  ...list("allowed allow allows permitted permit permits authorised authorized unauthorised unauthorized"),
  ...list(
    "forbidden forbid prohibited prohibit refuse refused deny denied accept accepted approved rejected",
  ),
  ...list("possible impossible able unable valid invalid true false yes"),
  // Quantity and comparison.
  ...list("all every each any some both half double twice once single many few least most more less fewer"),
  ...list(
    "over under above below exceed exceeds minimum maximum min max up down higher lower greater smaller",
  ),
  ...cardinalWords("en"),
  ...NUMBER_WORDS.en.ordinals.keys(),
  "last",
  ...list("daily weekly monthly quarterly yearly annually hourly always sometimes rarely often seldom"),
  // Order and condition.
  ...list("before after until till while during then next previous if when whenever immediately later now"),
  // Opposites of handling.
  ...list(
    "on off open opens opened opening close closes closed closing shut left right clockwise anticlockwise",
  ),
  ...list("counterclockwise start started starting stop stopped stopping out inside outside"),
  ...list(
    "increase increases increased decrease decreases decreased raise raised reduce reduced tighten loosen",
  ),
  ...list("tightened loosened enable enabled disable disabled lock locked unlock unlocked connect connected"),
  ...list(
    "disconnect disconnected insert remove removed add added install installed uninstall attach detach",
  ),
  ...list(
    "fill drain empty full hot cold wet dry live dead safe unsafe danger dangerous harmless normal abnormal",
  ),
  ...list("positive negative high low fast slow front back rear top bottom upper push pull forward reverse"),
  ...list(
    "or inlet outlet inbound outbound input output north south east west morning evening day night am pm",
  ),
  // Negations and modals of German, French, Spanish, Italian, Portuguese, Dutch, Polish.
  ...list(
    "nicht kein keine keinen keinem keiner nie niemals niemand nichts ohne außer muss müssen darf dürfen soll",
  ),
  ...list(
    "sollen kann können nur ne pas jamais aucun aucune sans sauf doit doivent peut peuvent interdit seulement",
  ),
  ...list(
    "nunca jamás nadie nada sin salvo debe deben puede pueden prohibido sólo solo mai nessuno senza tranne deve",
  ),
  ...list(
    "devono può possono vietato não sem exceto devem pode podem proibido niet geen nooit zonder behalve moet",
  ),
  ...list(
    "moeten mag mogen kan kunnen verboden alleen nie nigdy bez oprócz musi muszą może mogą wolno tylko",
  ),
]);
