/** Whether a message speaks of what its caller attached: only then is that used (EDITOR / NO_EDITOR of the reference). */
import type { AttachedContext } from "../domain/turn.js";
import type { Capability } from "./options.js";

/** What a caller attached, by kind: the router never sees the contents. */
export interface AttachedKinds {
  /** A selection, or the text that is open. */
  readonly text: boolean;
  /** Figures of the calling platform, or who the user is to it. */
  readonly platform: boolean;
}

export function attachedKinds(context: AttachedContext | undefined): AttachedKinds {
  const { selectedText = "", editorContent = "", extraContext = "", userInfo = {} } = context ?? {};
  return {
    text: selectedText.trim() !== "" || editorContent.trim() !== "",
    platform: extraContext.trim() !== "" || Object.keys(userInfo).length > 0,
  };
}

export function usesAttached(text: string, attached: AttachedKinds, capability: Capability): boolean {
  if (capability === "platform") return attached.platform;
  return (attached.text && refersToText(text)) || (attached.platform && REFERS_TO_DATA.test(text));
}

/** A message about the text that the user has before them, rather than about an answer: given normalized. */
export function refersToText(text: string): boolean {
  return REFERS_TO_TEXT.test(text);
}

const TEXT_NOUN =
  "(?:code|text|selection|selected|highlighted|snippet|function|method|class|script|block|paragraph|passage|section|sentence|line|lines|part|page|file|document|doc|list|table|message|email|letter|report|note|notes|draft|form|sheet|error|log|query|command|screen|procedure|codigo|texto|seleccion|funcion|parrafo|seccion|linea|lineas|archivo|documento|fragmento|parte|pagina|lista|tabla|informe)";

const REFERS_TO_TEXT = new RegExp(
  [
    `\\b(?:this|these|esta|este|estas|estos) (?:\\w+ )?${TEXT_NOUN}\\b`,
    `\\b(?:selected|highlighted|marked|attached|open|opened|current) ${TEXT_NOUN}\\b`,
    "\\b(?:my|the|our|mi|el|la) (?:selection|editor|highlight|attachment|screen|open file|seleccion|editor|archivo abierto)\\b",
    "\\b(?:what|that|the part|the bit|the text|lo que|the lines?) (?:i|he|we) (?:have )?(?:selected|marked|highlighted|pasted|attached|wrote|sent|copied|seleccione|marque|pegue)\\b",
    "\\b(?:this|these|esto|estos) (?:mean|means|do|does|say|says|work|works|hace|significa|dice|funciona)\\b",
    "\\b(?:this|esto|these)(?: (?:please|for me|in (?:simple|plain|other|your own) words|in english|in spanish|shorter|to (?:me|english|spanish|german|french)|into \\w+|por favor|al ingles|al espanol))?$",
    "\\b(?:que|como) (?:hace|significa|dice|funciona) esto\\b",
    "\\b(?:wrong|missing|happening|going on|written|mal|falta) (?:here|in here|with this|aqui)\\b",
  ].join("|"),
);

const REFERS_TO_DATA =
  /\b(?:this|these|the|attached|estos|los|my) (?:data|figures|numbers|metrics|values|context|details|stats|statistics|datos|cifras|metricas)\b/;
