import { describe, expect, it } from "vitest";
import { holdsDoubling } from "../../test/support/doubling.js";
import { emergencyIn, tellsToCall } from "./emergency.js";

describe("emergencyIn", () => {
  it.each([
    ["There's a hand caught in the belt!", "en", "hand caught in"],
    ["fire in bay two", "en", "fire"],
    ["there is a fire up here", "en", "fire"],
    ["what do i do he is bleeding", "en", "bleeding"],
    ["HELP!", "en", ""],
    ["Mayday, fire in bay two", "en", "fire"],
    ["ich hab mir den Finger abgeschnitten was mach ich", "de", "Finger abgeschnitten"],
    ["Dave fainted by the palletiser", "en", "fainted"],
    ["Stop line two, somebody is caught!", "en", "somebody is caught"],
    ["the apprentice fell", "en", "fell"],
    ["man overboard", "en", ""],
    ["the tractor rolled over", "en", "rolled over"],
    ["ktoś się zaklinował", "pl", "zaklinował"],
    ["el tractor ha volcado", "es", "tractor ha volcado"],
    ["the forklift ran my colleague over", "en", "ran my colleague over"],
    ["The fryer is burning!", "en", "is burning"],
    ["hier riecht es ganz stark nach Ammoniak", "de", "riecht Ammoniak"],
    ["mit einem Messer steht da einer", "de", "Messer"],
    ["est-ce que vous m'entendez ? Karim vient de s'effondrer", "fr", "effondrer"],
    ["eh sí, soy Luis, la carretilla atropelló a uno", "es", "atropelló"],
  ])("%s", (message, language, signs) => {
    const emergency = emergencyIn(message);
    expect(emergency?.language).toBe(language);
    expect(emergency?.signs).toContain(signs);
  });

  it.each([
    "Where is the fire extinguisher?",
    "when is the fire drill?",
    "What do I do if somebody is bleeding?",
    "Which number do I call for an ambulance?",
    "help me with the label printer",
    "There was a fire last year in bay two",
    "nobody is hurt",
    "silence the alarm",
    "and on the bit where they do ninety",
    "she fell behind with the orders",
    "the price of steel fell",
    "he got caught in traffic",
    "What do I do when a man falls overboard?",
    "The printer is choking on labels",
    "Is the lamp burning?",
    "the lamp on the oven is burning",
    "he's hitting the button",
    "Brennt das Band?",
    "Le client brûle d'avoir une réponse",
    "",
  ])("is none: %s", (message) => {
    expect(emergencyIn(message)).toBeUndefined();
  });

  it("is found behind other sentences", () => {
    expect(emergencyIn("When is the fire drill? Wait, there is a fire in the kitchen.")?.signs).toBe("fire");
  });
});

it("knows a sentence that tells to call", () => {
  expect(tellsToCall("Call the control room on extension 333.")).toBe(true);
  expect(tellsToCall("Rufen Sie den Notarzt.")).toBe(true);
  expect(tellsToCall("Cool the burn for 20 minutes.")).toBe(false);
});

holdsDoubling("emergencyIn", (text) => emergencyIn(text), { charsMax: 4_000 });
holdsDoubling("emergencyIn of words that are in the lists", (text) =>
  emergencyIn(text.replace(/\S+/g, "hand wound press 112")),
);
holdsDoubling("tellsToCall", (text) => tellsToCall(text), { charsMax: 4_000 });
