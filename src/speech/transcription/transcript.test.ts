/** What is judged to have been said, and what Whisper is known to make up. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CREDITS, NEVER_SAID, normalized, SELDOM_SAID } from "./hallucinations.js";
import { type TranscriptSegment, understood } from "./transcript.js";

const NOTHING = { type: "nothing", reason: "unintelligible" };
const heard = (text: string, prompt?: string) => understood({ text }, prompt);

describe("nothing was said", () => {
  it.each([
    ["", "no text"],
    [" \n", "no text"],
    ["...", "no word"],
    ["[BLANK_AUDIO]", "a note"],
    [" [MUSIC PLAYING] [Applause]", "notes"],
    ["(music)", "a note"],
    ["(music) (applause)", "notes"],
    ["*coughs*", "a note"],
    ["♪♪♪", "music"],
    ["<|nospeech|>", "a mark of Whisper"],
    ["Thank you for watching!", "English"],
    ["Thanks for watching! Thanks for watching!", "twice"],
    ["Subtitles by the Amara.org community", "English credits"],
    ["Transcription by CastingWords", "English credits"],
    ["¡Gracias por ver el video!", "Spanish"],
    ["Subtítulos realizados por la comunidad de Amara.org", "Spanish credits"],
    ["Merci d'avoir regardé cette vidéo !", "French"],
    ["Sous-titres réalisés para la communauté d'Amara.org", "French credits"],
    ["Sous-titrage Société Radio-Canada", "French credits"],
    ["Vielen Dank fürs Zuschauen.", "German"],
    ["Untertitel im Auftrag des ZDF für funk, 2017", "German credits"],
    ["Untertitelung des ZDF, 2020", "German credits"],
    ["Dziękuję za obejrzenie.", "Polish"],
    ["Napisy stworzone przez społeczność Amara.org", "Polish credits"],
    ["Дякую за перегляд!", "Ukrainian"],
    ["Субтитри створені спільнотою Amara.org", "Ukrainian credits"],
    ["Субтитры сделал DimaTorzok", "credits in Russian"],
    ["no no no no no no no no", "one word over and over"],
    ["I'm sorry. I'm sorry. I'm sorry. I'm sorry. I'm sorry. I'm sorry.", "a phrase over and over"],
    ["so so so so so so ", "six times"],
  ])("%j: %s", (text) => {
    expect(heard(text)).toEqual(NOTHING);
  });

  it("in any of the sentences that are listed, in any case and with any signs", () => {
    for (const sentence of NEVER_SAID)
      expect([sentence, heard(`${sentence.toUpperCase()}!`)]).toEqual([sentence, NOTHING]);
    for (const credit of CREDITS) expect([credit, heard(`${credit}: Anna B.`)]).toEqual([credit, NOTHING]);
  });

  it("when the prompt comes back", () => {
    const prompt = "Gate 12, Compressor C7, Falcon Ridge.";
    expect(heard("Gate 12, Compressor C7, Falcon Ridge.", prompt)).toEqual(NOTHING);
    expect(heard("Compressor C7, Falcon Ridge", prompt)).toEqual(NOTHING);
    expect(heard("Falcon Ridge.", prompt)).toEqual({ type: "words", text: "Falcon Ridge." });
    expect(heard("Where is Falcon Ridge?", prompt)).toMatchObject({ type: "words" });
  });
});

describe("something was said", () => {
  it.each([
    "How do I bleed the compressor?",
    "Thank you.",
    "Thank you for watching the gate, who takes over?",
    "Mayday, mayday, mayday!",
    "go go go",
    "no no no no",
    "Subtitles by whom and in which of the many videos that we have in the training room here?",
    "Where do I subscribe?",
    "Tak.",
    "Що робити, якщо спрацювала тривога?",
    "Wie lange dauert die Pause (die lange)?",
    "E12",
    "7",
  ])("%j stays as it is", (text) => {
    expect(heard(text)).toEqual({ type: "words", text });
  });

  it("without what was made up around it", () => {
    const text = " [noise] How do I bleed the compressor?  Thanks for watching. ";
    expect(heard(text)).toEqual({ type: "words", text: "How do I bleed the compressor?" });
  });

  it("of any text, only words of it are left", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
        const said = heard(text);
        if (said.type === "nothing") return;
        expect(normalized(said.text)).not.toBe("");
        const words = new Set(normalized(text).split(" "));
        for (const word of normalized(said.text).split(" ")) expect(words).toContain(word);
      }),
    );
  });
});

describe("by how sure Whisper is", () => {
  const sure = (text: string): TranscriptSegment => ({
    text,
    noSpeechProbability: 0.02,
    meanLogProbability: -0.2,
  });
  const judged = (...segments: TranscriptSegment[]) =>
    understood({ text: segments.map(({ text }) => text).join(""), segments }, undefined);

  it.each<[string, Partial<TranscriptSegment>, boolean]>([
    ["no speech, and unsure of the words", { noSpeechProbability: 0.8, meanLogProbability: -1.3 }, false],
    ["no speech, but sure of the words", { noSpeechProbability: 0.8, meanLogProbability: -0.3 }, true],
    ["speech, and unsure of the words", { noSpeechProbability: 0.1, meanLogProbability: -1.3 }, true],
    ["at the limits", { noSpeechProbability: 0.6, meanLogProbability: -1 }, true],
    ["text that compresses absurdly", { compressionRatio: 2.5 }, false],
    ["text that compresses well", { compressionRatio: 2.4 }, true],
    ["nothing told", {}, true],
  ])("%s", (_name, told, isWords) => {
    expect(judged({ text: "Open the valve.", ...told }).type).toBe(isWords ? "words" : "nothing");
  });

  it("thanks count as nothing only where it doubts that anybody spoke", () => {
    for (const text of SELDOM_SAID) {
      expect(judged({ ...sure(text), noSpeechProbability: 0.7 })).toEqual(NOTHING);
      expect(judged(sure(text))).toMatchObject({ type: "words" });
    }
  });

  it("doubtful stretches are left out, the others stay", () => {
    const doubtful = { text: " Open the pod bay doors.", noSpeechProbability: 0.9, meanLogProbability: -1.5 };
    expect(judged(sure("How do I stop the belt?"), doubtful)).toEqual({
      type: "words",
      text: "How do I stop the belt?",
    });
  });
});

describe("the language", () => {
  it.each([
    ["english", "en"],
    ["Ukrainian", "uk"],
    ["polish", "pl"],
    ["german", "de"],
    ["french", "fr"],
    ["spanish", "es"],
    ["hebrew", "he"],
    ["en", "en"],
    ["pt-br", "pt-BR"],
    ["klingon speech", undefined],
    ["", undefined],
  ])("%j is %s", (language, tag) => {
    expect(understood({ text: "E12", language }, undefined)).toEqual({
      type: "words",
      text: "E12",
      ...(tag === undefined ? {} : { language: tag }),
    });
  });
});

describe("the lists", () => {
  it("are in the form that they are compared in", () => {
    for (const entry of [...NEVER_SAID, ...CREDITS, ...SELDOM_SAID]) expect(entry).toBe(normalized(entry));
  });
});
