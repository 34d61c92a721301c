import { expect, it } from "vitest";
import { languageOf } from "./language.js";

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
