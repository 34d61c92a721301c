import { expect, it } from "vitest";
import { parseSentence } from "../sentence/sentence.js";
import { claimBeside, roleOf } from "./role.js";

it.each([
  ["filler", "Sure, here is how:"],
  ["filler", "Okay, let's go through it."],
  ["filler", "Here are the steps:"],
  ["claim", "Sure, it's safe to open the valve."],
  ["refusal", "I don't have that in the documents."],
  ["refusal", "The documents do not say how long to wait."],
  ["refusal", "That is not mentioned in the handbook."],
  ["refusal", "I couldn't find anything about that."],
  ["question", "Do you mean the freezer or the cold room?"],
  ["warning", "Warning: the bars are hot."],
  ["warning", "Never touch the bars."],
  ["warning", "Do not use the lift."],
  ["step", "3. Close the valve."],
  ["step", "Then close the valve."],
  ["step", "Put your lock on the switch."],
  ["step", "Go back."],
  ["step", "Then put it on."],
  ["filler", "Here you go."],
  ["claim", "The valve is closed at night."],
  ["claim", "Use is free for visitors."],
  ["claim", "Yes."],
  ["refusal", "Lo siento, no encuentro esa información en los documentos."],
  ["refusal", "Los documentos no dicen cuánto hay que esperar."],
  ["refusal", "Eso no se menciona en el manual."],
  ["refusal", "No lo sé."],
  ["refusal", "Je ne trouve pas cela dans vos documents."],
  ["refusal", "Les documents ne précisent pas la durée."],
  ["refusal", "Je n'ai pas trouvé d'information à ce sujet."],
  ["refusal", "Das finde ich in Ihren Dokumenten nicht."],
  ["refusal", "Ich kann das in den Dokumenten nicht finden."],
  ["refusal", "In den Dokumenten steht dazu nichts."],
  ["refusal", "Die Dokumente enthalten dazu keine Angaben."],
  ["refusal", "Ich weiß es leider nicht."],
  ["refusal", "Nie znajduję tego w dokumentach."],
  ["refusal", "Dokumenty nie podają, jak długo czekać."],
  ["refusal", "W dokumentach nie ma takiej informacji."],
  ["refusal", "Я не знаходжу цього у ваших документах."],
  ["refusal", "Документи не вказують, скільки чекати."],
  ["refusal", "У документах про це немає інформації."],
  ["claim", "La puerta no puede estar abierta más de 10 minutos."],
  ["claim", "No hay que abrir la válvula."],
  ["claim", "La porte ne doit pas rester ouverte plus de 10 minutes."],
  ["claim", "Il n'y a pas de gaz dans la chambre."],
  ["claim", "Die Tür darf nicht länger als 10 Minuten offen bleiben."],
  ["claim", "Das Handbuch darf nicht entfernt werden."],
  ["claim", "Drzwi nie mogą być otwarte dłużej niż 10 minut."],
  ["claim", "Двері не можуть бути відчинені довше ніж 10 хвилин."],
] as const)("%s: %s", (role, text) => {
  expect(roleOf(parseSentence(text))).toBe(role);
});

it.each([
  ["The documents don't say, but 30 minutes is usual.", "30 minutes is usual."],
  ["I don't know, usually you open the valve first.", "you open the valve first."],
  ["I do not have that information, so please ask your supervisor.", undefined],
  ["The documents do not say how long to wait.", undefined],
])("what a refusal claims besides: %s", (text, claim) => {
  expect(claimBeside(text)).toBe(claim);
});
