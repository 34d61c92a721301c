import { describe, expect, it } from "vitest";
import type { OperationStatement } from "../../domain/operation.js";
import type { Judgement } from "../checker.js";
import { ActionsChecker } from "./actions.js";

const RESTARTED: OperationStatement = {
  operation: "op-1",
  target: "plant:pump/p2",
  action: "restart",
  outcome: "verified",
};

function judged(
  text: string,
  question: string,
  facts: readonly OperationStatement[] = [],
  did?: readonly OperationStatement[],
): Judgement | undefined {
  const checker = new ActionsChecker();
  for (const _ of checker.add({ type: "operations", facts }));
  const steps = checker.check({ text, ...(did && { did }) }, { question, said: [] });
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  "Restart pump two.": [
    "I have restarted pump two.",
    "I've just restarted pump two.",
    "I restarted it.",
    "I'm restarting it now.",
    "I will restart it.",
    "I'll restart pump two for you.",
    "Okay, I am going to restart it.",
    "I have switched the pump off.",
    "I've turned it off and on again.",
    "Done.",
    "Okay, done!",
    "All right, all done.",
    "It's done.",
    "On it.",
    "Will do.",
    "Sure, I'll do that right away.",
    "Pump two has been restarted.",
    "Pump two was successfully restarted.",
    "Pump two is now running.",
    "Pump two is being restarted.",
    "Pump two will be restarted.",
    "We've restarted pump two.",
  ],
  "Could you please open the valve?": [
    "The valve is now open.",
    "I'm opening it.",
    "The valve has just been opened.",
  ],
  "Delete the file.": ["The file has been deleted from the codebase as requested."],
  "Call the supervisor": ["I've notified the supervisor.", "I have called an ambulance.", "I'll call them."],
  "Starte Pumpe zwei neu.": [
    "Ich habe Pumpe zwei neu gestartet.",
    "Pumpe zwei habe ich gerade neu gestartet.",
    "Ich starte die Pumpe jetzt neu.",
    "Ich werde Pumpe zwei neu starten.",
    "Jetzt starte ich sie neu.",
    "Erledigt.",
    "Alles klar, mach ich sofort.",
    "Wird gemacht.",
    "Pumpe zwei wurde neu gestartet.",
    "Die Pumpe ist jetzt aus.",
    "Pumpe zwei wird gerade neu gestartet.",
  ],
  "Kannst du bitte das Ventil öffnen?": [
    "Das Ventil ist jetzt offen.",
    "Ich öffne das Ventil.",
    "Das Ventil wurde geöffnet.",
  ],
  "Reinicia la bomba dos.": [
    "He reiniciado la bomba dos.",
    "Ya la he reiniciado.",
    "Reinicié la bomba.",
    "La reinicio ahora.",
    "Voy a reiniciarla.",
    "Estoy reiniciando la bomba.",
    "Reiniciaré la bomba dos.",
    "Hecho.",
    "Vale, listo.",
    "La bomba dos ha sido reiniciada.",
    "Se ha reiniciado la bomba dos.",
    "La bomba está ahora en marcha.",
  ],
  "Redémarre la pompe deux.": [
    "J'ai redémarré la pompe deux.",
    "Je l'ai redémarrée.",
    "Je viens de redémarrer la pompe.",
    "Je redémarre la pompe deux.",
    "Je vais la redémarrer.",
    "Je suis en train de redémarrer la pompe.",
    "Je redémarrerai la pompe.",
    "C'est fait.",
    "D'accord, je m'en occupe.",
    "La pompe deux a été redémarrée.",
    "La pompe est maintenant en marche.",
  ],
  "Uruchom ponownie pompę dwa.": [
    "Uruchomiłem ponownie pompę dwa.",
    "Pompę dwa uruchomiłam ponownie.",
    "Zrestartowałem pompę.",
    "Uruchamiam pompę ponownie.",
    "Zaraz zrestartuję pompę.",
    "Gotowe.",
    "Dobrze, zrobione.",
    "Robi się.",
    "Pompa dwa została uruchomiona ponownie.",
    "Pompa jest teraz wyłączona.",
  ],
  "Перезапусти насос два.": [
    "Я перезапустив насос два.",
    "Я щойно перезапустила насос.",
    "Перезапускаю насос.",
    "Зараз перезапущу насос два.",
    "Готово.",
    "Добре, зроблено.",
    "Насос два перезапущено.",
    "Насос вже увімкнено.",
  ],
};

