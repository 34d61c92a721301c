/** What a turn wants that is about the conversation itself, as far as its words tell without a model. Pure. */

export type TalkIntent =
  | "greeting"
  | "thanks"
  | "goodbye"
  | "continue"
  | "shorter"
  | "meaning"
  | "translate"
  /** In other words, or anything else about the answer before. */
  | "rephrase";

/** The intent of a whole utterance. */
export function talkIntent(utterance: string): TalkIntent {
  const words = utterance
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[^\p{L}\p{N}']+/gu, " ")
    .trim()
    .replace(PADDING, "");
  return INTENTS.find(([, pattern]) => pattern.test(words))?.[0] ?? "rephrase";
}

/** Whether a message is small talk and nothing else. */
export function isCourtesy(utterance: string): boolean {
  return COURTESIES.has(talkIntent(utterance));
}

const COURTESIES: ReadonlySet<TalkIntent> = new Set(["greeting", "thanks", "goodbye"]);

/** "Okay, … please": says nothing of its own, as long as something is left. */
const PADDING =
  /^(?:(?:ok|okay|please|well|now|and|so|great|perfect|bitte|por favor) )+(?=\p{L})| (?:please|bitte|por favor|now)$/gu;

const list = (...parts: readonly string[]) => parts.join("|");

/** In order: the first that fits counts. What is small talk has to be all that was said. */
const INTENTS: readonly (readonly [TalkIntent, RegExp])[] = [
  [
    "greeting",
    new RegExp(
      `^(?:${list(
        "(?:hi|hello|hey|howdy|greetings|hallo|moin|servus|bonjour|salut|hola|ciao|radio check)",
        "good (?:morning|afternoon|evening|day)",
        "guten (?:morgen|tag|abend)",
        "buen(?:os|as) (?:dias|días|tardes|noches)",
      )})(?: (?:there|readback|everyone|everybody|team|again|all|assistant))*$`,
      "u",
    ),
  ],
  [
    "thanks",
    new RegExp(
      `^(?:${list(
        "(?:many |a thousand )?thanks?(?: (?:you|a lot|a million))?",
        "cheers",
        "thank you(?: (?:very|so) much)?",
        "danke(?: (?:schön|sehr|dir))?",
        "vielen dank",
        "merci(?: beaucoup)?",
        "(?:muchas )?gracias",
        "much appreciated",
      )})(?: (?:readback|again|for (?:that|this|it|your help|the help)|mate|all))*$`,
      "u",
    ),
  ],
  [
    "goodbye",
    /^(?:bye(?: bye)?|good ?bye|good night|see you(?: later)?|over and out|signing off|tschüss|auf wiedersehen|au revoir|adiós|adios|hasta luego)(?: (?:readback|everyone|all|then|later))*$/u,
  ],
  [
    "translate",
    /\btranslat|\bübersetz|\btradu[czi]|\b(?:in|into|to|auf|en|al) (?:english|german|spanish|french|italian|portuguese|polish|turkish|dutch|russian|arabic|chinese|romanian|ukrainian|deutsch|englisch|spanisch|französisch|polnisch|türkisch|español|inglés|ingles|francés|frances|alemán|aleman|français|anglais|allemand|espagnol)\b/u,
  ],
  [
    "shorter",
    /\b(?:short(?:er|en)?|brief(?:er|ly)?|concise(?:ly)?|condense|summar(?:y|i[sz]e)|tl ?dr|in short|in a nutshell|the gist|in (?:one|a|a single) (?:sentence|word)|sum (?:it|that|this) up|boil (?:it|that) down|kürzer|kurz|zusammenfass\p{L}*|más corto|resum\p{L}*|plus court)\b/u,
  ],
  [
    "meaning",
    /\b(?:what (?:do|did|does|exactly do|exactly did) (?:you|that|this|it) mean|what (?:is|was) meant|mean by (?:that|this|it)|meaning of (?:that|this)|how (?:do|did) you mean|clarify|explain (?:that|this|it|yourself|what you)|was (?:meinst|meinen|heißt|bedeutet)|qué (?:quieres decir|significa)|que (?:quieres decir|significa)|que veux tu dire)\b/u,
  ],
  [
    "continue",
    /^(?:(?:can|could) you )?(?:continue|go (?:on|ahead)|carry on|keep (?:going|on|talking)|proceed|more|(?:tell|give) me more|say more|anything else|what else|what(?:'s| is| comes)? next|next(?: (?:step|one|part))?|(?:and )?then(?: what)?|the rest|the next (?:step|one|part)|read on|weiter|mach weiter|nächster schritt|continúa|continua|sigue|siguiente|continue(?: s'il te plaît)?|suite)(?: (?:please|then|with (?:that|it|the (?:steps|list|procedure))))*$/u,
  ],
];
