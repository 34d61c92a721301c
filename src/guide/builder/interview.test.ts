/** A guide is written down in a chat: from the first words to the last question, with a model and without, and who may not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ScriptedModel } from "../../../test/support/fake-model.js";
import { VirtualClock } from "../../../test/support/virtual-clock.js";
import type { AskRequest, SiteCapability } from "../../capability/capability.js";
import type { DraftEvent } from "../../capability/draft.js";
import { CONSENT_MS_MAX } from "../../domain/operation.js";
import type { Access } from "../../domain/user.js";
import { seededRandom } from "../../lib/random.js";
import { loadPrompts } from "../../llm/prompts.js";
import { samplesOf, writtenGrammars } from "../../locale/commands/samples.test-util.js";
import { loadLocales } from "../../locale/load.js";
import { judgePlain } from "../../operate/consent/judge.js";
import { commands } from "../../routing/commands.js";
import { StoreUnusable } from "../../store/dead-letters.js";
import { MemoryGuideSessions } from "../../store/guide-sessions.js";
import { GuideLibrary } from "../library/library.js";
import { validateGuide } from "../validation/validate.js";
import { GuideBuilder } from "./builder.js";
import { createInterview } from "./interview.js";
import type { Patch, PatchAuthor } from "./patch.js";
import type { BuilderSession } from "./session.js";

const locales = await loadLocales();
const prompts = await loadPrompts();
const ann: Access = { network: "plant", username: "ann", groups: [], kiosk: false };
const bob: Access = { ...ann, username: "bob" };
const { signal } = new AbortController();
const BEGIN = "Let's write down how we reset the cold store.";
const HALF_AN_HOUR_MS = 1_800_000;

let clock: VirtualClock;
let model: ScriptedModel;
let library: GuideLibrary;
let sessions: MemoryGuideSessions;
let builder: GuideBuilder;
let build: SiteCapability;
let leading: string | undefined;
let reviewers: readonly string[];

/** As after a restart: what was kept is all that is known. */
function start(drafts: boolean, messages = 25): void {
  const drafting = drafts ? { clock, prompts, models: { full: model, light: model } } : undefined;
  const random = seededRandom(7);
  builder = new GuideBuilder({
    ...{ clock, random, locales, library, sessions, drafting },
    messagesMax: () => messages,
  });
  const runner = {
    leads: () => leading !== undefined,
    open: async () => ({ index: { guide: { name: leading } } }) as never,
  };
  build = createInterview({
    ...{ clock, locales, library, runner, builder, judge: judgePlain },
    ...{ route: "guide", authors: ["ann"], reviewers },
  });
}

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), "readback-interview-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  clock = new VirtualClock();
  model = new ScriptedModel(clock);
  onTestFinished(() => model.verify());
  library = await GuideLibrary.open(folder, async (documents) => new Set(documents));
  [sessions, leading, reviewers] = [new MemoryGuideSessions(), undefined, ["bob"]];
  start(false);
});

const TRUSTED = { via: "voice", isTrusted: true, pressedMs: 0 } as const;

function requestOf(text: string, fields: Partial<AskRequest> = {}, language = "en"): AskRequest {
  const locale = locales.of(language);
  return {
    question: text,
    turn: "t1",
    access: ann,
    locale,
    pending: [],
    consent: TRUSTED,
    ...fields,
  } as AskRequest;
}

/** What is said to a message; undefined: it is none of the interview's. */
async function say(
  text: string,
  fields: Partial<AskRequest> = {},
  language?: string,
): Promise<string | undefined> {
  const request = requestOf(text, fields, language);
  if (!(await build.claims(request))) return undefined;
  const events = await drafted(request);
  const session = await own();
  if (session !== undefined) expect(validateGuide(session.guide)).toEqual([]);
  return events.flatMap((event) => ("text" in event ? [event.text] : [])).join(" ");
}

/** The same, heard to its end at once, or to there. */
async function hear(
  text: string,
  fields: Partial<AskRequest> = {},
  isWhole = true,
): Promise<string | undefined> {
  await clock.advance(10);
  const consent = { ...TRUSTED, pressedMs: clock.monotonic() };
  const told = await say(text, { access: bob, consent, ...fields });
  build.heard?.({ turn: "t1", heard: told ?? "", isWhole });
  return told;
}

