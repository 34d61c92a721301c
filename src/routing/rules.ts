/**
 * The second layer: what is certain from the words alone, in code and not in a prompt. A rule that hesitates says
 * nothing; the classifier comes after it. Rules name capabilities, since routes are configuration.
 */
import { commandsOf } from "./commands.js";
import type { Capability } from "./options.js";
import type { Route } from "./routes.js";
import type { Utterance } from "./utterance.js";

/** The capability that the rules see in an utterance, or `undefined`. */
export function ruledCapability(message: string, said: Utterance): Capability | undefined {
  if (hasUsageData(message)) return "platform";
  if (OWN_ACCOUNT.test(said.text) && !HANDBOOK.test(said.text)) return "platform";
  if (isGuide(said)) return "guide";
  if (RESTATE.test(said.core)) return "conversational";
  if (isOperate(said)) return "operate";
  if (isCheck(said)) return "check";
  return isKnowledge(said) ? "knowledge" : undefined;
}

/** RC-01: the route one of whose prefixes the message begins with, the longest winning; words are not cut. */
export function routeByPrefix(routes: readonly Route[], message: string): Route | undefined {
  const text = message.trimStart().replace(/\s+/g, " ").toLowerCase();
  let found: { readonly route: Route; readonly length: number } | undefined;
  for (const route of routes) {
    for (const prefix of route.prefixes) {
      const { length } = prefix;
      if (length > (found?.length ?? 0) && beginsWith(text, prefix.toLowerCase().replace(/\s+/g, " ")))
        found = { route, length };
    }
  }
  return found?.route;
}

function beginsWith(text: string, prefix: string): boolean {
  if (!text.startsWith(prefix)) return false;
  const wordGoesOn = /[\p{L}\p{N}]/u;
  return !(wordGoesOn.test(prefix.at(-1) ?? "") && wordGoesOn.test(text[prefix.length] ?? ""));
}

/** What a platform meters; a plant has usage and consumption of its own, so that these alone mean nothing. */
const METERED =
  "(?:quota|cuota|project usage|api (?:calls?|requests?|usage|key)|(?:monthly|daily|plan|account|billing|token|request|storage|rate) (?:usage|limit|allowance|quota)|tokens?|credits?|creditos|requests?|llamadas|peticiones|seats?|licen[cs]es?|subscription|suscripcion)";
const UNIT = "\\s?(?:%|percent|por ciento|k\\b|m\\b)?";
const FIGURE = `\\d[\\d.,]*${UNIT}`;

