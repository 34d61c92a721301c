/** Somebody is led by voice: what is said, what is kept, who else is told, and what goes elsewhere. */
import { beforeEach, describe, expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import type { DraftEvent } from "../capability/draft.js";
import { StoreUnusable } from "../store/dead-letters.js";
import type { StoredGuideRun } from "../store/guide-runs.js";
import {
  anew,
  anna,
  atRadio,
  back,
  begin,
  boris,
  clock,
  consent,
  drafted,
  ended,
  events,
  JAM,
  lead,
  locales,
  operated,
  operations,
  publish,
  reads,
  requestOf,
  restarted,
  runs,
  say,
  signal,
  told,
} from "./lead.test-util.js";
import { instruct, procedureOf, question } from "./schema/guides.test-util.js";
import { guideFile } from "./schema/read-guide.js";

beforeEach(anew);

describe("a guide by voice", () => {
  it("is begun by what it is about, asks for what it needs, and says each step as it was reviewed", async () => {
    expect(await say("walk me through clearing the jam")).toBe("Beginning: Clear a jam. Which line?");
    expect(await say("line two")).toBe("line two: is that right?");
    expect(await say("yes")).toBe("Tell the crew of line two.");
    expect(await say("why?")).toBe("Nobody may be hurt.");
    expect(await say("what can I say?")).toMatch(/^You can say: done, back, skip, go to/);
    expect(await say("done")).toBe("What does it show?");
    expect(await say("where am I")).toBe("Step 2 of 7.");
    expect(await say("zero point five bar")).toBe("0.5 bar: is that right?");
    expect(events.map(({ type }) => type)).toEqual(["guide_run_started", "guide_step_left"]);
  });

  it("says nothing but phrases, each with the guide that it came from", async () => {
    const { all } = await drafted(requestOf("walk me through clearing the jam", anna));
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(["phrase", "end"]));
    const sources = all.flatMap((event) => (event.type === "phrase" ? [event.sources] : []));
    expect(sources).toEqual(sources.map(() => [{ type: "guide", id: "jam" }]));
  });

  it("tells which guides there are for somebody, in the middle of one too", async () => {
    const hidden = { visibility: "restricted", groups: ["leads"] } as const;
    publish(
      procedureOf([instruct("a")], { id: "no", name: "Open the safe", status: "published", ...hidden }),
    );
    await restarted();
    const asked = requestOf("Which guides are there?", anna);
    const jam = "You can be led through: Clear a jam. Say “walk me through”, and which.";
    expect(await drafted(asked)).toMatchObject({ text: jam, end: { outcome: "answered", last: [] } });
    await begin();
    const back = { text: "Back to step 1.", sources: [{ type: "guide", id: "jam" }] };
    expect(await drafted(asked)).toMatchObject({ text: jam, end: { last: [back] } });
    expect(await say("which guides are there?", { ...anna, network: "mill" })).toBeUndefined();
    const more = Array.from({ length: 9 }, (_, i) =>
      procedureOf([instruct("a")], { id: `b${i}`, name: `Belt ${i}`, status: "published" }),
    );
    publish(...more);
    await restarted();
    expect(await say("list your guides")).toMatch(/^You can be led through: Belt 0, .*Belt 7, and 2 more\./);
  });

  it("asks which one is meant, and names none that may not be used", async () => {
    publish(
      procedureOf([instruct("a")], { id: "belt", name: "Change the belt of line two", status: "published" }),
      procedureOf([instruct("a")], { id: "roll", name: "Change the roll of line two", status: "published" }),
      procedureOf([instruct("a")], {
        id: "no",
        name: "Change line two",
        status: "published",
        visibility: "restricted",
        groups: ["leads"],
      }),
    );
    await restarted();
    const { end, text } = await drafted(requestOf("walk me through line two", anna));
    expect(text).toBe("Which guide: Change the belt of line two, Change the roll of line two?");
    expect(end).toMatchObject({
      outcome: "ambiguous",
      options: [{ words: "Change the belt of line two" }, {}],
    });
    const [first] = end.options!;
    expect(first!.means).toEqual({
      type: "question",
      question: "walk me through Change the belt of line two",
    });
  });

  it.each([
    ["walk me through clearing jam three", "Do you mean Clear a jam?"],
    ["start the procedure for clearing no jam", "Do you mean Clear a jam?"],
    ["How do I clear a jam?", "There is a guide for that: Clear a jam. Shall I begin?"],
    ["How do I clear a jam on line two?", undefined],
    ["When do I clear a jam?", undefined],
  ])("asks about one that is near, or that is what somebody asks for: %s", async (words, text) => {
    const { end, ...asked } = await drafted(requestOf(words, anna));
    expect(text === undefined ? await say(words) : asked.text).toBe(text);
    const means = { type: "question", question: "walk me through Clear a jam" };
    expect(end.options).toEqual(text && [{ words: "Clear a jam", means }]);
  });

  it("takes nothing that is not its own, and comes back behind it", async () => {
    expect(await say("next")).toBeUndefined();
    expect(await say("yes")).toBeUndefined();
    expect(await say("walk me through the boiler start-up")).toBeUndefined();
    expect(lead.leads(anna)).toBe(false);
    await begin();
    expect(lead.leads(anna)).toBe(true);
    expect(await say("What is the pressure of tank 4?")).toBeUndefined();
    expect(await back()).toBe("Back to step 1.");
    expect(await lead.comesBack(requestOf("", boris), signal)).toEqual([]);
    expect(await say("next", boris)).toBeUndefined();
  });

  it("leaves a short answer to a question back that waits for it", async () => {
    await begin();
    const options = [{ words: "", means: { type: "question", question: "q" } }] as const;
    const waiting = {
      type: "question",
      turn: "t",
      untilMs: 9e15,
      sources: [],
      asked: "q",
      route: "r",
      words: "w",
      options,
    } as const;
    expect(await lead.claims(requestOf("yes", anna, [waiting]))).toBe(false);
    expect(await lead.claims(requestOf("done", anna, [waiting]))).toBe(true);
  });

  it("pauses when nothing can be understood three times, and goes on", async () => {
    await begin();
    expect(await say("")).toBe("I did not understand that. Tell the crew of line two.");
    expect(await say("hmm")).toMatch(/^I did not understand that.*You can say/);
    expect(await say("")).toBe("The guide is paused. Say resume to go on.");
    expect(await back()).toBe("");
    expect(await say("resume")).toBe("Going on. Tell the crew of line two.");
  });
});