/** What documents say, answers to what somebody wants to know, and what is no claim of having done anything. */
const NO_CLAIMS: Readonly<Record<string, readonly string[]>> = {
  "How do I restart the pump?": [
    "The pump is restarted by pressing the green button.",
    "Open the valve.",
    "The valve was replaced in 2019 by the manufacturer.",
    "The valve is now open.",
    "The pump has been restarted when the lamp is green.",
    "We open at eight.",
    "We will send you an e-mail once your order has been shipped.",
    "Once the pump has been restarted, wait two minutes.",
    "I can restart it for you.",
    "I have not restarted the pump.",
    "I cannot open valves.",
    "I did not restart it.",
    "I found three documents about the pump.",
    "I am sorry, I don't know.",
    "He opened the valve.",
  ],
  "Restart pump two.": [
    "The pump is restarted by pressing the green button.",
    "Open the valve.",
    "The valve was replaced in 2019 by the manufacturer.",
    "The pump must be restarted by an electrician.",
    "Once the pump has been restarted, wait two minutes.",
    "Pump two was restarted yesterday.",
    "Pump two has been restarted by Ann.",
    "Shall I restart pump two?",
    "Pump two is running.",
    "I haven't restarted pump two.",
    "Has it been restarted?",
  ],
  "When are you open?": [
    "The shop is open from eight to six.",
    "We are closing at six.",
    "The doors are opened at eight.",
  ],
  "Wie starte ich die Pumpe neu?": [
    "Die Pumpe wird mit dem grünen Knopf neu gestartet.",
    "Das Ventil wurde 2019 vom Hersteller ersetzt.",
    "Ich kann die Pumpe nicht neu starten.",
    "Ich habe die Pumpe nicht neu gestartet.",
    "Öffnen Sie das Ventil.",
    "Das Ventil ist jetzt offen.",
    "Ich öffne das Ventil nicht.",
  ],
  "¿Cómo reinicio la bomba?": [
    "Abra la válvula.",
    "La bomba se reinicia con el botón verde.",
    "No he reiniciado la bomba.",
    "Abriendo la válvula se baja la presión.",
    "El inicio es lento.",
    "El paro de emergencia está a la izquierda.",
  ],
  "Comment redémarrer la pompe ?": [
    "Ouvrez la vanne.",
    "La pompe est redémarrée avec le bouton vert.",
    "Je n'ai pas redémarré la pompe.",
    "Je ne peux pas ouvrir la vanne.",
  ],
  "Jak uruchomić pompę?": [
    "Otwórz zawór.",
    "Pompa jest uruchamiana zielonym przyciskiem.",
    "Nie uruchomiłem pompy.",
    "Zawór został wymieniony w 2019 przez producenta.",
  ],
  "Як перезапустити насос?": [
    "Відкрийте клапан.",
    "Насос перезапускають зеленою кнопкою.",
    "Я не перезапустив насос.",
  ],
};

const rows = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([question, texts]) => texts.map((text) => [text, question] as const));

describe("a claim of an action", () => {
  it.each(rows(CLAIMS))("is not borne out by nothing: %s (%s)", (text, question) => {
    expect(judged(text, question)?.verdict).toBe("contradicted");
  });

  it.each(rows(NO_CLAIMS))("is not: %s (%s)", (text, question) => {
    expect(judged(text, question)).toBeUndefined();
  });

  it.each(["Done.", "Gotowe.", "Erledigt."])("may be the last step of a document: %s", (text) => {
    expect(judged(text, "How do I reset the pump?")?.verdict).toBe("unsupported");
  });
});

describe("an operation", () => {
  const other = { ...RESTARTED, operation: "op-2", target: "plant:pump/p3" };
  it.each(["I have restarted pump two.", "Done.", "Pump two has been restarted."])(
    "is told by statements alone, and bears out no other words: %s",
    (text) => {
      expect(judged(text, "Restart it.", [RESTARTED])?.verdict).toBe("contradicted");
      expect(judged(text, "How are you?", [RESTARTED])?.verdict).not.toBe("supported");
    },
  );

  it("is compared with statements as a value", () => {
    const verdict = (...did: readonly OperationStatement[]) =>
      judged("Whatever it says.", "", [RESTARTED], did)?.verdict;
    expect(verdict(RESTARTED)).toBe("supported");
    expect(judged("x", "", [RESTARTED], [RESTARTED])?.evidence).toEqual([
      { type: "tool_output", source: "op-1", value: "restart plant:pump/p2: verified" },
    ]);
    for (const change of [
      { outcome: "unknown" },
      { target: "plant:pump/p3" },
      { action: "stop" },
      { operation: "op-2" },
    ] as const)
      expect(verdict({ ...RESTARTED, ...change })).toBe("contradicted");
    expect(verdict(RESTARTED, other)).toBe("contradicted");
    expect(verdict()).toBe("contradicted");
  });
});
