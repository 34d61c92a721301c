/** Words that questions, requests and courtesies consist of, by language; beside the frequent words of `polarity.ts`. */
import type { Language } from "./polarity.js";

const list = (words: string): readonly string[] => words.split(" ");

export const QUESTION_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: list(
    "whom whose am does did long often much many still tell say show hello hi thanks thank please yes about into over don doesn isn it's let's want again",
  ),
  es: list(
    "dónde quién quiénes cuánto cuánta cuántos cuántas cuáles adónde qué por a o mi mis tu este esta esto eso ese esa ya hay ha he puedo puede pueden debo debemos tengo tiene tenemos hago hace hacer hacemos están estar soy somos ser fue pasa llamo llamar dice muy también usted ustedes hola gracias favor buenos buenas adiós sí",
  ),
  fr: list(
    "où quoi quel quelle quels quelles combien pourquoi je j tu nous on mon ma mes ton notre cet l d qu n c est-ce ai a as peut puis peux peuvent pouvons dois devons faut faire fait fais ont suis être va y cas quoi bonjour bonsoir salut merci oui svp plaît encore",
  ),
  de: list(
    "was wo wohin woher wer wen wem wessen warum wieso weshalb wann welche welcher welches welchen wieviel ich wir mich uns man mein meine meinen kann kannst können darf dürfen soll sollen sollte müssen habe haben hat sind bin wird war tun mache machen gibt es noch da hier dieser diese dieses kein keine hallo danke tschüss guten bitte ja nein",
  ),
  pl: list(
    "gdzie kiedy kto kogo komu czego czemu czym ile dlaczego który która które jaki jaka jakie mogę można mam mamy mogą trzeba mi mnie moja mój nasz robić zrobić jestem razie czas cześć hej dziękuję dzięki proszę dzień dobry dobranoc tak u tu są",
  ),
  uk: list(
    "де куди звідки хто кого кому чого чому навіщо скільки який яка яке які я ми мені мене мій моя можна можу можемо можуть треба потрібно робити зробити є ще тут привіт вітаю дякую добрий день ласка так ні",
  ),
};
