/**
 * What a model may write in the user's language about evidence in another one: the figures are right, and the action,
 * the object, the order or the negation is not. Written before the gate was changed.
 */
export interface ForeignInvention {
  /** The language that is asked in, and that the model writes. */
  readonly language: string;
  readonly quote: string;
  readonly text: string;
}

const WAIT = "Wait 60 minutes and then open the lid.";
const BARS = "Never touch the sealing bars above 40 degrees.";
const WATER = "Give the patient 2 glasses of water within 15 minutes.";
const DOOR = "The cold room door stays open for at most 10 minutes.";
const WARTEN = "Warten Sie 60 Minuten und öffnen Sie dann den Deckel.";

/** English evidence with what is made of it, then German evidence. */
export const EVIDENCE = { en: [WAIT, BARS, WATER, DOOR].join(" "), de: WARTEN } as const;

const made = (language: string, texts: readonly (readonly [quote: string, text: string])[]) =>
  texts.map(([quote, text]): ForeignInvention => ({ language, quote, text }));

export const INVENTIONS: readonly ForeignInvention[] = [
  ...made("es", [
    [WAIT, "Espere 60 minutos y luego rocíe gasolina sobre el fuego."],
    [WAIT, "Abra la tapa y luego espere 60 minutos."],
    [WAIT, "Espere 60 minutos y luego cierre la válvula."],
    [WAIT, "Después de 60 minutos tire la tapa por la ventana."],
    [BARS, "Toque las barras de sellado por encima de 40 grados."],
    [BARS, "Nunca toque las barras de sellado por debajo de 40 grados."],
    [BARS, "Limpie las barras con la mano por encima de 40 grados."],
    [WATER, "Dé al paciente 2 vasos de alcohol en 15 minutos."],
    [WATER, "No dé al paciente los 2 vasos de agua en los 15 minutos."],
    [WATER, "Beba usted 2 vasos de agua antes de los 15 minutos."],
    [DOOR, "La puerta de la cámara fría queda abierta por lo menos 10 minutos."],
    [DOOR, "La puerta de la salida de emergencia queda cerrada durante 10 minutos."],
  ]),
  ...made("fr", [
    [WAIT, "Attendez 60 minutes et versez ensuite de l'essence sur le feu."],
    [WAIT, "Ouvrez le couvercle et attendez ensuite 60 minutes."],
    [WAIT, "Attendez 60 minutes et fermez ensuite la vanne."],
    [WAIT, "Au bout de 60 minutes, jetez le couvercle par la fenêtre."],
    [BARS, "Touchez les barres de soudure au-dessus de 40 degrés."],
    [BARS, "Ne touchez jamais les barres de soudure au-dessous de 40 degrés."],
    [BARS, "Nettoyez les barres avec la main au-dessus de 40 degrés."],
    [WATER, "Donnez au patient 2 verres d'alcool dans les 15 minutes."],
    [WATER, "Ne donnez pas au patient les 2 verres d'eau dans les 15 minutes."],
    [WATER, "Buvez vous-même 2 verres d'eau avant les 15 minutes."],
    [DOOR, "La porte de la chambre froide reste ouverte pendant au moins 10 minutes."],
    [DOOR, "La porte de la sortie de secours reste fermée pendant 10 minutes."],
  ]),
  ...made("de", [
    [WAIT, "Warten Sie 60 Minuten und gießen Sie dann Benzin auf das Feuer."],
    [WAIT, "Öffnen Sie den Deckel und warten Sie dann 60 Minuten."],
    [WAIT, "Warten Sie 60 Minuten und schließen Sie dann das Ventil."],
    [WAIT, "Nach 60 Minuten werfen Sie den Deckel aus dem Fenster."],
    [BARS, "Fassen Sie die Siegelbalken über 40 Grad an."],
    [BARS, "Fassen Sie die Siegelbalken nie unter 40 Grad an."],
    [BARS, "Reinigen Sie die Balken mit der Hand über 40 Grad."],
    [WATER, "Geben Sie dem Patienten 2 Gläser Alkohol in den 15 Minuten."],
    [WATER, "Geben Sie dem Patienten die 2 Gläser Wasser nicht in den 15 Minuten."],
    [WATER, "Trinken Sie selbst 2 Gläser Wasser vor den 15 Minuten."],
    [DOOR, "Die Tür des Kühlraums bleibt mindestens 10 Minuten offen."],
    [DOOR, "Die Tür des Notausgangs bleibt für 10 Minuten geschlossen."],
  ]),
  ...made("pl", [
    [WAIT, "Poczekaj 60 minut i potem wylej benzynę na ogień."],
    [WAIT, "Otwórz pokrywę i potem poczekaj 60 minut."],
    [WAIT, "Poczekaj 60 minut i potem zamknij zawór."],
    [WAIT, "Po 60 minutach wyrzuć pokrywę przez okno."],
    [BARS, "Dotykaj listew zgrzewających powyżej 40 stopni."],
    [BARS, "Nigdy nie dotykaj listew zgrzewających poniżej 40 stopni."],
    [BARS, "Czyść listwy ręką, gdy mają powyżej 40 stopni."],
    [WATER, "Podaj pacjentowi 2 szklanki alkoholu w ciągu 15 minut."],
    [WATER, "Nie podawaj pacjentowi 2 szklanek wody w ciągu 15 minut."],
    [WATER, "Wypij 2 szklanki wody przed upływem 15 minut."],
    [DOOR, "Drzwi chłodni są otwarte przez co najmniej 10 minut."],
    [DOOR, "Drzwi wyjścia awaryjnego są zamknięte przez 10 minut."],
  ]),
  ...made("uk", [
    [WAIT, "Зачекайте 60 хвилин і потім вилийте бензин на вогонь."],
    [WAIT, "Відкрийте кришку і потім зачекайте 60 хвилин."],
    [WAIT, "Зачекайте 60 хвилин і потім закрийте клапан."],
    [WAIT, "Через 60 хвилин викиньте кришку у вікно."],
    [BARS, "Торкайтеся зварювальних планок понад 40 градусів."],
    [BARS, "Ніколи не торкайтеся планок нижче 40 градусів."],
    [BARS, "Чистіть планки рукою понад 40 градусів."],
    [WATER, "Дайте пацієнту 2 склянки алкоголю за 15 хвилин."],
    [WATER, "Не давайте пацієнту 2 склянки води за 15 хвилин."],
    [WATER, "Випийте самі 2 склянки води до 15 хвилин."],
    [DOOR, "Двері холодної кімнати відчинені щонайменше 10 хвилин."],
    [DOOR, "Двері аварійного виходу зачинені на 10 хвилин."],
  ]),
  ...made("en", [
    [WARTEN, "Wait 60 minutes and then pour petrol on the fire."],
    [WARTEN, "Open the lid and then wait for 60 minutes."],
    [WARTEN, "Wait for 60 minutes and then close the valve."],
    [WARTEN, "Do not wait 60 minutes before you open the lid."],
  ]),
];