describe("a run", () => {
  it("survives a restart with its version, and tells that the guide was changed or withdrawn", async () => {
    await begin();
    publish({ ...JAM, version: 2, name: "Clear any jam" });
    await restarted();
    expect(lead.leads(anna)).toBe(true);
    expect(await say("say again")).toBe(
      "There is a newer version of this guide. This run goes on with the one it began with. Tell the crew of line two.",
    );
    expect(await say("say again")).toBe("Tell the crew of line two.");
    publish({ ...JAM, version: 3, status: "withdrawn" });
    await restarted();
    expect(await say("resume")).toMatch(/^This guide was withdrawn\. Ask your supervisor/);
  });

  it("ends where its user may not use the guide any more", async () => {
    await begin();
    publish({ ...JAM, visibility: "restricted", groups: ["leads"] });
    await restarted();
    const [run] = await runs.list({ network: "plant", limit: 1 });
    const text = JSON.stringify(guideFile({ ...JAM, visibility: "restricted", groups: ["leads"] }));
    await runs.save({ ...run!, text });
    expect(await say("next")).toBe("This guide ends here: you may not use it any more.");
    expect(lead.leads(anna)).toBe(false);
    expect(await say("next")).toBeUndefined();
  });

  it("stays where it is when it cannot be kept", async () => {
    await begin();
    const save = runs.save.bind(runs);
    runs.save = async () => {
      throw new StoreUnusable("the disk is full");
    };
    expect(await say("done")).toMatch(/^This could not be written down/);
    // What writes nothing needs no disk.
    expect(await say("say again")).toBe("Tell the crew of line two.");
    expect(await say("where am I")).toBe("Step 1 of 7.");
    runs.save = save;
    expect(await say("done")).toBe("What does it show?");
  });

  it("is one at a time", async () => {
    await begin();
    expect(await say("walk me through clearing the jam")).toMatch(
      /^You are still in another guide: Clear a jam\./,
    );
    expect(await say("quit the guide")).toBe("Shall the guide end here? Say yes or no.");
    expect(await say("yes")).toBe("The guide ends here.");
    expect(events.at(-1)).toMatchObject({ type: "guide_run_ended", how: "quit" });
    expect(await say("walk me through clearing the jam")).toMatch(/^Beginning/);
  });
});