/** As far as a second person, without a model. */
async function written(): Promise<BuilderSession> {
  for (const text of [BEGIN, "For the night shift.", "none", "Open the cabinet. Press the reset button."])
    await say(text);
  for (const text of [
    "That is all.",
    "Step two, keep your hand off the belt.",
    "Step one: the light comes on.",
  ])
    await say(text);
  await say("yes");
  return (await own())!;
}

async function drafted(request: AskRequest): Promise<readonly DraftEvent[]> {
  const events: DraftEvent[] = [];
  for await (const event of build.draft(request, signal)) events.push(event);
  return events;
}

/** The session as HTTP and the page find it. */
async function own(): Promise<BuilderSession | undefined> {
  return (await builder.list(ann, signal, false))[0];
}

describe("without a model", () => {
  it("goes from the first words to a guide that waits for a second person, one question a press", async () => {
    expect(await say(BEGIN)).toBe(
      "Writing down: Reset the cold store. What is this guide for, and who works by it?",
    );
    expect(await say("For the night shift, after an alarm.")).toMatch(/^What differs/);
    expect(await say("Nothing.")).toMatch(/^What is done first/);
    expect(await say("Warning: the fan starts by itself. Open the cabinet. Press the reset button.")).toMatch(
      /^What is done next/,
    );
    start(false);
    expect(await say("Start pump two.")).toMatch(/^What is done next/);
    expect(await say("Read it back.")).toBe(
      "1. Warning: the fan starts by itself. Open the cabinet. 2. Press the reset button. 3. Start pump two. " +
        "4. Reset the cold store What is done next? Say that is all when it is complete.",
    );
    expect(await say("Undo that")).toMatch(/^The last change is taken back\. What is done next/);
    expect((await own())?.guide.steps).toHaveLength(3);
    expect(await say("say again")).toMatch(/^What is done next/);
    expect(await say("That's all")).toMatch(
      /^Which of these steps is dangerous.* 2\. Press the reset button\./,
    );
    expect(await say("Step two, keep your hand off the belt.")).toMatch(/^How does one see/);
    expect(await say("Step one: the light comes on. Number two the lamp is green.")).toMatch(/^Is it right/);
    expect(await say("Yes, that's right")).toMatch(/^Is it right|^Begin each line/);
    expect(await say("yes")).toMatch(/^The guide is complete\. Somebody else has to approve it/);
    const session = (await own())!;
    expect(session).toMatchObject({ phase: "generation", owner: "ann", isSpoken: false });
    expect(session.guide.steps).toMatchObject([
      {
        text: "Open the cabinet.",
        warning: "Warning: the fan starts by itself.",
        expectedOutcome: "the light comes on.",
      },
      {
        text: "Press the reset button.",
        warning: "keep your hand off the belt.",
        expectedOutcome: "the lamp is green.",
      },
      { kind: "end" },
    ]);
    const told = session.trail.map(({ about, by, what }) => [by, what, about].filter(Boolean).join(" "));
    expect(told.slice(0, 4)).toEqual([
      "ann begun",
      "ann voice begins",
      "ann said open_chat",
      "ann changed describe",
    ]);
    expect(told.at(-1)).toBe("ann voice ends");
    expect(await say("What is the lockout rule?")).toBeUndefined();
  });

  it("is left by a word, is taken up by its name, and is the session that other doors show", async () => {
    await say(BEGIN);
    expect(await say("stop")).toMatch(/^I have stopped writing\. It is kept/);
    expect(await say("For the night shift.")).toBeUndefined();
    const { id, version } = (await own())!;
    await builder.say(
      { id, version, access: ann, signal },
      { text: "For the night shift.", action: "open_chat" },
    );
    expect(await say("write a guide for resetting pumps")).toMatch(/^Writing down: Resetting pumps/);
    expect(await say("I want to write down how to reset the cold store")).toMatch(
      /^Writing down: Reset the cold store\. What differs/,
    );
    expect(await say(BEGIN)).toMatch(/^Writing down: Reset the cold store\. What differs/);
    await say("cancel");
    expect(await say("For the night shift.")).toBeUndefined();
    expect((await builder.list(ann, signal, false)).length).toBe(2);
  });

  it("makes the next version of a guide that there is", async () => {
    await say(BEGIN);
    const { guide } = (await own())!;
    await library.save("plant", { ...guide, status: "published", owner: "ann" });
    sessions = new MemoryGuideSessions();
    start(false);
    expect(await say(BEGIN)).toMatch(/^Writing down: Reset the cold store\. What is done next/);
    expect((await own())?.base).toBe("reset-the-cold-store");
  });

  it.each([
    [
      "de",
      "Lass uns aufschreiben, wie man das Kühlhaus zurücksetzt",
      "Das Kühlhaus zurücksetzt",
      "Wofür",
      "Keine.",
    ],
    ["es", "Escribamos cómo reiniciar la cámara fría", "Reiniciar la cámara fría", "Para qué", "Nada."],
    [
      "fr",
      "Écrivons comment on réarme la chambre froide",
      "Réarme la chambre froide",
      "À quoi|Pour quoi",
      "Rien.",
    ],
    ["pl", "Zapiszmy, jak zresetować chłodnię", "Zresetować chłodnię", "Do czego", "Nic."],
    [
      "uk",
      "Запишімо, як ми перезапускаємо холодильну камеру",
      "Перезапускаємо холодильну камеру",
      "Для чого",
      "Немає.",
    ],
  ])("speaks %s", async (language, words, name, question, none) => {
    expect(await say(words, {}, language)).toMatch(new RegExp(`${name}\\. .*(?:${question})`));
    expect((await own())?.guide).toMatchObject({ language, name });
    await say("x", {}, language);
    expect(await say(none, {}, language)).toBe(locales.of(language).say("guide_build_ask_steps"));
  });

  it("understands each of its own templates, in every language", () => {
    const missed = writtenGrammars
      .flatMap((grammar) => samplesOf(grammar, 4))
      .filter(({ section }) => section === "build")
      .filter(({ intent, text }) => commands.orders(commands.hear(text), "build")[0]?.intent !== intent);
    expect(missed.map(({ intent, language, text }) => `${language} ${intent}: ${text}`)).toEqual([]);
  });
});

