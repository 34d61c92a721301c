import { describe, expect, it } from "vitest";
import { passage, ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { askRequest, gatedAnswer } from "../../test/support/gated.js";
import { english, locales } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import type { Draft } from "../capability/capability.js";
import type { User } from "../domain/user.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { createEmergency, EMERGENCY_SEARCH_MS_MAX, SECTION_READ_MS_MAX } from "./emergency.js";

const NUMBER = "Which number do I call in an emergency?";
const NOBODY = english.say("emergency_nobody_called");
const PHRASE = `${english.say("emergency")} ${NOBODY}`;
const fire = passage("fire", "1. Shout.\n2. Leave by the nearest exit.", {
  title: "Fire",
  headings: ["You discover a fire"],
});
const number = passage("number", "In an emergency call 2222.", { title: "Emergency number" });

/** For whom what waited for their consent is void. */
let voided: string[] = [];

function emergency(signs: string, retrieval: ScriptedRetrieval, clock = new VirtualClock()): Draft {
  const phraseOf = locales.emergency.bind(locales);
  const voidFor = ({ username }: User) => void voided.push(username);
  const deps = { clock, retrieval, resultsMax: 5, searchTimeoutMs: 5_000, phraseOf, voidFor };
  const draft = createEmergency(deps);
  return (request, signal) => draft({ ...request, emergency: { language: "en", signs } }, signal);
}

function searched(
  question: string,
  found: readonly ReturnType<typeof passage>[],
  numbers = [] as typeof found,
) {
  return new ScriptedRetrieval()
    .expectSearch(NUMBER, numbers)
    .expectSearch(question, [])
    .expectSearch("What are the steps for fire?", found);
}

describe("an emergency", () => {
  it("is answered with the steps of the documents, and that nobody was called where they do not tell to", async () => {
    const question = "fire in bay two";
    const answer = await gatedAnswer(emergency("fire", searched(question, [fire])), { question });
    expect(answer).toMatchObject({ outcome: "answered" });
    expect(answer.text).toMatch(/Shout.*Leave by the nearest exit/);
    expect(answer.text.endsWith(PHRASE)).toBe(true);
  });

  it("is answered from where what happened is supposed, and not with steps that have some of its words", async () => {
    const question = "glaze in my eye";
    const section = { title: "Glazes", headings: ["Mixing glaze"] };
    const mixing = passage(
      "mixing",
      "1. Weigh the glaze powder.\n2. Add it to the water.\n3. Stir.",
      section,
    );
    const rinse = "If glaze gets into the eye, rinse it for ten minutes.";
    const eye = passage("eye", `Lids stay closed. ${rinse}`, section);
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [mixing, eye])
      .expectSearch("What are the steps for glaze eye?", [mixing, eye]);
    expect((await gatedAnswer(emergency("glaze eye", retrieval), { question })).text).toBe(
      `${rinse} ${PHRASE}`,
    );
  });

  it("is answered with all of a list, and not with the step of another matter that ends in an if", async () => {
    const question = "she is trapped by the gate";
    const gate = { title: "Gates", headings: ["When something goes wrong"] };
    const trapped = passage(
      "gate",
      "1. Press the red knob.\n2. If somebody is trapped, lift the bar.\n3. Shout.",
      gate,
    );
    const oil = "1. Warm the oil.\n2. Stop the drive first if somebody is trapped.";
    const lift = passage("lift", oil, { title: "Gates", headings: ["Changing the oil"] });
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [lift, trapped])
      .expectSearch("What are the steps for trapped?", []);
    const { text } = await gatedAnswer(emergency("trapped", retrieval), { question });
    expect(text).toMatch(/^Step 1: Press the red knob\. .*Shout\. /);
  });

  it("is answered with what stands behind the label that names it, in whatever words, and with no other label", async () => {
    const text =
      "- Hand caught in the roller: press the red bar. Do not pull.\n- Caustic in the eye: rinse it.\n- Small fire: use the blanket.";
    const injuries = passage("injuries", text, { title: "Safety", headings: ["Injuries"] });
    const question = "my mate's hand is stuck in the roller";
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [injuries])
      .expectSearch("What are the steps for hand stuck?", [injuries]);
    expect((await gatedAnswer(emergency("hand stuck", retrieval), { question })).text).toBe(
      `Do not pull. Hand caught in the roller: press the red bar. ${PHRASE}`,
    );
  });

  it("is answered with the whole of a section that names what happened, not with one of its sentences", async () => {
    const text =
      "Leave the lid on.\n\n- Press the knob on the post\n- Close the flue\n- Sound the fire horn and walk to the gate";
    const smoker = passage("smoker", text, { title: "Yard", headings: ["4. Fire in the smoker"] });
    const { text: said } = await gatedAnswer(emergency("fire", searched("fire in bay two", [smoker])), {
      question: "fire in bay two",
    });
    expect(said).toMatch(
      /^Leave the lid on\. Press the knob on the post\. Close the flue\. Sound the fire horn/,
    );
  });

  it("is not answered by what is done after each of those whom it happened to", async () => {
    const text = "Rinse the lines after each patient. After a holiday: 5 minutes.";
    const rinsing = passage("rinsing", text, { title: "Practice", headings: ["Water lines"] });
    const question = "a patient has passed out in the chair";
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [rinsing])
      .expectSearch("What are the steps for passed out?", [rinsing]);
    expect((await gatedAnswer(emergency("passed out", retrieval), { question })).text).toBe(PHRASE);
  });

  it("is not answered from a sentence that has one of its words in another meaning", async () => {
    const belts = passage("belts", "Clear the rollers. Stand back while the belt runs.", {
      title: "Plant",
      headings: ["Conveyors"],
    });
    const question = "the truck ran over his foot";
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [belts])
      .expectSearch("What are the steps for ran over foot?", [belts]);
    expect((await gatedAnswer(emergency("ran over foot", retrieval), { question })).text).toBe(PHRASE);
  });

  it("is answered with the phrase where the documents say nothing, and with their number where they name one", async () => {
    const question = "fire in bay two";
    const nothing = await gatedAnswer(emergency("fire", searched(question, [])), { question });
    expect(nothing).toMatchObject({ text: PHRASE, outcome: "not_in_documents" });
    const named = await gatedAnswer(emergency("fire", searched(question, [], [number])), { question });
    expect(named.text).toBe(`In an emergency call 2222. ${NOBODY}`);
  });

  it("is not answered with a list that tells nobody what to do", async () => {
    const question = "the bin caught fire";
    const examples = passage(
      "plan",
      "Some examples of these scenarios include:\n\n- A fire starts in the hall.\n- The power fails.\n- Someone is caught stealing.",
      {
        title: "Emergency plan",
        headings: ["Scenarios"],
      },
    );
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [])
      .expectSearch("What are the steps for caught fire?", [examples]);
    expect((await gatedAnswer(emergency("caught fire", retrieval), { question })).text).toBe(PHRASE);
  });

  it("is answered with the section that is about it where no steps are found, in whatever words, and whom to call", async () => {
    const question = "acid in his eyes";
    const eyes = passage("spill", "Rinse the eyes with the eyewash for at least 15 minutes.", {
      title: "Chemical spill",
      headings: ["Chemical in the eyes or on the skin"],
    });
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [eyes])
      .expectSearch("What are the steps for acid eyes?", [eyes]);
    expect(await gatedAnswer(emergency("acid eyes", retrieval), { question })).toMatchObject({
      text: `Rinse the eyes with the eyewash for at least 15 minutes. ${PHRASE}`,
      outcome: "partial",
    });
  });

  it("is answered from where a section speaks of what happened, and not by one that only has its words", async () => {
    const question = "a battery's just caught fire";
    const carrying = passage("carrying", "Charged batteries go into a fire-proof bag. Call the helpdesk.", {
      title: "Batteries",
      headings: ["Swapping"],
    });
    const text = "Bags lie beside the chargers. In the unlikely event of a fire:\n\n- Leave the bag closed.";
    const charging = passage("charging", text, { title: "Batteries", headings: ["Charging"] });
    const alarm = passage("alarm", "Trigger the alarm.", { title: "Batteries", headings: ["Charging"] });
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [carrying, charging])
      .expectSearch("What are the steps for caught fire?", [carrying]);
    retrieval.documents.set(charging.documentId, [carrying, charging, alarm]);
    expect((await gatedAnswer(emergency("caught fire", retrieval), { question })).text).toBe(
      `In the unlikely event of a fire: Leave the bag closed. Trigger the alarm. ${PHRASE}`,
    );
  });

  it("is answered with the section whose heading supposes it, whatever is closer to the other words", async () => {
    const question = "someone fainted in the silo";
    const entry = passage("entry", "Nobody enters a silo without a permit.", { title: "Silos" });
    const rescue = passage("rescue", "Never go in after them. Raise the alarm.", {
      title: "Silos",
      headings: ["When somebody faints inside"],
    });
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [entry, rescue])
      .expectSearch("What are the steps for fainted?", []);
    expect((await gatedAnswer(emergency("fainted", retrieval), { question })).text).toBe(
      `Never go in after them. Raise the alarm. ${PHRASE}`,
    );
  });

  it("is answered with what was found of a section where the rest of it cannot be had in time", async () => {
    const question = "acid in his eyes";
    const eyes = passage("spill", "Rinse the eyes with the eyewash.", { headings: ["Chemical in the eyes"] });
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [eyes])
      .expectSearch("What are the steps for acid eyes?", [eyes]);
    retrieval.contents = () => new Promise(() => {});
    const clock = new VirtualClock();
    const answer = gatedAnswer(emergency("acid eyes", retrieval, clock), { question });
    await clock.advance(SECTION_READ_MS_MAX);
    expect((await answer).text).toBe(`Rinse the eyes with the eyewash. ${PHRASE}`);
  });

  it("is not answered with a warning alone, which says what should not have been done", async () => {
    const question = "someone is locked in the freezer";
    const warning = "Warning: Nobody works in the freezer alone.";
    const locked = passage("cold", `A red call button is on the inside of the freezer. ${warning}`, {
      title: "Cold room alarm",
      headings: ["Somebody is locked in"],
    });
    const retrieval = new ScriptedRetrieval()
      .expectSearch(NUMBER, [])
      .expectSearch(question, [locked])
      .expectSearch("What are the steps for locked in the freezer?", [locked]);
    const { text } = await gatedAnswer(emergency("locked in the freezer", retrieval), { question });
    expect(text).toContain("A red call button is on the inside of the freezer.");
    expect(text).toContain(warning);
  });

  it("voids what waits for a consent of its user, before anything is looked up", async () => {
    voided = [];
    const retrieval = new ScriptedRetrieval().expectSearch(NUMBER, new SearchUnavailable("down"));
    await gatedAnswer(emergency("", retrieval), { question: "help" });
    expect(voided).toHaveLength(1);
  });

  it("looks nothing up for a bare call for help but the number", async () => {
    const retrieval = new ScriptedRetrieval().expectSearch(NUMBER, []);
    expect((await gatedAnswer(emergency("", retrieval), { question: "help" })).text).toBe(PHRASE);
  });

  it("is answered with the phrase when the search fails, and when it hangs", async () => {
    const question = "fire";
    const failing = new ScriptedRetrieval();
    const hanging = new ScriptedRetrieval();
    for (const query of [NUMBER, question, "What are the steps for fire?"]) {
      failing.expectSearch(query, new SearchUnavailable("down"));
      hanging.expectSearch(query, "hang");
    }
    expect(await gatedAnswer(emergency("fire", failing), { question })).toMatchObject({
      text: PHRASE,
      outcome: "search_unavailable",
      degraded: true,
    });
    const clock = new VirtualClock();
    const answer = gatedAnswer(emergency("fire", hanging, clock), askRequest({ question }));
    await clock.advance(EMERGENCY_SEARCH_MS_MAX);
    expect((await answer).text).toBe(PHRASE);
  });
});
