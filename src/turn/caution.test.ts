import { describe, expect, it } from "vitest";
import { locales } from "../../test/support/locales.js";
import { phrasesFor } from "../answer/phrases.js";
import type { DraftEvent } from "../capability/draft.js";
import { TurnFailure } from "../domain/failure.js";
import { cautionFor, withCaution } from "./caution.js";
import { Gate } from "./gate.js";
import { request } from "./voice-bench.test-util.js";

const { usual: english } = locales;
const REPORT = "Dave's nailed his foot to the pallet";
const CAUTION =
  "If anyone is in danger: Call the emergency number now, and tell the people around you. I have not called anybody.";
const NOTHING: DraftEvent = { type: "end", searched: "found", degraded: false };

/** What the gate makes of a draft for `question`. */
async function told(question: string, ...draft: readonly DraftEvent[]): Promise<string> {
  const route = { route: "knowledge", layer: "default", confidence: 1 } as const;
  const caution = () => cautionFor(question, "acme", english, locales);
  const job = {
    question,
    persona: "default",
    phrases: phrasesFor("default", english),
    route,
    caution,
  } as const;
  const gate = new Gate(job, () => 0);
  async function* events() {
    yield* draft;
  }
  let text = "";
  for await (const event of gate.run(events())) if (event.type === "answer") text = event.answer.text;
  return text;
}

const says = (text: string): DraftEvent => ({ type: "phrase", text });

describe("an answer to what may be a report", () => {
  it.each<[string, readonly DraftEvent[]]>([
    ["nothing is found", [NOTHING]],
    ["the search is down", [{ ...NOTHING, searched: "unavailable" }]],
    ["it is asked back", [says("Which?"), { ...NOTHING, outcome: "ambiguous" }]],
    [
      "a passage is read for want of a model",
      [says("Part."), { ...NOTHING, degraded: true, outcome: "partial" }],
    ],
  ])("ends with whom to call where %s", async (_what, draft) => {
    expect(await told(REPORT, ...draft)).toMatch(new RegExp(`^.+ ${CAUTION}$`));
    expect(await told("What is the colour of the padlock?", ...draft)).not.toContain("danger");
  });

  it.each<[string, DraftEvent]>([
    ["it is answered", { ...NOTHING, outcome: "answered" }],
    ["an emergency was answered", { ...NOTHING, outcome: "not_in_documents", emergency: "Dial 2." }],
  ])("ends without where %s", async (_what, end) => {
    expect(await told(REPORT, says("Dial 2."), end)).toBe("Dial 2.");
  });
});

describe("a question behind a measured value", () => {
  it.each<[string, boolean]>([
    ["The tank is at 1.1 bar, is that alright?", false],
    ["The bag is 28 kilos, what do I do with it?", false],
    ["The tank is at 1.1 bar", true],
    ["Dave's arm is 2 metres down the shaft, what do I do?", true],
    ["The chlorine is at 30 ppm, what do I do?", true],
  ])("of a thing is no report: %s", (question, reports) => {
    expect(cautionFor(question, "acme", english, locales) !== undefined).toBe(reports);
  });
});

describe("a failure that refuses what may be a report", () => {
  const explained = (code: "blocked" | "cancelled", text: string, more = {}) =>
    withCaution(new TurnFailure(code, "Refused.", { cause: "why" }), { ...request, text, ...more }, locales);

  it("ends with whom to call, in the language of the message", () => {
    expect(explained("blocked", REPORT)).toMatchObject({
      code: "blocked",
      message: `Refused. ${CAUTION}`,
      cause: "why",
    });
    const inGerman = explained("blocked", "der Dirk redet nur noch wirr und erkennt mich nicht").message;
    expect(inGerman).toContain(locales.of("de").say("emergency_nobody_called"));
    expect(explained("blocked", "man down").message).toContain(CAUTION);
  });

  it("stays as it is for a question, and where the user stopped it", () => {
    expect(explained("blocked", "What is the colour of the padlock?").message).toBe("Refused.");
    expect(explained("cancelled", REPORT).message).toBe("Refused.");
  });
});