describe("who may not, and when", () => {
  it.each<[string, Partial<AskRequest>]>([
    ["somebody whom the settings do not name", { access: bob }],
    ["a kiosk", { access: { ...ann, kiosk: true } }],
    ["a door that carries no consent", { consent: undefined }],
    ["a relay that may not be trusted with consent", { consent: { ...TRUSTED, isTrusted: false } }],
    ["a program", { consent: { ...TRUSTED, via: "http" } }],
    ["somebody who was asked for consent", { pending: [{ type: "proposal" } as never] }],
  ])("%s is not taken for an author", async (_who, fields) => {
    expect(await say(BEGIN, fields)).toBeUndefined();
    await say(BEGIN);
    expect(await say("For the night shift.", fields)).toBeUndefined();
  });

  it("waits half an hour for the next word, and begins nothing while a guide leads", async () => {
    leading = "Clear a jam";
    expect(await say(BEGIN)).toBe(
      "You are still in another guide: Clear a jam. Say resume, or quit the guide first.",
    );
    leading = undefined;
    await say(BEGIN);
    await clock.advance(HALF_AN_HOUR_MS);
    expect(await say("For the night shift.")).toBeUndefined();
    expect(await say(BEGIN)).toMatch(/What is this guide for/);
  });

  it("says when there are no messages left, nothing to take back, and nowhere to keep it", async () => {
    start(false, 1);
    await say(BEGIN);
    expect(await say("take that back")).toMatch(/^There is nothing to take back\. What is this guide for/);
    await say("For the night shift.");
    expect(await say("none")).toMatch(/^That is as much as I can take/);
    sessions.save = async () => {
      throw new StoreUnusable("full");
    };
    expect(await say("stop")).toMatch(/^This could not be written down/);
    sessions.list = async () => {
      throw new StoreUnusable("gone");
    };
    expect(await build.claims(requestOf("stop"))).toBe(false);
  });
});

const REVIEW = "Review how we reset the cold store.";
const READ =
  "For your review: Reset the cold store. For the night shift. " +
  "1. Open the cabinet. the light comes on. 2. keep your hand off the belt. Press the reset button. " +
  "3. Reset the cold store Do you approve it?";

