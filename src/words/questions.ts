/** Words that questions, requests and courtesies consist of, by language; beside the frequent words of `polarity.ts`. */
import { wordSet } from "../lib/word-set.js";
import { type Language, MODALS } from "./polarity.js";
import { tokenize } from "./tokens.js";

const list = (words: string): readonly string[] => words.split(" ");

export const QUESTION_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: list(
    "whom whose am does did long often much many still tell say show hello hi thanks thank " +
      "please yes about into over don doesn isn it's let's want again",
  ),
  es: list(
    "dónde quién quiénes cuánto cuánta cuántos cuántas cuáles adónde qué por a o mi mis tu " +
      "este esta esto eso ese esa ya hay ha he puedo puede pueden debo debemos tengo tiene " +
      "tenemos hago hace hacer hacemos están estar soy somos ser fue pasa llamo llamar dice " +
      "muy también usted ustedes hola gracias favor buenos buenas adiós sí",
  ),
  fr: list(
    "où quoi quel quelle quels quelles combien pourquoi je j tu nous on mon ma mes ton notre " +
      "cet l d qu n c est-ce ai a as peut puis peux peuvent pouvons dois devons faut faire " +
      "fait fais ont suis être va y cas quoi bonjour bonsoir salut merci oui svp plaît encore",
  ),
  de: list(
    "was wo wohin woher wer wen wem wessen warum wieso weshalb wann welche welcher welches " +
      "welchen wieviel ich wir mich uns man mein meine meinen kann kannst können darf dürfen " +
      "soll sollen sollte müssen habe haben hat sind bin wird war tun mache machen gibt es " +
      "noch da hier dieser diese dieses kein keine hallo danke tschüss guten bitte ja nein",
  ),
  pl: list(
    "gdzie kiedy kto kogo komu czego czemu czym ile dlaczego który która które jaki jaka " +
      "jakie mogę można mam mamy mogą trzeba mi mnie moja mój nasz robić zrobić jestem razie " +
      "czas cześć hej dziękuję dzięki proszę dzień dobry dobranoc tak u tu są",
  ),
  uk: list(
    "де куди звідки хто кого кому чого чому навіщо скільки який яка яке які я ми мені мене " +
      "мій моя можна можу можемо можуть треба потрібно робити зробити є ще тут привіт вітаю " +
      "дякую добрий день ласка так ні",
  ),
};

/** Question words, auxiliaries and pronouns of English, where Lucene's stop words have none: nothing to search for. */
export const UNSEARCHED_WORDS = wordSet(
  "what what's which who who's whom whose when where where's why how how's do does don't doesn't did done doing " +
    "can can't could should would shall am been being has have had having i i'm i've me my mine you your yours we " +
    "us our ours he him his she her hers its them those about please tell",
);

/** Verbs of English questions that say something, but not much. */
export const LIGHT_VERBS =
  "ask asks become becomes became call calls get gets getting give gives given make makes made put puts show shows take takes taken";

/** Words that fit any English question or request. */
export const GENERIC_WORDS =
  "what which who whom whose when where why how do does did done doing i we you me my our us he him his she her its them those " +
  "can could should would shall may might must need needs have has had having am been being were from about " +
  "after before during near over under out up down off than so more most less least other also just only very please " +
  "some any all each every first last next one two three got go goes going gone come comes came somebody " +
  "someone anybody anyone use uses using used say says said tell find know happen happens mean means list " +
  "describe explain define type kind sort thing things way ways different difference between time times " +
  "asked want wants okay ok allowed case steps procedure " +
  "instructions checklist process count counts hello hi hey thanks thank here now " +
  "i'm i've i'd i'll we're we've they're they've you're it's that's there's";

/** Words that ask for a cause, a person, a time or a way: more than how something is. */
export const MATTER_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: list("why who whom whose when"),
  de: list("warum wieso weshalb wer wem wen wann"),
  es: list("porque quién quiénes cuándo"),
  fr: list("pourquoi qui quand"),
  pl: list("dlaczego kto komu kiedy"),
  uk: list("чому хто кому коли"),
};

/** Words that say that it is asked how something is now. */
export const NOW_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: list("now currently right just moment still already everything current using"),
  de: list("jetzt gerade momentan aktuell derzeit noch schon alles moment"),
  es: list("ahora actualmente mismo momento todavía ya todo"),
  fr: list("maintenant actuellement moment encore déjà tout"),
  pl: list("teraz obecnie chwili jeszcze już wszystko"),
  uk: list("зараз нині досі ще вже все"),
};

const ALLOWED: Readonly<Record<Language, readonly string[]>> = {
  en: list("allowed permitted may supposed maximum minimum max min limit limits"),
  de: list(
    "erlaubt zulässig darf dürfen maximal maximale minimal minimale höchstens mindestens grenzwert soll sollen",
  ),
  es: list("permitido permitida máximo máxima mínimo mínima límite"),
  fr: list("permis permise autorisé autorisée maximum maximal maximale minimum minimale limite"),
  pl: list("wolno dozwolone dozwolony dozwolona maksymalny maksymalna maksymalne minimalny minimalna limit"),
  uk: list("дозволено можна максимальний максимальна мінімальний мінімальна межа"),
};

/** What says that it is asked how something has to be, not how it is: "what pressure must it have". */
export const RULE_WORDS: ReadonlySet<string> = new Set([
  ...Object.values(ALLOWED).flat(),
  ...Object.values(MODALS).flatMap(({ forbidden, recommended, required }) => [
    ...forbidden,
    ...recommended,
    ...required,
  ]),
]);

/** Whether a question asks what holds as a rule, which documents tell, and no reading. */
export function asksForRule(question: string): boolean {
  return tokenize(question).some(({ lower }) => RULE_WORDS.has(lower));
}