const USAGE_DATA: readonly RegExp[] = [
  /(?:quota|usage|credits?|tokens?|requests?|billing|balance|seats?|calls)\w{0,40}["']?\s*[:=]\s*["']?\d/i,
  new RegExp(`\\b(?:usage|used|remaining) percent(?:age)?\\b[^.?!]{0,30}${FIGURE}`, "i"),
  new RegExp(
    `\\d[.,]*${UNIT}\\s?(?:of|from|de|del)\\s(?:your|my|our|the|his|tu|mi|su|la)?\\s?${METERED}`,
    "i",
  ),
  new RegExp(
    `\\b${METERED}\\b[^.?!\\n]{0,24}?(?:is|are|at|of|used|left|reached|esta|:|=)\\s?(?:at\\s)?${FIGURE}\\s?(?:%|percent|of|out of|\\/)`,
    "i",
  ),
  new RegExp(`(?<![\\w.,])[.,]*\\d[\\d.,]*k?\\s?(?:\\/|of|out of|de)\\s?\\d[\\d.,]*k?\\s${METERED}`, "i"),
];

/** RC-02: the message itself carries figures of a meter or a quota. */
export function hasUsageData(message: string): boolean {
  const text = message.slice(0, DATA_CHARS_MAX);
  return USAGE_DATA.some((pattern) => pattern.test(text));
}

const DATA_CHARS_MAX = 2_000;

const OWN_ACCOUNT =
  /\b(?:(?:my|our|mi|mis|nuestra) (?:\w+ )?(?:quota|usage|billing|bill|invoices?|plan limits?|subscription|credits|api keys?|api calls|tokens?|account|tenant|workspace|licen[cs]es?|seats|cuota|factura|facturas|suscripcion|creditos|consumo de tokens|cuenta)|(?:which|what) (?:plan|tier|subscription) (?:am i|are we|do i have|do we have)|api (?:calls|requests|quota)|token (?:usage|consumption|quota))\b/;

/** Things of the shop floor that share a word with accounts. */
const HANDBOOK = /\b(?:bank|customer s? ?account|gift|energy|water|fuel|electric(?:ity)?|gas|accident)\b/;

const PROCEDURE =
  "(?:procedure|guide|walkthrough|checklist|troubleshooting(?: (?:tree|guide|session))?|steps|instructions|runbook|protocol|flow ?chart|decision tree|work ?flow|sop)";

const GUIDE: readonly RegExp[] = [
  /^(?:walk|talk|guide|take|lead|coach|step|run|bring|help) (?:me|us|him|her|them|the new guy|[a-z]+) (?:step by step )?(?:through|thru)\b/,
  /^(?:give me |start )?(?:a )?(?:walk ?through|walkthru) (?:of|for|on)\b/,
  /^(?:guide|coach) (?:me|us)\b/,
  /^(?:do|go through|go over|let us do|let us go through) .{1,60}\b(?:step by step|one step at a time|together|with me)$/,
  /\b(?:step by step|one step at a time|one by one) (?:with me|please)?$/,
  new RegExp(
    `^(?:build|create|make|write|draft|set up|put together|design|author|record|start building)(?: me| us)? (?:a |an |the |new |our |another )*(?:\\w+ ){0,4}${PROCEDURE}\\b`,
  ),
  new RegExp(
    `^(?:start|begin|resume|open|launch|continue|restart|run|pick up)(?: (?:me|with))? (?:the |my |our |a |that |this )*(?:\\w+ ){0,4}${PROCEDURE}(?: (?:for|of|on|at|in|again|from|where) .{1,60}|s| again)?$`,
  ),
  /^(?:next|next (?:one|step|please|item|point)|the next step|go to (?:the )?next(?: step)?|(?:ok |okay |that is |all )*(?:(?<!well )done|finished|completed|checked)(?: (?:with (?:that|it|this|step \w+)|it|that))?(?: (?:and )?(?:next|what is next|next step|now what|what now))?|what is (?:the )?next(?: step)?|what (?:is|was) (?:the )?(?:step|next one)|step done|got it next|ready(?: for the next(?: one| step)?)?|(?:and )?now what)$/,
  /^(?:(?:go |take (?:me |it )?|one )?(?:step |a step )back|back(?: up)? (?:a|one) step|go back(?: (?:a|one|to (?:the )?(?:last|previous)) ?(?:step|one)?)?|previous(?: step| one)?|(?:go )?back to step \w+|last step again|(?:repeat|read|say)(?: me)? (?:the (?:last|previous|current) step|(?:that|this) step|step (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))(?: again)?|(?:skip|jump|go)(?: to)? (?:this step|that step|step \w+)|skip (?:it|that|this)(?: one)?|(?:which|what) step (?:am i|are we|is this|is it|are we at|am i at)(?: (?:on|at|in|now))*|where (?:was|were|am|are) (?:i|we)(?: (?:in the (?:steps|procedure|guide|checklist)|again))?|how many steps(?: (?:are )?(?:left|to go|remain|are left|more|are there))?|pause (?:the )?(?:guide|procedure|checklist)|(?:stop|end|quit|exit|leave|finish|close) (?:the |this )?(?:guide|procedure|checklist|walkthrough))$/,
  /^(?:guiame|guianos|acompaname|llevame|llevanos|ayudame) (?:paso a paso|con los pasos|en|por|para|a|con)\b/,
  /\bpaso a paso$/,
  /^(?:siguiente|siguiente paso|el siguiente(?: paso)?|proximo paso|paso (?:anterior|siguiente)|vuelve (?:atras|un paso)|un paso atras|atras|listo(?: siguiente| ya)?|hecho(?: siguiente)?|ya esta(?: siguiente)?|repite el (?:ultimo )?paso(?: \w+)?|en que paso (?:estoy|estamos|voy)|cuantos pasos (?:faltan|quedan)|que paso sigue|que sigue)$/,
  /^(?:crea|haz|prepara|construye|arma|empieza|inicia|comienza)(?:me)? (?:un|una|el|la) (?:procedimiento|guia|lista|checklist|diagnostico)\b/,
];

function isGuide({ text, core }: Utterance): boolean {
  return GUIDE.some((pattern) => pattern.test(core) || pattern.test(text));
}

const LANGUAGE =
  "(?:english|spanish|french|german|polish|portuguese|italian|arabic|turkish|romanian|ukrainian|vietnamese|dutch|hindi|ingles|espanol|castellano|frances|aleman|polaco|portugues)";
const LAST_ANSWER =
  "(?:(?:that|it|this|your (?:last )?answer|the (?:last )?answer|what you (?:just )?said)(?: (?:again|all|for me|to me))?)";

const RESTATE = new RegExp(
  `^(?:${[
    `(?:translate|say|repeat|give me|tell me|read|put|explain|write|and)(?: ${LAST_ANSWER}| me)? (?:in(?:to)?|to|back in) ${LANGUAGE}(?: (?:please|again|instead|now))?`,
    `(?:in|and in) ${LANGUAGE}(?: please)?`,
    `(?:how (?:do|would) (?:you|i) say (?:that|it|this) in ${LANGUAGE})`,
    `(?:make|keep|say|give|put|tell|explain|have|get) (?:me )?${LAST_ANSWER} (?:a (?:bit|little) |much |more )?(?:shorter|simpler|briefer|clearer|longer|simply|briefly|in (?:a |one |fewer |two |three |simple |plain |other |your own |short )+(?:words?|sentences?|lines?|english)|in short|differently|another way|(?:in )?a (?:different|simpler|shorter) way|in a nutshell)`,
    `(?:shorten|summari[sz]e|simplify|rephrase|reword|paraphrase|sum up|boil down|condense|translate) ${LAST_ANSWER}(?: (?:please|up|down))?`,
    `(?:shorter|simpler|in short|in other words|in plain english|in simple words|in one sentence|the short version|short version|too long|too complicated|that is too (?:long|complicated|much)|too much information|less detail|more detail)(?: (?:please|version))?`,
    `what (?:do|did) you mean(?: (?:by|with) .{1,60}| exactly)?`,
    `(?:what (?:does|did) (?:that|it|this) (?:mean|even mean)|meaning what|meaning)(?: exactly| in plain english)?`,
    `i (?:do not|did not) (?:understand|get|follow)(?: (?:it|that|you|what you mean|the last part|the answer))?`,
    `(?:(?:many |ok |great |perfect |good |nice |awesome |cool )?(?:thanks|thank you|cheers|thx|ta|much appreciated|appreciate it)(?: (?:a lot|so much|very much|mate|man|buddy|for (?:that|the help|your help)|again|that (?:is|was) (?:all|it|great|helpful|what i needed)|i am good|bye|have a good one))*)`,
    `(?:hi|hello|hey|hey there|hi there|good (?:morning|afternoon|evening|night|day)|morning|howdy|bye|goodbye|see you|see you (?:later|tomorrow))(?: (?:readback|assistant|there|everyone|team|buddy|mate))?`,
    `how are you(?: (?:doing|today))*`,
    `(?:hola|buenas|buenos dias|buenas (?:tardes|noches)|adios|hasta luego|(?:muchas |mil )?gracias(?: por (?:todo|la ayuda))?)`,
    `(?:mas (?:corto|breve|simple|sencillo|claro)|en (?:pocas|otras) palabras|resume(?:lo|melo)?(?: eso)?|resumen|traduce(?:lo|melo)?(?: eso)?(?: al ${LANGUAGE})?|en ${LANGUAGE}|(?:dilo|dimelo|repitelo|ponlo|explicalo|explicamelo)(?: (?:otra vez|de nuevo))? (?:en ${LANGUAGE}|mas (?:corto|simple|sencillo|facil|claro|breve)|de otra (?:forma|manera)|con otras palabras)|que (?:quieres|quisiste) decir(?: con .{1,60})?|que significa eso|a que te refieres|no entiendo|no entendi|explicamelo mejor)`,
    ...commandsOf("restate"),
  ].join("|")})$`,
);

/** What a site system has and a person can order about. */
const EQUIPMENT =
  "(?:valves?|pumps?|compressors?|conveyors?|belts?|fans?|blowers?|motors?|heaters?|heating|boilers?|doors?|gates?|shutters?|lights?|lighting|lamps?|alarms?|buzzers?|sirens?|horns?|breakers?|freezers?|cold rooms?|coolers?|cooling|chillers?|ovens?|fryers?|mixers?|presses|press|lines?|servers?|services?|vms?|containers?|backups?|printers?|routers?|wifi|units?|machines?|robots?|cranes?|hoists?|hvac|ac|aircon|air conditioning|thermostats?|set ?points?|dampers?|tanks?|silos?|hoppers?|generators?|chargers?|cameras?|lifts?|elevators?|docks?|dock levell?ers?|burners?|agitators?|feeders?|sprinklers?|plc|ups|extractors?|exhaust|ventilation|vents?|radiators?|sensors?|pallet wrappers?|wrappers?|labell?ers?|palletizers?|balers?|compactors?|dishwashers?|washers?|dryers?|turbines?|filters?|scrubbers?|lathes?|mills?|saws?|cutters?|drives?|inverters?|tills?|kiosks?|displays?|screens?|nodes?|databases?|switches|zones?|system|interlocks?|bombas?|valvulas?|compresor(?:es)?|cintas?|ventilador(?:es)?|puertas?|luz|luces|alarmas?|camaras?|hornos?|caldera|maquinas?|motor(?:es)?|portones|porton|congelador|calefaccion|servidor(?:es)?|prensa|mezcladora|extractor|tanque)";
const NUMBERED = "(?:\\b[a-z]{1,3} ?\\d{1,4}\\b|\\b(?:number|no|numero) \\d+)";
const THING = new RegExp(`\\b${EQUIPMENT}\\b|${NUMBERED}`);

const COMMAND =
  /^(?:(?:re)?start(?: up)?|stop|open(?: up)?|close|shut(?: (?:off|down))?|turn (?:on|off|up|down|the|it|them|that|this|all|both|both of)|switch (?:on|off|over|the|it|them|that|this|all|both)|power (?:on|off|up|down|cycle)|reboot|reset|enable|disable|activate|deactivate|arm|disarm|lock(?! ?out)|unlock|silence|mute|acknowledge|ack|clear the|set(?! ?points?\b)|raise|lower|increase|decrease|reduce|dim|run the|kill|fire up|bring (?:up|down)|put the|put|trip|bypass|purge|fill|drain|vent|boost|ramp (?:up|down)|pause the|resume the|abre|abrir|cierra|cerrar|arranca|arrancar|deten|para|parar|apaga|apagar|enciende|encender|prende|reinicia|reiniciar|activa|activar|desactiva|desactivar|pon|poner|sube|subir|baja|bajar|silencia|silenciar|desbloquea|bloquea)\b/;

/** Words that turn an order into a question, a condition or the name of a document. */
const NO_ORDER =
  /\b(?:how|what|when|where|why|who|which|whose|before|after|while|during|if|unless|until|without|than|or|should|must|may|allowed|supposed|need|needs|have to|has to|procedure|guide|checklist|manual|document|doc|sheet|instructions|policy|steps|form|report|ticket|page|section|file|permit|hours|sundays?|saturdays?|means?|again and again|said|says|like|into|como|cuando|donde|que|quien|cual|antes|despues|mientras|si|procedimiento|guia|manual|horario|pasos)\b/;

function isOperate({ text, core }: Utterance): boolean {
  if (!COMMAND.test(core) || NO_ORDER.test(core)) return false;
  if (/^(?:can|may|could|should) (?:i|we)\b|^(?:do not|never|no|y para)\b/.test(text)) return false;
  return (
    THING.test(core) ||
    /^(?:turn|switch|shut|power) (?:it|them|that|this|both|(?:on|off) (?:it|them|that|this)) ?(?:on|off|down|up)?/.test(
      core,
    )
  );
}

const NOW =
  /\b(?:right now|now|currently|at (?:the|this) (?:moment|minute)|at present|live|this (?:minute|second|instant)|ahora(?: mismo)?|en este momento|actualmente|actual)\b/;
const MEASURED =
  "(?:temperatures?|temp|pressure|level|speed|status|state|humidity|flow|flow rate|load|voltage|amps|amperage|rpm|readings?|value|queue length|battery|power draw|weight|vibration|ph|oxygen|co2|output|throughput|temperatura|presion|nivel|velocidad|estado|humedad|caudal|carga|lectura)";
const MEASURE = new RegExp(`\\b${MEASURED}\\b`);
/** What should be and not what is; what a document says; what somebody is to do. */
const NORM =
  /\b(?:must|should|shall|may|supposed|allowed|required|requirements?|need|needs|recommended|maximum|minimum|max|min|limits?|normal(?:ly)?|usual(?:ly)?|always|never|ideal|correct|right temperature|target|set ?point for|safe|legal|ok to|okay to|when|if|before|after|how do|how to|how can|how should|how does|why|procedure|policy|manual|document|revision|version|handbook|sheet|checklist|rules?|mean|means|debe|deberia|deben|maxima?|minima?|permitid[oa]|hay que|cuando|antes|despues|procedimiento|normalmente|siempre)\b/;
const STATE =
  "(?:running|working|on|off|open|opened|closed|shut|locked|unlocked|online|offline|up|down|full|empty|armed|disarmed|charging|charged|faulted|tripped|alarming|in alarm|in fault|stopped|started|idle|busy|hot|cold|energi[sz]ed|connected|reachable|healthy|in auto|in manual|enabled|disabled|jammed|still (?:\\w+))";

const CHECK: readonly RegExp[] = [
  new RegExp(
    `^(?:is|are|check (?:if|whether|that)|see (?:if|whether)|look (?:if|whether)|verify(?: that)?|confirm(?: that)?)\\b.{0,60}\\b(?:${EQUIPMENT}|${NUMBERED})\\b.{0,40}\\b${STATE}(?: (?:right now|now|currently|at the moment|again|yet|already|today|properly))*$`,
  ),
  new RegExp(
    `^(?:check|read|get|show|report|give me|pull up|look at)(?: me| us| up)? (?:the |current |live |actual |latest )*(?:\\w+ ){0,2}${MEASURED} (?:of|in|on|at|from|for) .{1,60}`,
  ),
  new RegExp(
    `^(?:what is the |what is |give me the |report )?(?:current |live |actual )*(?:status|state) (?:of|on) .{0,40}(?:${EQUIPMENT}|${NUMBERED})`,
  ),
  new RegExp(`(?:${EQUIPMENT}|${NUMBERED})(?: \\w+)? status$`),
  /^(?:esta|estan) .{0,50}\b(?:abiert[oa]s?|cerrad[oa]s?|encendid[oa]s?|apagad[oa]s?|funcionando|en marcha|parad[oa]s?|bloquead[oa]s?|llen[oa]|vaci[oa])\b/,
  /^a que (?:temperatura|presion|velocidad|nivel) esta\b/,
];

function isCheck({ core, text }: Utterance): boolean {
  if (NORM.test(core) || /\b(?:my|mine|our|your|you)\b/.test(text.replace(/^(?:can|could|would) you /, "")))
    return false;
  if (CHECK.some((pattern) => pattern.test(core))) return true;
  return (
    NOW.test(core) &&
    /^(?:what|how|which|is|are|show|give|read|check|cual|cuanta?|que|como)\b/.test(core) &&
    MEASURE.test(core)
  );
}

const KNOWLEDGE =
  /^(?:how (?:do|should|would|can|must) (?:i|we|you|one|they)|how to|how (?:long|often|many|much|far|high|hot|cold|warm|deep|heavy|fast|soon) (?:do|does|must|should|can|may|is allowed|are we allowed|am i allowed|has to|have to)|(?:what|which) \w+(?: \w+){0,3} (?:must|should|(?:do i|do we) (?:need|have to|use|wear|put|take|call|open|close|check|fill|sign|press|turn|start)|are required|is required|is needed|are needed)|what (?:do|should|must) (?:i|we) (?:do |wear|use|check|need|say|put|bring|tell|write)|what (?:is|are) the (?:\w+ ){0,3}(?:procedure|policy|rules?|limits?|steps|requirements?|maximum|minimum|max|min|allowed|difference)|what happens (?:if|when)|who (?:do|should|must|may|can) (?:i|we)|who (?:may|must|has to|is allowed to|needs to|is responsible|signs)|am i allowed|are we allowed|may (?:i|we)|should (?:i|we)|must (?:i|we)|do (?:i|we) (?:need|have) to|when (?:do|should|must|may|can) (?:i|we)|where (?:do|should|must|can) (?:i|we)|why (?:do|must|should|can not) (?:i|we)|what does the (?:manual|handbook|policy|procedure|sheet|document|book) say|according to the (?:manual|handbook|policy|procedure)|como (?:se|debo|puedo|tengo|hay|[a-z]{2,}o (?:el|la|los|las|un|una))\b|que (?:hago|debo|tengo que|hay que) |cada cuanto|cuanto tiempo (?:debo|hay|tengo|se|debe)|a quien (?:debo|tengo|hay|aviso|llamo)|cual es (?:el|la) (?:procedimiento|limite|maxim|minim|politica|norma|regla)|cuando (?:debo|hay que|tengo|se debe)|donde (?:debo|tengo|se|hay que))/;

/** What makes a question about something else than the documents, or about what was said. */
const NOT_DOCUMENTS =
  /\b(?:right now|currently|ahora mismo|at the moment|account|usage|quota|billing|invoice|subscription|plan limit|credits?|tokens?|api|upgrade|you said|you say|you mean|did you|shorter|again|english|spanish|french|german|polish|ingles|espanol|next|walk me|step by step|so far|cuenta|factura|cuota|suscripcion)\b/;

function isKnowledge({ core, text }: Utterance): boolean {
  return (KNOWLEDGE.test(core) || KNOWLEDGE.test(text)) && !NOT_DOCUMENTS.test(text);
}