describe("from the review to the publication", () => {
  const trail = ({ trail: lines }: BuilderSession) =>
    lines.map(({ about = "", by, what }) => `${by} ${what} ${about}`.trim());

  it("says who has to approve it, is read to them, and is published at its author's word", async () => {
    await written();
    expect(await say("Publish it.")).toBe(
      "It has to be approved first. These may do that: bob. They say review how, and its name.",
    );
    expect(await hear(REVIEW)).toBe(READ);
    expect(await hear("Yes, I approve it.")).toBe("Approved: Reset the cold store. ann can publish it now.");
    expect(await hear(REVIEW)).toBe("Approved: Reset the cold store. ann can publish it now.");
    expect(await say("publish how we reset the cold store")).toBe("Published: Reset the cold store.");
    expect(trail((await own())!).slice(-2)).toEqual([
      "bob approved heard",
      "ann published reset-the-cold-store 1",
    ]);
    expect(await library.list(ann, signal)).toMatchObject([{ version: 1, status: "published" }]);
    expect(await say("publish it")).toBeUndefined();
  });

  it("counts no yes before all of it was heard, nor one that comes long after", async () => {
    await written();
    await hear(REVIEW, {}, false);
    expect(await hear("Yes.", {}, false)).toBe(
      READ.replace(
        "For your review: Reset the cold store.",
        "An approval counts once all of it was heard. Listen to the end.",
      ),
    );
    const pressedMs = clock.monotonic();
    expect(await hear("yes")).toMatch(/^An approval counts once/);
    expect(await hear("yes", { consent: { ...TRUSTED, pressedMs } })).toMatch(/^An approval counts once/);
    await clock.advance(CONSENT_MS_MAX);
    expect(await hear("yes")).toMatch(/^An approval counts once/);
    expect((await own())!.state.status).toBe("open");
    expect(await hear("say again")).toMatch(/Do you approve it\?$/);
    expect(await hear("I guess so")).toBe("Do you approve it?");
    expect(await hear("go ahead")).toMatch(/^Approved/);
  });

  it.each(["No.", "stop", "wait a moment"])("ends without an approval at %s", async (words) => {
    await written();
    await hear(REVIEW);
    expect(await hear(words)).toBe("It is not approved.");
    expect(await hear("yes")).toBeUndefined();
    const session = (await own())!;
    expect([session.state.status, trail(session).at(-1)]).toEqual(["open", "bob declined heard"]);
  });

  it("is void once the guide was changed, or something else was said, or after a restart", async () => {
    const { id, version } = await written();
    await hear(REVIEW);
    const patches = [
      { op: "modify", id: "open-the-cabinet", fields: { text: "Open the grey cabinet." } },
    ] as const;
    const change = { type: "patched", author: { type: "person", name: "ann" }, patches } as const;
    await builder.change({ id, version, access: ann, signal }, () => change);
    expect(await hear("yes")).toBe(
      "It has been changed since you heard it, so it is not approved. Ask for its review again.",
    );
    await hear(REVIEW);
    expect(await hear("How long is the lunch break?")).toBeUndefined();
    expect(await hear("yes")).toBeUndefined();
    await hear(REVIEW);
    start(false);
    expect(await hear("yes")).toBeUndefined();
    expect((await own())!.state.status).toBe("open");
  });

  it.each<[string, Partial<AskRequest>]>([
    ["its author", { access: ann }],
    ["somebody whom the settings do not name", { access: { ...ann, username: "eve" } }],
    ["a kiosk", { access: { ...bob, kiosk: true } }],
    ["a door that carries no consent", { consent: undefined }],
    ["a relay that may not be trusted with consent", { consent: { ...TRUSTED, isTrusted: false } }],
    ["a program", { consent: { ...TRUSTED, via: "http" } }],
    ["whoever stands there", { consent: { ...TRUSTED, isShared: true } }],
  ])("is not read to %s", async (_who, fields) => {
    await written();
    expect((await hear(REVIEW, fields)) ?? "").not.toMatch(/Do you approve/);
    await hear(REVIEW);
    expect((await hear("yes", fields)) ?? "").not.toMatch(/^Approved/);
    expect((await own())!.state.status).toBe("open");
    reviewers = ["ann", "bob"];
    start(false);
    expect(await hear(REVIEW, { access: ann })).toBe("No guide of that name waits for your review.");
  });

  it("says what else is in the way of it", async () => {
    await say(BEGIN);
    expect(await say("publish it")).toBe(
      "It is not complete yet. What is this guide for, and who works by it?",
    );
    expect(await hear(REVIEW)).toBe("No guide of that name waits for your review.");
    let { id, version } = await written();
    const patched = async (fields: object, author: PatchAuthor = { type: "person", name: "ann" }) => {
      const patches = [{ op: "modify", id: "open-the-cabinet", fields }] as readonly Patch[];
      ({ version } = await builder.change({ id, version, access: ann, signal }, () => ({
        type: "patched",
        author,
        patches,
      })));
    };
    await patched({ commands: [{ code: "reset --all" }] });
    expect(await hear(REVIEW)).toBe("Not all of it can be heard. Review it in the editor.");
    await patched({ commands: null, help_text: "It is warm inside. ".repeat(150) });
    expect(await hear(REVIEW)).toBe("Not all of it can be heard. Review it in the editor.");
    await patched({ help_text: null }, { type: "model" });
    for (const told of [await hear(REVIEW), await say("publish it")])
      expect(told).toMatch(/^Something in it has to be put right first/);
    reviewers = [];
    await patched({ text: "Open the grey cabinet." });
    start(false);
    expect(await say("publish it")).toMatch(/^The guide is complete\. Somebody else/);
    await builder.change({ id, version, access: bob, signal, reviews: true }, () => ({
      type: "approved",
      by: "bob",
    }));
    await library.save("plant", { ...(await own())!.guide, status: "published", owner: "eve" });
    expect(await say("publish it")).toMatch(/^There is another guide of that name/);
  });
});

