/**
 * What Whisper writes when it hears nothing. It was trained on subtitles of films, and where nobody speaks it gives the
 * thanks, credits and appeals that subtitles have there (https://github.com/openai/whisper/discussions/679). Nobody asks
 * a colleague by radio any of the following. All of it is in the form that `normalized` gives.
 */

/** Whole sentences: nobody says them into a radio. */
export const NEVER_SAID: ReadonlySet<string> = new Set([
  // English
  "thank you for watching",
  "thank you so much for watching",
  "thank you very much for watching",
  "thanks for watching",
  "thank you all for watching",
  "thank you for watching this video",
  "thanks for watching this video",
  "thank you for watching and i ll see you in the next video",
  "thank you for watching please subscribe to my channel",
  "please subscribe",
  "please subscribe to my channel",
  "please subscribe to our channel",
  "please like and subscribe",
  "like and subscribe",
  "don t forget to subscribe",
  "don t forget to like and subscribe",
  "see you in the next video",
  "i ll see you in the next video",
  "i ll see you in the next one",
  "see you next time on the next video",
  // Spanish
  "gracias por ver",
  "gracias por ver el video",
  "gracias por ver el vídeo",
  "gracias por ver este video",
  "gracias por ver este vídeo",
  "muchas gracias por ver el video",
  "suscríbete",
  "suscríbete al canal",
  "no olvides suscribirte",
  "no olvides suscribirte al canal",
  "nos vemos en el próximo video",
  "nos vemos en el próximo vídeo",
  // French
  "merci d avoir regardé",
  "merci d avoir regardé cette vidéo",
  "merci d avoir regardé la vidéo",
  "merci d avoir visionné cette vidéo",
  "abonnez vous",
  "abonnez vous à la chaîne",
  "n oubliez pas de vous abonner",
  "à la prochaine vidéo",
  // German
  "vielen dank fürs zuschauen",
  "vielen dank für s zuschauen",
  "danke fürs zuschauen",
  "danke für s zuschauen",
  "vielen dank für das zuschauen",
  "danke für ihre aufmerksamkeit",
  "bis zum nächsten video",
  "bis zum nächsten mal auf diesem kanal",
  "abonniert den kanal",
  // Polish
  "dziękuję za obejrzenie",
  "dziękuję za oglądanie",
  "dziękuję za obejrzenie filmu",
  "dzięki za obejrzenie",
  "dzięki za oglądanie",
  "dziękujemy za oglądanie",
  "dziękujemy za obejrzenie",
  "zapraszam do subskrypcji",
  "subskrybuj kanał",
  "do zobaczenia w kolejnym filmie",
  "do zobaczenia w następnym filmie",
  // Ukrainian, and the Russian that Whisper writes in its place
  "дякую за перегляд",
  "дякуємо за перегляд",
  "дякую за увагу",
  "дякую за перегляд цього відео",
  "підписуйтесь на канал",
  "підпишіться на канал",
  "не забудьте підписатися на канал",
  "до зустрічі в наступному відео",
  "спасибо за просмотр",
  "продолжение следует",
  "подписывайтесь на канал",
]);

/** How the credits of subtitles begin; names and years follow. */
export const CREDITS: readonly string[] = [
  "subtitles by",
  "subtitles created by",
  "subtitled by",
  "captions by",
  "captioned by",
  "transcription by",
  "transcribed by",
  "translated by",
  "subtítulos por",
  "subtítulos realizados por",
  "subtítulos creados por",
  "subtitulado por",
  "sous titres par",
  "sous titres réalisés",
  "sous titrage",
  "sous titré par",
  "untertitel der",
  "untertitel von",
  "untertitel im auftrag",
  "untertitelung",
  "napisy stworzone przez",
  "napisy wykonane przez",
  "napisy wykonała",
  "tłumaczenie i napisy",
  "субтитри створені",
  "субтитри створив",
  "субтитри зробив",
  "субтитры сделал",
  "субтитры создал",
  "субтитры подогнал",
  "редактор субтитров",
];

/** Credits are short; a longer sentence that begins like one is somebody's question. */
export const CREDITS_WORDS_MAX = 12;

/** Said by people, too: counts as nothing only where the recogniser itself doubts that somebody spoke. */
export const SELDOM_SAID: ReadonlySet<string> = new Set([
  ...[
    "you",
    "thank you",
    "thank you very much",
    "thanks",
    "bye",
    "bye bye",
    "okay",
    "so",
    "the",
    "oh",
    "hmm",
  ],
  ...["gracias", "muchas gracias", "adiós", "sí"],
  ...["merci", "merci beaucoup", "au revoir", "oui"],
  ...["danke", "vielen dank", "tschüss", "ja"],
  ...["dziękuję", "dzięki", "cześć", "tak"],
  ...["дякую", "дуже дякую", "бувай", "так", "спасибо"],
]);

/** Lower case, words and numbers only, single spaces. */
export function normalized(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
