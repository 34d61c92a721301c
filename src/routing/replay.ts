/** Commands about the answer that was just given, which are obeyed from the stored answer without any model. */
import { commandsOf } from "./commands.js";

export type Replay = "repeat" | "source" | "slower";

/** The command that the whole utterance is, given its core; `undefined` when it is anything else, or more. */
export function replayCommand(core: string): Replay | undefined {
  if (SLOWER.test(core)) return "slower";
  if (SOURCE.test(core)) return "source";
  return REPEAT.test(core) ? "repeat" : undefined;
}

/** Each pattern is all that was said. */
export function whole(...patterns: readonly string[]): RegExp {
  return new RegExp(`^(?:${patterns.join("|")})$`);
}

const REPEAT = whole(
  "(?:repeat|replay)(?: (?:that|it|this|again|yourself|everything|the (?:last )?answer|your (?:last )?answer|what you (?:just )?said|the last (?:part|bit|thing)(?: you said)?|the whole thing|all of (?:it|that)))?(?: (?:again|once more|one more time|for me|please|louder))*",
  "(?:say|read)(?: (?:that|it|this))? (?:again|once more|one more time|louder)(?: (?:louder|please))?",
  "say (?:again|what)(?: all)?",
  "(?:again|once again|once more|one more time|one more time please|come again|pardon(?: me)?|what|huh|eh|sorry|sorry what|what what)",
  "(?:sorry )?what (?:was that|did you (?:just )?say|is that again|was that again)(?: again)?",
  "i (?:did not|could not|can not) (?:catch|hear|get|copy|understand) (?:that|it|you|a word|what you said)(?: (?:last (?:one|bit|part)|again|say again|repeat))?",
  "i (?:missed|lost) (?:that|it|the last (?:part|bit|one)|what you said)",
  "(?:you (?:broke|cut) (?:up|out)|did not copy|no copy|negative copy)(?: (?:say again|repeat|again))?",
  "what is that again",
  "(?:me lo )?(?:repite|repita|repetir|repites|repitelo|repitemelo|repitame)(?: (?:eso|lo|esto|la respuesta|lo ultimo|otra vez|de nuevo))*",
  "(?:me lo )?(?:repites|repetirlo|repetirmelo|dices|decirlo|dilo|dimelo|diga)(?: (?:eso|otra vez|de nuevo))+",
  "repetir(?:lo|melo)?",
  "(?:otra vez|de nuevo|una vez mas|como dices|como dijiste|que dijiste|que has dicho|como|que)",
  "no (?:te |lo )?(?:oi|escuche|entendi|pille|he oido|he entendido|he escuchado)(?: (?:bien|eso|nada))?",
  ...commandsOf("repeat"),
);

const SLOWLY = "(?:(?:a (?:bit|little) )?(?:more )?(?:slower|slowly)|slow)";

const SLOWER = whole(
  `(?:a (?:bit|little) )?(?:slower|more slowly|slowly|slow down)(?: (?:a (?:bit|little)|this time|again))?`,
  `(?:say|repeat|read|tell me|give me)(?: (?:that|it|this|everything|the answer))?(?: (?:to me|again|once more|one more time|back))* ${SLOWLY}(?: (?:again|this time))?`,
  `(?:speak|talk|go) (?:a (?:bit|little) )?(?:more )?(?:slower|slowly)`,
  `${SLOWLY} this time`,
  "(?:say|repeat|read)(?: (?:that|it))? (?:again )?(?:but )?slower(?: again)?",
  "(?:you are (?:talking |speaking |going )?|that was |that is )?(?:way )?too (?:fast|quick)(?: for me)?(?: (?:slow down|slower|say (?:it|that) again))?",
  "(?:mas|muy) (?:despacio|lento)",
  "(?:repite|repita|repitelo|repites|repetir|dilo|dimelo|di|decirlo|dices|habla|hable|hablar|ve|vas|puedes ir)(?: (?:eso|lo|otra vez|de nuevo))* (?:un poco )?mas (?:despacio|lento)",
  "(?:hablas|vas|es) (?:muy|demasiado) (?:rapido|deprisa)|demasiado (?:rapido|deprisa)",
  ...commandsOf("slower"),
);

const DOCUMENT = "(?:document|doc|manual|handbook|sheet|page|procedure|source|policy|section|paragraph)";

const SOURCE = whole(
  "(?:what is (?:the|your) |the |your |show (?:me )?(?:the |your )?|give me (?:the |your )?|cite (?:the |your )?|name (?:the |your )?|read (?:me )?the )?sources?(?: (?:for|of) (?:that|this|it))?",
  "what are (?:the|your) sources(?: (?:for|of) (?:that|this|it))?",
  "(?:where|which page|what page) (?:does|did) (?:it|that|the (?:document|manual|handbook|book)) (?:say|said|state|stand) (?:that|this|so|it)",
  "where (?:is|was) (?:that|this|it) (?:from|written|written down|stated|documented)",
  "where (?:does|did) (?:that|this|it) come from",
  "where (?:did|do) you (?:get|read|find|have|see|take) (?:that|this|it)(?: from)?",
  "where have you got that from",
  "how do you know(?: (?:that|this|it))?",
  "(?:says who|who says(?: (?:so|that|it))?|who said (?:so|that)|according to (?:who|whom|what|which document))",
  `(?:in |from |on )?(?:which|what) ${DOCUMENT} (?:is (?:that|this|it)(?: (?:from|in|on))?|was (?:that|this|it)(?: (?:from|in|on))?|says (?:that|this|so|it)|does (?:that|this|it) (?:come|stand) (?:from|in)|did (?:that|this|it) come from|did you (?:get|read|find) (?:that|this|it)(?: (?:from|in))?|are you (?:reading|quoting)(?: from)?)`,
  `(?:from |in )?(?:which|what) ${DOCUMENT}`,
  `what is that based on`,
  "(?:cual es |dime |dame )?(?:la |tu )?fuente(?: (?:de eso|de esto))?",
  "de donde (?:sale|viene|sacas|sacaste|has sacado|es) (?:eso|esto)",
  "(?:en )?donde (?:dice|pone|esta|sale|lo dice|lo pone)(?: (?:eso|esto|escrito))?",
  "(?:en |de )?que (?:documento|manual|pagina|hoja|seccion) (?:dice|pone|esta|sale|es)(?: (?:eso|esto))?",
  "(?:quien|segun quien) (?:lo )?dice(?: eso)?|segun quien",
  ...commandsOf("source"),
);