describe("the site", () => {
  async function toCheck(): Promise<string | undefined> {
    await begin();
    await say("done");
    await say("0.5 bar");
    return say("yes");
  }

  it("is read before a person is asked", async () => {
    reads({ said: "Conveyor two is stopped.", fits: true, takenAtMs: 5 });
    expect(await toCheck()).toBe(
      "Conveyor two is stopped. Have it confirmed. Somebody else has to confirm this, at their own radio.",
    );
  });

  it("has a person asked where it cannot be read", async () => {
    expect(await toCheck()).toBe("The system cannot read that now. Has it stopped?");
    expect(await say("yes")).toMatch(/^Have it confirmed/);
  });

  it("is operated by a proposal with its full consent, and its outcome leads on", async () => {
    reads({ said: "It is stopped.", fits: true, takenAtMs: 5 });
    await toCheck();
    const opens = { operation: "op-1", untilMs: 9 };
    const proposed = { type: "proposed", operation: { proposal: { id: "op-1" } } } as unknown as DraftEvent;
    const end = { type: "end", searched: "not_needed", degraded: false, outcome: "proposed", opens } as const;
    operations.proposes = [proposed, { type: "phrase", text: "Start conveyor two. Say yes." }, end];
    expect(await say("done")).toMatch(/^Somebody else has to confirm/);
    expect(await say("I confirm for anna")).toMatch(/^Somebody else has to confirm/);
    // Over a door that two could speak over as one, nobody is the second.
    const byBoris = requestOf("I confirm for Anna", boris);
    const elsewhere = [undefined, { ...consent, isTrusted: false }, { ...consent, isShared: true }];
    const others = elsewhere.map((path) => ({ ...byBoris, consent: path }));
    for (const request of [{ ...byBoris, access: { ...boris, kiosk: true } }, ...others])
      expect((await drafted(request)).text).toMatch(/^I can't take your confirmation here\./);
    const confirmed = await drafted(byBoris);
    expect(confirmed.text).toBe("Thank you. Your confirmation is in the record of anna.");
    expect(told).toMatchObject([
      { to: { network: "plant", username: "anna" }, parts: [{ text: "Start it." }] },
    ]);
    // Nothing is proposed to who has not spoken: their next word begins it, once.
    expect(await back()).toBe("");
    const begun = await drafted(requestOf("done", anna));
    expect(begun).toMatchObject({ text: "Start conveyor two. Say yes.", end });
    expect(await say("done")).toMatch(/^Something is still being operated/);
    expect(operations.asked).toEqual(["start plant/conveyor/cv2"]);
    operations.outcomeNow = "verified";
    expect(await back()).toBe("That is done. Count your tools.");
  });

  it("takes what came of one operation for nothing at the next, behind a hold point and after a restart", async () => {
    const hold = { id: "hold", kind: "hold_point", title: "Nobody near", text: "Have it confirmed." };
    const steps = [operated("stop"), hold, operated("start")];
    publish(procedureOf(steps, { id: "two", name: "Two in a row", status: "published" }));
    await restarted();
    const end = { type: "end", searched: "not_needed", degraded: false, outcome: "proposed" } as const;
    const proposed = { type: "proposed", operation: { proposal: { id: "op-1" } } } as unknown as DraftEvent;
    operations.proposes = [proposed, { ...end, opens: { operation: "op-1", untilMs: 9 } }];
    await say("walk me through two in a row");
    operations.outcomeNow = "verified";
    expect(await back()).toMatch(/^That is done\. Have it confirmed\./);
    await say("I confirm for anna", boris);
    expect(await back()).toBe("");
    await restarted();
    expect(await back()).toBe("");
    await say("yes");
    expect(operations.asked).toEqual(["stop plant/conveyor/cv2", "start plant/conveyor/cv2"]);
  });

  it("asks nobody to consent to what is so already, and goes on otherwise where it is refused", async () => {
    const start = procedureOf(
      [
        { ...operated("start"), title: "Start it", otherwise: "call" },
        instruct("count", { text: "Count your tools.", next: "z" }),
        instruct("call", { text: "Call the leader." }),
      ],
      { id: "start", name: "Start up", status: "published" },
    );
    publish(start);
    await restarted();
    const end = { type: "end", searched: "not_needed", degraded: false } as const;
    operations.proposes = [
      { type: "phrase", text: "It runs already." },
      { ...end, outcome: "answered" },
    ];
    expect(await say("walk me through the start up")).toBe(
      "Beginning: Start up. It runs already. Nothing had to be done. Count your tools.",
    );
    expect(operations.asked).toEqual(["start plant/conveyor/cv2"]);
    await say("quit the guide");
    await say("yes");
    operations.proposes = [
      { type: "phrase", text: "That may not be done." },
      { ...end, outcome: "not_offered" },
    ];
    expect(await say("walk me through the start up")).toMatch(
      /That may not be done\. It is not done.*Call the leader\.$/,
    );
    await say("quit the guide");
    await say("yes");
    const proposed = { type: "proposed", operation: { proposal: { id: "op-1" } } } as unknown as DraftEvent;
    operations.proposes = [
      proposed,
      { ...end, outcome: "proposed", opens: { operation: "op-1", untilMs: 9 } },
    ];
    const waiting = await drafted(requestOf("walk me through the start up", anna));
    expect(waiting.end.opens).toEqual({ operation: "op-1", untilMs: 9 });
    expect(await back()).toBe("");
    expect(await say("back")).toMatch(/^Something is still being operated here/);
    operations.outcomeNow = "verified";
    expect(await back()).toBe("That is done. Count your tools.");
    expect(await back()).toBe("Back to step 2.");
  });

  it("leads on unasked when an operation ends after the turn of its consent", async () => {
    const steps = [operated("start"), instruct("count", { text: "Count your tools." })];
    publish(procedureOf(steps, { id: "start", name: "Start up", status: "published" }));
    await restarted();
    const proposed = { type: "proposed", operation: { proposal: { id: "op-1" } } } as unknown as DraftEvent;
    const opens = { operation: "op-1", untilMs: 9 };
    operations.proposes = [
      proposed,
      { type: "end", searched: "not_needed", degraded: false, outcome: "proposed", opens },
    ];
    await say("walk me through the start up");
    ended("verified");
    await settle();
    await clock.advance(3_000);
    await settle();
    expect(told.map(({ parts }) => parts.map(({ text }) => text).join(" "))).toEqual([
      "That is done. Count your tools.",
    ]);
  });
});

describe("others", () => {
  it("are told when help is asked for, and the user what to do", async () => {
    await begin();
    expect(await say("help")).toBe(
      "Help is being called. Stay safe, and wait here. Call the emergency number now, and tell the people around you.",
    );
    expect(told).toEqual([
      {
        to: { network: "plant", username: "dora" },
        parts: [expect.objectContaining({ text: "anna asks for help in Clear a jam, at Tell the crew." })],
      },
    ]);
  });

  it("are told though their call cannot be written down, and who has nobody to call hears that", async () => {
    const dora = { ...anna, username: "dora" };
    await say("walk me through clearing the jam", dora);
    expect(await say("help", dora)).toBe(
      `${locales.of("en").say("guide_help_nobody")} Call the emergency number now, and tell the people around you.`,
    );
    await begin();
    runs.save = async () => {
      throw new StoreUnusable("the disk is full");
    };
    expect(await say("help")).toMatch(/^This could not be written down/);
    expect(told.map(({ to }) => to.username)).toEqual(["dora"]);
  });

  it("are told in an emergency, whether that can be written down or not", async () => {
    await begin();
    const call = () => lead.callsHelp({ access: anna, locale: locales.of("de") }, signal);
    const said = {
      text: "Nur diesen Kollegen wird Bescheid gegeben: dora.",
      sources: [{ type: "guide", id: "jam" }],
    };
    expect(await call()).toEqual([said]);
    const [stored] = (await runs.list({ network: "plant", limit: 1 })) as [StoredGuideRun];
    expect(JSON.parse(stored.run).run.log.at(-1)).toMatchObject({ what: "help", at: "tell", by: "anna" });
    runs.save = async () => {
      throw new StoreUnusable("the disk is full");
    };
    expect(await call()).toEqual([said]);
    expect(told.map(({ to }) => to.username)).toEqual(["dora", "dora"]);
    expect(await lead.callsHelp({ access: boris, locale: locales.of("en") }, signal)).toEqual([]);
  });

  it("take a run over by name where they may use the guide", async () => {
    await begin();
    expect(await say("hand over to Zoe")).toMatch(/^I cannot hand it over to that person\. They have to be/);
    expect(await say("hand over to Carla")).toBe("The guide is handed over to carla.");
    expect(told[0]).toMatchObject({
      to: { username: "carla" },
      parts: [{ text: "anna hands a guide over to you: Clear a jam." }],
    });
    expect(await say("done")).toBeUndefined();
    const carla = { ...anna, username: "carla" };
    expect(await say("done", carla)).toBe("Tell the crew of line two.");
    expect(await say("done", carla)).toBe("What does it show?");
    atRadio.push("zoe");
    expect(await say("hand over to Zoe", carla)).toMatch(/handed over to zoe/);
  });

  it("are told of a time that somebody wanted to be told of, after a restart too", async () => {
    await begin();
    expect(await say("tell me in nine hours")).toMatch(/^I can tell you in one second to eight hours/);
    expect(await say("tell me in five minutes")).toBe("I will tell you when this time is over: 5 minutes.");
    await clock.advance(200_000);
    await restarted();
    await clock.advance(99_000);
    expect(told.filter(({ to }) => to.username === "anna")).toEqual([]);
    await clock.advance(2_000);
    await settle();
    expect(told.map(({ parts }) => parts[0]!.text)).toContain("Your time is over: 5 minutes.");
  });
});

it("answers a question of a tree by any of its words, in German as well", async () => {
  publish(
    procedureOf(
      [
        question("lamp", { Rot: "a", Grün: "z" }, { text: "Welche Farbe hat die Lampe?" }),
        instruct("a", { text: "Deckel schließen." }),
      ],
      { id: "lampe", name: "Die Lampe prüfen", status: "published", language: "de" },
    ),
  );
  await restarted();
  expect(await say("führ mich durch die Lampe")).toBe(
    "Wir beginnen: Die Lampe prüfen. Welche Farbe hat die Lampe? Sie können antworten: Rot, Grün.",
  );
  expect(await say("rot")).toBe("Deckel schließen.");
  expect(await say("Wo bin ich?")).toBe("Schritt 2 von 2.");
});

it("keeps what it was said in its record", async () => {
  await begin();
  await say("take a note that the lid is cracked");
  const [stored] = (await runs.list({ network: "plant", limit: 1 })) as [StoredGuideRun];
  const note = { what: "note", text: "the lid is cracked", by: "anna" };
  expect(JSON.parse(stored.run).run.log.at(-1)).toMatchObject(note);
});
