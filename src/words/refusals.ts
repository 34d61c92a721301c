/** The words in which a writer says, in the other languages, that it does not know or that the documents do not say. */

const DOCUMENTS = {
  es: "(?:documentos?|documentación|manual(?:es)?|fuentes?|pasajes?|textos?|procedimientos?)",
  fr: "(?:documents?|documentation|manuels?|sources?|passages?|textes?|procédures?)",
  de: "(?:dokumente?n?|dokumentation|unterlagen|handb(?:uch|ücher)n?|quellen?|passagen?|texte?n?|abschnitte?n?)",
  pl: "(?:dokument(?:y|ach|acja|acji)?|instrukcj[aeęi]|źródł[ao]|tekst(?:y|ach)?|fragment(?:y|ach)?)",
  uk: "(?:документ(?:и|ах|ація|ації)?|інструкці[яїю]|джерела|текст(?:и|ах)?|уривк(?:и|ах))",
};

const PATTERNS: readonly string[] = [
  // Spanish
  "no (?:lo |la |los |las |le )?(?:sé|encuentro|encontré|puedo (?:encontrar|confirmar" +
    "|responder|contestar|decir|saber|ver|buscar)(?:lo|la)?|he (?:podido )?encontra(?:do|r)" +
    "|tengo (?:\\p{L}+ )?(?:información|datos))",
  `${DOCUMENTS.es} (?:\\p{L}+ ){0,3}?no (?:lo |la )?(?:dicen?|mencionan?|indican?` +
    "|especifican?|contienen?|incluyen?|explican?|responden?|aclaran?|tratan?|cubren?)",
  "no hay (?:\\p{L}+ )?(?:información|datos|nada)(?: (?:sobre|en|de|acerca))",
  `no (?:se (?:menciona|indica|especifica|encuentra)|aparece|figura|está)(?: \\p{L}+){0,2}? en (?:los|sus|tus|la|el) ${DOCUMENTS.es}`,
  // French
  "je n['’e] ?(?:\\p{L}+ )?(?:trouve|sais|peux|vois|dispose|ai|suis)(?: \\p{L}+)? (?:pas|rien|aucune?)",
  `${DOCUMENTS.fr} (?:\\p{L}+ ){0,3}?n['’e] ?(?:en |l['’]|le |y )?(?:disent|dit` +
    "|mentionnent?|indiquent?|précisent?|contien(?:t|nent)|donnent?|expliquent?" +
    "|répond(?:ent)?|parlent?) (?:pas|rien|aucune?)",
  "il n['’]y a (?:pas|rien|aucune?)(?: \\p{L}+){0,3} (?:information|indication|à ce sujet|dans (?:les|vos|le))",
  // German
  "(?:ich (?:finde|fand|weiß|kann|habe)|(?:finde|fand|weiß|kann|habe) ich)(?:,? [\\p{L}']+){0,6}? (?:nicht|nichts|keine?n?)",
  `${DOCUMENTS.de} (?:\\p{L}+ ){0,3}?(?:enthalten|enthält|sagen|sagt|nennen|nennt|erwähnen` +
    "|erwähnt|beantworten|beschreiben|beschreibt|geben|gibt|steht|stehen)(?: \\p{L}+){0,4}? " +
    "(?:nicht|nichts|keine?n?)",
  "(?:steht|stehen|finde[nt]|findet sich)(?: \\p{L}+){0,3}? (?:nicht|nichts) " +
    `(?:\\p{L}+ ){0,2}?in (?:den|ihren|deinen|euren|dem|der) ${DOCUMENTS.de}`,
  "(?:gibt es|es gibt|liegen mir|habe ich) (?:\\p{L}+ ){0,2}?(?:keine|nichts)(?: \\p{L}+)? ?(?:informationen?|angaben?|hinweise?)",
  // Polish
  "nie (?:znajduję|znalazł[ea]m|znaleziono|wiem|mogę (?:\\p{L}+ )?(?:znaleźć|potwierdzić" +
    "|odpowiedzieć|powiedzieć|przeszukać)|mam (?:\\p{L}+ )?(?:informacji|danych)" +
    "|udało (?:mi )?się znaleźć)",
  `${DOCUMENTS.pl} (?:\\p{L}+ ){0,3}?nie (?:mówi(?:ą)?|podaj(?:ą|e)|zawiera(?:ją)?` +
    "|wspomina(?:ją)?|określa(?:ją)?|odpowiada(?:ją)?|wyjaśnia(?:ją)?)",
  `(?:brak|nie ma) (?:\\p{L}+ ){0,2}?(?:informacji|danych|odpowiedzi)|w ${DOCUMENTS.pl} nie ma|nie ma (?:\\p{L}+ ){0,2}?w ${DOCUMENTS.pl}`,
  // Ukrainian
  "не (?:знаходжу|знайш(?:ов|ла)|знайдено|знаю|можу (?:\\p{L}+ )?(?:знайти|підтвердити" +
    "|відповісти|сказати|шукати)|маю (?:\\p{L}+ )?(?:інформації|даних)|вдалося знайти)",
  `${DOCUMENTS.uk} (?:\\p{L}+ ){0,3}?не (?:кажуть|каже|містять|містить|згаду(?:ють|є)|вказують|вказано|поясню(?:ють|є)|відповіда(?:ють|є))`,
  "немає (?:\\p{L}+ ){0,2}?(?:інформації|даних|відповіді)" +
    `|(?:у|в) (?:\\p{L}+ )?${DOCUMENTS.uk} (?:\\p{L}+ ){0,3}?немає|немає (?:\\p{L}+ ){0,2}?` +
    `(?:у|в) (?:\\p{L}+ )?${DOCUMENTS.uk}`,
];

/** `\b` knows the letters of English alone. */
export const REFUSALS_ELSEWHERE: readonly RegExp[] = PATTERNS.map(
  (pattern) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "iu"),
);