describe("with a model", () => {
  const reply = (value: unknown) =>
    model.expectStream(typeof value === "string" ? value : JSON.stringify(value));
  const add = (id: string, text: string) => ({ op: "add", step: { id, kind: "instruct", title: id, text } });

  it("says fixed words and the model's question alone, which the gate judges by what people said", async () => {
    start(true);
    await say(BEGIN);
    reply({ say: "Cold stores are dangerous. Who opens the cabinet?", phase: "discovery", patches: [] });
    const events = await drafted(requestOf("For the night shift, after an alarm."));
    expect(events.map(({ type }) => type)).toEqual(["evidence", "text", "end"]);
    expect(events[0]).toMatchObject({ texts: [{ text: "For the night shift, after an alarm." }, {}] });
    expect(events[1]).toMatchObject({ text: "Who opens the cabinet?" });
    expect(events[2]).toMatchObject({ outcome: "answered", asks: "What comes next?" });
  });

  it("writes what people tell it, is told when it is complete, and leaves it to them to stand behind it", async () => {
    start(true);
    await say(BEGIN);
    reply({ say: "Noted.", phase: "discovery", patches: [] });
    await say("For the night shift.");
    reply({ say: "Noted.", phase: null, patches: [add("open", "Open the cabinet.")] });
    expect(await say("First open the cabinet.")).toMatch(/^I have written that down\./);
    reply({ say: "And then?", phase: null, patches: [add("press", "Press the button.")] });
    expect(await say("Press the button.")).toMatch(/^I suggest a change\. It waits in the editor\./);
    for (const broken of ['{"say": 1', { say: "x", patches: [{ op: "remove", id: "end" }] }]) {
      reply(broken);
      reply(broken);
      expect(await say("Go on.")).toMatch(/^I could not put that into the guide/);
    }
    expect(await say("That is all.")).toMatch(/^Is it right as it is\?.* 1\. Open the cabinet\./);
    expect((await own())?.phase).toBe("review");
    expect(await say("Yes.")).toMatch(/^The guide is complete/);
    const session = (await own())!;
    expect(session.backing).toContainEqual({ step: "open", who: "ann" });
    await builder.change(
      { id: session.id, version: session.version, access: bob, signal, reviews: true },
      () => ({ type: "approved", by: "bob" }),
    );
  });
});
