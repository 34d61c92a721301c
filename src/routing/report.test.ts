import { describe, expect, it } from "vitest";
import { mayReport } from "./report.js";

describe("mayReport", () => {
  it.each([
    "Dave's nailed his foot to the pallet",
    "two drivers are going at it in the yard",
    "Oh God, the whole pan of stock went over Maria's legs!",
    "the whole baler is going up here, what do I do?",
    "Hello. This is Kim. The ladder gave way and he's lying there.",
    "der Dirk redet nur noch wirr und erkennt mich nicht",
    "la amasadora le ha cogido el pelo a la chica nueva",
    "le rouleau lui a pris le bras jusqu'au coude",
    "Marka przysypało żwirem, tylko rękę mu widać!",
    "Сергій провалився в люк і не може вилізти",
    "quick!",
    "she's gone all floppy, how long do I keep pumping",
    "the arm's right in the roller, when does it stop",
  ])("%s", (message) => expect(mayReport(message)).toBe(true));

  it.each([
    "How do I restart the compressor?",
    "tire pressure for the reach truck",
    "I need the lockout steps for press 4",
    "I want to know how it is cleaned",
    "rules for new visitors",
    "if he is away, who signs?",
    "Is somebody in the freezer?",
    "The guard is off?",
    "open valve 3",
    "turn it off",
    "who are you?",
    "we are short of crates today, how many can a pallet take",
    "I only have the old card, can I still get into the yard",
    "the label printer's jammed again, which roll goes in",
    "it's august and hot as an oven",
    "thanks, that is all",
    "Wie reinige ich den Ofen?",
    "Reinigung der Fritteuse",
    "¿Qué hago si se va la luz?",
    "temperatura de la cámara uno",
    "comment on nettoie la friteuse",
    "Jak czyścić frytkownicę?",
    "Скільки літрів у тому вогнегаснику?",
    "",
  ])("not: %s", (message) => expect(mayReport(message)).toBe(false));
});
