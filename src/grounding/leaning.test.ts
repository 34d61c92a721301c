import { describe, expect, it } from "vitest";
import { type Leaning, leaningOf } from "./leaning.js";

const QUESTIONS: Readonly<Record<Leaning, readonly string[]>> = {
  "stands alone": [
    "Which number do I call for an ambulance?",
    "How long is the hot work permit valid?",
    "Wo ist der Feuerlöscher in der Backstube?",
    "¿Dónde está el extintor del almacén?",
    "Où se trouve la clé du coffre?",
    "Gdzie wisi apteczka w magazynie?",
    "Де знаходиться вогнегасник у цеху?",
  ],
  "may lean": [
    "What happens to the goods if it was above 8 °C?",
    "And who signs the permit for the boiler?",
    "Where is the canteen?",
    "Wie lange bleibt der Ofen danach heiß?",
    "Wie lange dauert das?",
    "A jak długo to trwa?",
    "А скільки це триває?",
    "¿Y quién firma el permiso del horno?",
    "Et qui signe le permis du four?",
    "A kto podpisuje zezwolenie na piec?",
    "А хто підписує дозвіл на піч?",
  ],
  leans: [
    "How long does it take?",
    "And in the yard?",
    "What do I do then?",
    "Und wie oft?",
    "¿Y cuánto dura eso?",
    "Et combien de temps?",
  ],
};

describe("leaningOf", () => {
  const cases = (Object.keys(QUESTIONS) as Leaning[]).flatMap((leaning) =>
    QUESTIONS[leaning].map((question) => [question, leaning] as const),
  );
  it.each(cases)("%j: %s", (question, leaning) => expect(leaningOf(question)).toBe(leaning));
});
