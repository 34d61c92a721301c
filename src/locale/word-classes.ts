/**
 * Words that mean the same to the router: which pump it is does not matter, that it is a machine does. The classifier
 * sees an utterance as these classes too, so that it need not have met every machine and every verb.
 */

const CLASSES: Readonly<Record<string, string>> = {
  machine:
    "valve valves pump pumps compressor compressors conveyor conveyors belt fan fans blower motor motors " +
    "heater heating boiler door doors gate gates shutter shutters barrier light lights lighting lamp " +
    "alarm alarms buzzer siren horn breaker freezer fridge cooler chiller chillers cooling room oven " +
    "fryer mixer press line lines server servers service vm container containers backup printer router " +
    "wifi unit machine machines robot agv crane hoist hook hvac ac thermostat damper tank tanks silo " +
    "hopper generator charger chargers camera sensor sensors lift elevator dock leveller burner agitator " +
    "feeder sprinkler sprinklers plc ups extractor exhaust ventilation vent radiator wrapper labeller " +
    "palletizer baler compactor dishwasher washer dryer turbine scrubber lathe saw drive till display " +
    "screen node database switch zone system interlock panel forklift forklifts truck slicer cleaner " +
    "detector scale filler packer meter gauge tap toaster grill bomba bombas valvula valvulas compresor " +
    "cinta ventilador puerta luz luces alarma alarmas camara horno caldera maquina maquinas congelador " +
    "calefaccion servidor prensa batidora mezcladora extractor tanque linea impresora ascensor " +
    "montacargas bascula",
  measure:
    "temperature temp pressure level speed humidity flow rate load voltage amps amperage rpm reading " +
    "readings value battery draw weight vibration ph oxygen co2 output throughput count position current " +
    "power fuel uptime memory cpu disk queue status state temperatura presion nivel velocidad estado " +
    "humedad caudal carga lectura bateria",
  state:
    "running working on off open opened closed shut locked unlocked online offline up down full empty " +
    "armed charging charged faulted tripped stopped started idle busy warm cold hot ready clear cleared " +
    "finished reached free occupied active healthy connected jammed encendida encendido apagada apagado " +
    "abierta abierto cerrada cerrado parada parado paradas parados funcionando lleno llena vacio vacia " +
    "activa activas",
  order:
    "open close shut start stop restart reboot reset turn switch power kill raise lower increase decrease " +
    "reduce dim lock unlock silence mute acknowledge ack enable disable activate deactivate arm disarm " +
    "put set drain fill purge bleed boost ramp pause resume hold release trip bypass isolate move send " +
    "bring block cut run scale load print reprint book order call let trigger change swap slow speed drop " +
    "make get flush preheat warm cool crank buzz dismiss delete roll unblock reverse home halt clear " +
    "connect disconnect notify report order reorder ship scrap apply engage abre cierra arranca para " +
    "apaga enciende reinicia activa desactiva pon sube baja silencia desbloquea bloquea vacia llena " +
    "cambia imprime llama resetea deten apagalo enciendelo",
  edit:
    "build create write draft record add insert remove rename save publish edit update design crea anade " +
    "guarda haz prepara",
  now: "now currently moment present today yet already still actually live ahora actualmente hoy ya todavia sigue",
  norm:
    "must should shall may supposed allowed required requirement need needs maximum minimum max min limit " +
    "normal normally usually ideal recommended correct safe legal permitted debe deberia permitido " +
    "permitida maximo maxima minimo minima normalmente",
  account:
    "quota usage plan plans subscription invoice invoices bill billing account accounts credit credits " +
    "token tokens request requests api licence licences license licenses licensed seats trial contract " +
    "tier workspace organisation organization project payment spend spent spending charged charge cost " +
    "costs dashboard budget storage vat overage cap fee cuota uso suscripcion factura facturas creditos " +
    "cuenta consumo peticiones gasto pago pagamos contrato",
  document:
    "procedure procedures checklist flow round inspection diagnosis guide manual handbook sheet policy " +
    "document instructions protocol sop walkthrough tree template procedimiento guia lista manual hoja " +
    "documento norma",
  step: "step steps next previous paso pasos siguiente anterior",
  lead: "walk talk guide take lead coach train teach troubleshoot diagnose acompaname guiame llevame ayudame",
  with: "with together conmigo",
  language:
    "english spanish french german polish portuguese italian arabic turkish romanian ukrainian vietnamese " +
    "dutch hindi ingles espanol castellano frances aleman polaco",
  saying:
    "say said saying mean meant means explain repeat rephrase reword translate summarize summarise " +
    "simplify shorten answer answered words sentence point told mention mentioned understand spell " +
    "pronounce phrase dijiste decir dilo explica explicalo significa entiendo entendi resume traduce",
  shape:
    "shorter simpler longer clearer slower simple short detail brief summary corto simple sencillo breve claro",
  courtesy:
    "thanks thank cheers hello hi hey bye morning night great perfect nice ok okay sure alright " +
    "understood gracias hola adios vale perfecto buenas buenos",
  question: "what which cual cuales que",
  manner: "how como",
  place: "where donde",
  time: "when cuando often long soon until",
  person: "who whom whose quien quienes",
  reason: "why porque",
  is: "is are was were be been am esta estan es son hay era",
  did: "do does did has have had hace hizo tiene",
  can: "can could puedo puede puedes podemos se",
  me: "i me we us my our mine he she they yo mi nosotros nuestra nuestro nos",
  you: "you your yours tu te usted",
  it: "it that this these those them one ones eso esto esa ese",
  not: "not no never none nothing nunca",
  part: "and then so but if or before after while during without y luego si antes despues mientras sin",
  hazard:
    "fire smoke spill burn burned burnt hurt injured injury accident cut blood eye eyes ammonia gas leak " +
    "leaking chemical chemicals acid descaler bleach emergency evacuation fainted broken quemadura fuego " +
    "incendio amoniaco ojo ojos herida lejia derrame",
  gear:
    "gloves goggles helmet vest shoes boots coat jewellery ring earbuds harness ladder extinguisher kit " +
    "bag bin permit badge form guantes casco botas escalera extintor permiso bata",
  people:
    "customer customers driver drivers visitor visitors colleague person people somebody someone anybody " +
    "manager leader aider cliente clientes persona personas companero jefe",
  number:
    "0 one two three four five six seven eight nine ten uno dos tres cuatro cinco seis siete ocho nueve diez",
};

const CLASS_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(CLASSES).flatMap(([name, words]) => words.split(" ").map((word) => [word, name])),
);

/** The class of a word in lower case without accents; `undefined` for words that are about something. */
export function wordClass(word: string): string | undefined {
  return CLASS_OF.get(word);
}
