import { expect, it } from "vitest";
import { languageOf, languageOfQuestion } from "./language.js";

it.each([
  ["en", "Close the valve and wait until the gauge shows zero."],
  ["es", "Cierre la válvula y espere hasta que el manómetro esté en cero."],
  ["fr", "Fermez la vanne et attendez que le manomètre soit à zéro."],
  ["de", "Schließen Sie das Ventil und warten Sie, bis die Anzeige auf null ist."],
  ["pl", "Zamknij zawór i poczekaj, aż wskaźnik pokaże zero, nie otwieraj go."],
  ["uk", "Закрийте клапан і зачекайте, поки манометр не покаже нуль."],
  [undefined, ""],
  [undefined, "P-101"],
  [undefined, "Ventil 12"],
] as const)("is %s: %s", (language, text) => {
  expect(languageOf(text)).toBe(language);
});

it.each([
  ["en", "How long may the cold room door stay open?"],
  ["en", "Who do I call?"],
  ["en", "when does the shift end"],
  ["en", "Hello"],
  ["en", "thanks"],
  ["en", "I broke the scanner"],
  ["en", "I lost my key card"],
  ["en", "a man fell"],
  ["en", "Stop press one, somebody is caught!"],
  ["de", "jemand ist eingeklemmt"],
  ["es", "alguien está atrapado"],
  ["fr", "quelqu'un a touché la caténaire"],
  ["es", "¿A quién llamo?"],
  ["es", "donde estan los guantes"],
  ["es", "¿Puedo mezclar lejía?"],
  ["es", "que hago si hay fuego"],
  ["es", "Hola"],
  ["fr", "Qui dois-je appeler ?"],
  ["fr", "que faire en cas d'incendie"],
  ["fr", "ou sont les extincteurs"],
  ["fr", "Puis-je mélanger l'eau de Javel ?"],
  ["fr", "Merci"],
  ["de", "Wen rufe ich an?"],
  ["de", "Was mache ich bei Feueralarm?"],
  ["de", "Wann endet die Schicht?"],
  ["de", "was tun bei brand"],
  ["de", "Danke"],
  ["pl", "Do kogo dzwonić?"],
  ["pl", "Czy mogę mieszać wybielacz?"],
  ["pl", "gdzie sa rekawice"],
  ["pl", "Co robić w razie pożaru?"],
  ["pl", "Dziękuję"],
  ["uk", "Кому дзвонити?"],
  ["uk", "Де рукавички?"],
  ["uk", "Що робити в разі пожежі?"],
  ["uk", "Дякую"],
  [undefined, ""],
  [undefined, "no"],
  [undefined, "P-101"],
  [undefined, "Ventil 12"],
  [undefined, "Fire extinguisher?"],
  [undefined, "Dove sono i guanti?"],
  [undefined, "Hoe lang mag de deur open blijven?"],
] as const)("is %s as a question: %s", (language, text) => {
  expect(languageOfQuestion(text)).toBe(language);
});
