/**
 * Red team of issue 11, line 9: a model that invents in the user's language about documents in another one, with the
 * right figures. Nothing of it is said; what is said are the words of the document, introduced in the user's language.
 */
import { describe, expect, it, test } from "vitest";
import { phrasesFor } from "../../src/answer/phrases.js";
import type { DraftEvent } from "../../src/capability/draft.js";
import type { Answer } from "../../src/domain/answer.js";
import { Gate } from "../../src/turn/gate.js";
import { World } from "../e2e/world.js";
import { passage } from "../support/fake-retrieval.js";
import { locales } from "../support/locales.js";
import { searchReply, speechReply, textReply } from "../support/openai-replies.js";
import { EVIDENCE, INVENTIONS } from "./support/foreign-inventions.js";

/** In one word, so that no words of it tell a language. */
const TITLE = "X9";
const LANGUAGES = ["en", "es", "fr", "de", "pl", "uk"] as const;

const claim = (text: string, quote: string): DraftEvent => ({ type: "claim", text, source: "p", quote });

async function gated(language: string, document: string, drafts: readonly DraftEvent[]): Promise<Answer> {
  const gate = new Gate(
    {
      question: "X9?",
      persona: "default",
      phrases: phrasesFor("default", locales.of(language)),
      route: { route: "knowledge", layer: "default", confidence: 1 },
      language,
    },
    () => 0,
  );
  const all = async function* (): AsyncGenerator<DraftEvent> {
    yield { type: "passages", passages: [passage("p", document, { title: TITLE })] };
    yield* drafts;
    yield { type: "end", searched: "found", degraded: false };
  };
  let answer: Answer | undefined;
  for await (const event of gate.run(all())) if (event.type === "answer") answer = event.answer;
  return answer!;
}

const evidenceFor = (language: string) => (language === "en" ? EVIDENCE.de : EVIDENCE.en);

describe("inventions with the right figures", () => {
  it.each(INVENTIONS)("in $language are not said: $text", async ({ language, quote, text }) => {
    const { text: said } = await gated(language, evidenceFor(language), [claim(text, quote)]);
    expect(said).not.toContain(text);
    // What is said instead are the document's own words.
    expect(said).toContain(quote);
  });
});

describe("a claim in another language than its source", () => {
  const introduced = (language: string, there: string) =>
    phrasesFor("default", locales.of(language)).saysInLanguage(TITLE, there);

  it("is the document's sentence, introduced in the user's language", async () => {
    const [first] = INVENTIONS;
    const { text, spoken, outcome, claims } = await gated("es", EVIDENCE.en, [
      claim(first!.text, first!.quote),
    ]);
    expect(text).toBe(`X9 dice, en inglés: ${first!.quote}`);
    expect(spoken).toBe(`X nueve dice, en inglés: ${first!.quote}`);
    expect(outcome).toBe("answered");
    expect(claims).toMatchObject([{ text: first!.quote, verdict: "supported", said: true }]);
  });

  it("is introduced once, and said once", async () => {
    const quote = "The cold room door stays open for at most 10 minutes.";
    const { text } = await gated("de", EVIDENCE.en, [
      claim("Die Tür des Kühlraums bleibt höchstens 10 Minuten offen.", quote),
      claim("Nach 10 Minuten ist die Tür des Kühlraums zu.", quote),
    ]);
    expect(text).toBe(`${introduced("de", "en")} ${quote}`);
  });

  const STEPS =
    "1. Switch the press off at the main switch.\n2. Hang the red padlock on the main switch.\n3. Try to start the press.";

  it("says a procedure whole", async () => {
    const { text } = await gated("es", STEPS, [
      claim("Apague la prensa con el interruptor principal.", "Switch the press off at the main switch"),
      claim(
        "Cuelgue el candado rojo en el interruptor principal.",
        "Hang the red padlock on the main switch",
      ),
      claim("Intente poner en marcha la prensa.", "Try to start the press"),
    ]);
    const places = ["Switch the press off", "Hang the red padlock", "Try to start"].map((one) =>
      text.indexOf(one),
    );
    expect(text.startsWith(introduced("es", "en"))).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });

  it("says nothing of a procedure in another order", async () => {
    const { text, outcome } = await gated("es", STEPS, [
      claim("Intente poner en marcha la prensa.", "Try to start the press"),
      claim("Apague la prensa con el interruptor principal.", "Switch the press off at the main switch"),
    ]);
    expect(text).not.toMatch(/Switch|Try|Intente|Apague/);
    expect(outcome).toBe("partial");
  });

  it("points to the document where its sentence cannot be said", async () => {
    const quote = "The door stays open for at most 10 minutes";
    const endless = `${quote} ${"and the alarm is on ".repeat(400)}.`;
    const { text, outcome } = await gated("es", endless, [
      claim("La puerta queda abierta como máximo 10 minutos.", quote),
    ]);
    expect(text).toBe(phrasesFor("default", locales.of("es")).hasInLanguage(TITLE, "en"));
    expect(outcome).toBe("partial");
  });
});

describe("over the wire", () => {
  const QUESTIONS: Readonly<Record<(typeof LANGUAGES)[number], string>> = {
    en: "How long do I have to wait before I open the lid?",
    es: "¿Cuánto tiempo tengo que esperar antes de abrir la tapa?",
    fr: "Combien de temps faut-il attendre avant d'ouvrir le couvercle ?",
    de: "Wie lange muss ich warten, bevor ich den Deckel öffne?",
    pl: "Jak długo muszę czekać, zanim otworzę pokrywę?",
    uk: "Скільки часу мені треба чекати, перш ніж відкрити кришку?",
  };

  test.each(LANGUAGES)("the document's words are said, in text and in voice: %s", async (language) => {
    const { quote, text: invented } = INVENTIONS.find((one) => one.language === language)!;
    const written = JSON.stringify({ claims: [{ text: invented, passage: 1, quote }], question: "" });
    const world = await World.start({
      documents: { acme: { "x9.md": `---\ntitle: ${TITLE}\n---\n${quote}\n` } },
      config: { "retrieval.speculate": false },
      respond: {
        chat: ({ body }) =>
          body.tool_choice === "required" ? searchReply(quote.slice(0, -1)) : textReply(written),
        speech: () => speechReply({ packets: 1 }),
      },
    });
    const there = language === "en" ? "de" : "en";
    const intro = phrasesFor("default", locales.of(language)).saysInLanguage(TITLE, there);
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask(QUESTIONS[language]);
    expect(await ann.answered()).toMatchObject({ text: `${intro} ${quote}` });
    ann.askAloud(QUESTIONS[language], { request_id: "r-2" });
    expect(await ann.answered("r-2")).toMatchObject({ text: `${intro} ${quote}` });
    const spoken = world.server.speeches.map(({ input }) => input).join(" ");
    expect(spoken).toContain(quote);
    expect(spoken).not.toContain(invented);
  });
});
