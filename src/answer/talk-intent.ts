/** What a turn wants that is about the conversation itself, as far as its words tell without a model. Pure. */

export type TalkIntent =
  | "greeting"
  | "thanks"
  | "goodbye"
  /** Wants nothing more to be said. */
  | "stop"
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

const COURTESIES: ReadonlySet<TalkIntent> = new Set(["greeting", "thanks", "goodbye", "stop"]);

/** "Okay, … please": says nothing of its own, as long as something is left. */
const PADDING =
  /^(?:(?:ok|okay|please|well|now|and|so|great|perfect|bitte|por favor|s'il (?:te|vous) plaît|proszę|будь ласка) )+(?=\p{L})| (?:please|bitte|por favor|now|s'il (?:te|vous) plaît|svp|proszę|будь ласка)$/gu;

/** All that was said. */
function whole(...parts: readonly string[]): RegExp {
  return new RegExp(`^(?:${parts.join("|")})$`, "u");
}

/** Words somewhere in it; `\b` knows the letters of English alone. */
function within(...parts: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join("|")})(?![\\p{L}\\p{N}])`, "u");
}

const LANGUAGES =
  "(?:english|german|spanish|french|italian|portuguese|polish|turkish|dutch|russian|arabic|chinese|romanian|ukrainian|deutsch|englisch|spanisch|französisch|polnisch|türkisch|ukrainisch|español|inglés|ingles|francés|frances|alemán|aleman|polaco|ucraniano|français|anglais|allemand|espagnol|polonais|ukrainien)";

/** In order: the first that fits counts. What is small talk has to be all that was said. */
const INTENTS: readonly (readonly [TalkIntent, RegExp])[] = [
  [
    "greeting",
    whole(
      "(?:(?:hi|hello|hey|howdy|greetings|hallo|moin|servus|bonjour|bonsoir|salut|hola|ciao|good (?:morning|afternoon|evening|day)|grüß gott|guten (?:morgen|tag|abend)|buen(?:os|as) (?:dias|días|tardes|noches)|buenas|cześć|hej|witam|witaj|dzień dobry|dobry wieczór|привіт|вітаю|добрий (?:день|ранок|вечір)|доброго (?:дня|ранку|вечора)))(?: (?:there|readback|everyone|everybody|team|again|all|assistant))*",
    ),
  ],
  [
    "thanks",
    whole(
      "(?:(?:many |a thousand )?thanks?(?: (?:you|a lot|a million))?|cheers|thank you(?: (?:very|so) much)?|much appreciated)(?: (?:readback|again|for (?:that|this|it|your help|the help)|mate|all))*",
      "(?:(?:alles klar )?danke(?: (?:schön|sehr|dir|ihnen|dafür|für die hilfe))*|dankeschön|(?:vielen|besten|herzlichen|schönen) dank)(?: readback)?",
      "(?:mille |grand )?merci(?: (?:beaucoup|bien|à (?:toi|vous)|pour (?:ça|tout|l'aide)|readback))*",
      "(?:muchas |mil )?gracias(?: (?:por (?:todo|la ayuda|eso)|readback))*",
      "(?:bardzo |serdecznie )?(?:dziękuję|dziekuje|dzięki|dzieki)(?: (?:bardzo|wielkie|ci|za pomoc|readback))*",
      "(?:дуже |щиро |велике )?(?:дякую|спасибі)(?: (?:дуже|тобі|вам|за (?:це|допомогу)|readback))*",
    ),
  ],
  [
    "goodbye",
    whole(
      "(?:bye(?: bye)?|good ?bye|good night|see you(?: later)?|over and out|signing off|tschüss|tschau|auf wieder(?:sehen|hören)|bis (?:später|dann|morgen|bald)|gute nacht|au revoir|à (?:bientôt|plus tard|demain)|bonne (?:journée|soirée|nuit)|adieu|adiós|adios|hasta (?:luego|mañana|pronto)|do (?:widzenia|usłyszenia|zobaczenia)|na razie|pa|dobranoc|до (?:побачення|зустрічі)|бувай(?:те)?|на добраніч)(?: (?:readback|everyone|all|then|later))*",
    ),
  ],
  [
    "stop",
    whole(
      "(?:no |ok |okay )?(?:stop(?: (?:it|that|there|talking|reading|now))?|cancel(?: (?:it|that))?|abort|never ?mind|forget (?:it|that)|(?:be )?quiet|silence|enough|that's enough|shut up|wait|hold on|not now|not yet|leave it)",
      "(?:para|basta|detente|espera|espere|cancela|cancelar|cancélalo|cancelalo|déjalo|dejalo|olvídalo|olvidalo|silencio|cállate|callate|ahora no|todavía no|ya basta)",
      "(?:arrête(?:z)?(?:-| )?(?:toi|vous)?|arrete|annule[rz]?|laisse(?:z)?(?: tomber)?|oublie(?:z)?|tais toi|taisez vous|silence|attends|attendez|pas maintenant|pas encore|ça suffit|c'est bon)",
      "(?:stopp|halt|aufhören|hör auf|hören sie auf|abbrechen|abbruch|brich ab|brechen sie ab|sei still|ruhe|warte|warten sie|moment|einen moment|vergiss es|vergessen sie es|lass(?:en sie)? (?:es|das)|schon gut|egal|nicht jetzt|noch nicht|(?:es|das) reicht|genug)",
      "(?:stój|zatrzymaj(?: się)?|przestań|przerwij|anuluj|cisza|cicho|czekaj|poczekaj|zaczekaj|chwila|chwileczkę|nieważne|zapomnij|zostaw|nie teraz|jeszcze nie|dość|wystarczy)",
      "(?:стоп|стій|зупинись|зупиніться|зупини|припини|припиніть|перестань|досить|годі|тихо|тиша|почекай(?:те)?|зачекай(?:те)?|хвилинку|скасуй(?:те)?|неважливо|забудь(?:те)?|не зараз|ще ні)",
    ),
  ],
  [
    "translate",
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?:translat|übersetz|tradu[czi]|przetłumacz|przełóż|переклад|перекласти)|${
        within(
          `(?:in|into|to|auf|ins|en|al) ${LANGUAGES}`,
          "(?:po|na) (?:angielsku|polsku|niemiecku|hiszpańsku|francusku|ukraińsku|angielski|polski|niemiecki|hiszpański|francuski|ukraiński)",
          "(?:англійською|українською|польською|німецькою|іспанською|французькою)",
        ).source
      }`,
      "u",
    ),
  ],
  [
    "shorter",
    within(
      "short(?:er|en)?|brief(?:er|ly)?|concise(?:ly)?|condense|summar(?:y|i[sz]e)|tl ?dr|in short|in a nutshell|the gist|in (?:one|a|a single) (?:sentence|word)|sum (?:it|that|this) up|boil (?:it|that) down",
      "kürzer|kurz|zusammenfass\\p{L}*|fass(?:e|en)? (?:sie )?(?:das|es) zusammen",
      "más (?:corto|breve)|mas (?:corto|breve)|en pocas palabras|resum\\p{L}*",
      "plus court|raccourcis|résum\\p{L}*|en bref|brièvement",
      "krócej|krótko|krócej|w skrócie|podsumuj|podsumowanie|streść",
      "коротше|коротко|стисло|підсумуй(?:те)?|підсумок",
    ),
  ],
  [
    "meaning",
    within(
      "what (?:do|did|does|exactly do|exactly did) (?:you|that|this|it) mean|what (?:is|was) meant|mean by (?:that|this|it)|meaning of (?:that|this)|how (?:do|did) you mean|clarify|explain (?:that|this|it|yourself|what you)",
      "was (?:meinst|meinen|heißt|bedeutet)|wie (?:meinst|meinen)",
      "qu[eé] (?:quieres decir|quisiste decir|significa)",
      "que (?:veux tu|voulez vous) dire|ça veut dire quoi|qu'est ce que (?:ça|cela) (?:veut dire|signifie)",
      "co (?:to|masz przez to) (?:znaczy|oznacza|na myśli)|co masz na myśli",
      "що це (?:означає|значить)|що (?:ти маєш|ви маєте) на увазі",
    ),
  ],
  [
    "continue",
    whole(
      "(?:(?:can|could) you )?(?:continue|go (?:on|ahead)|carry on|keep (?:going|on|talking)|proceed|more|(?:tell|give) me more|say more|anything else|what else|what(?:'s| is| comes)? next|next(?: (?:step|one|part))?|(?:and )?then(?: what)?|the rest|the next (?:step|one|part)|read on)(?: (?:please|then|with (?:that|it|the (?:steps|list|procedure))))*",
      "weiter(?:machen|lesen|sprechen)?|(?:mach|lies|sprich|geh) weiter|(?:machen|lesen|sprechen) sie weiter|und (?:dann|weiter)|wie geht es weiter|mehr|(?:der )?nächste[rn]? schritt",
      "contin[uú]a|contin[uú]e|continuar|sigue|siga|siguiente(?: paso)?|(?:el )?siguiente paso|prosiga|y (?:luego|después|despues)|más|adelante",
      "continue[rz]?(?: s'il te plaît)?|poursuis|poursuivez|(?:et )?(?:la )?suite|et (?:après|ensuite|puis)|(?:l')?étape suivante",
      "dalej|kontynuuj|(?:mów|czytaj|idź) dalej|(?:i )?co (?:dalej|potem)|a potem|więcej|następny(?: krok)?",
      "далі|продовжуй(?:те)?|продовжити|(?:і |а )?що далі|[аі] далі|а потім|більше|наступний(?: крок)?",
    ),
  ],
];
