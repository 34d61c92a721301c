/** What a message is to what waits for consent: a yes that says it once more, and requests that a second person names. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { locales } from "../../test/support/locales.js";
import { ANN, EXAMPLE, exampleRegistry, exampleWriter } from "../../test/support/orders.js";
import { plantResource } from "../../test/support/resources.js";
import type { SiteRequest } from "../capability/capability.js";
import type { OperationCall, OperationView } from "../domain/operation.js";
import { NO_TARGETS } from "../domain/target-context.js";
import { atOnce } from "../lib/steps.js";
import { commands } from "../routing/commands.js";
import { type MeantDeps, meantOnce } from "./meant.js";
import { ScriptedOperations, waitingView } from "./operations.test-util.js";
import { afterResolution, Registry } from "./targets/registry.js";

const BOB = { ...ANN, username: "bob" };

function bench(views: readonly OperationView[], registry = exampleRegistry()) {
  const { clock, writer } = exampleWriter({ registry });
  const operations = new ScriptedOperations();
  operations.views = [...views];
  const told = new WeakMap<object, typeof commands>();
  const deps = {
    ...{ clock, writer, operations, registry: () => registry, levels: EXAMPLE.operate.levels },
    async commandsFor(known: { names(max: number): Iterable<string> }) {
      const own = told.get(known) ?? atOnce(commands.with("equipment", known.names(5_000)));
      told.set(known, own);
      return own;
    },
  } as unknown as MeantDeps;
  return (question: string, language: string, more: Partial<SiteRequest> = {}) =>
    meantOnce({ question, access: { ...ANN }, locale: locales.of(language), ...more }, deps);
}

interface Row {
  readonly text: string;
  readonly language?: string;
  readonly challenge?: string | null;
  readonly request: string | null;
  readonly verdict: "approved" | "denied" | "unclear";
}

function rowsOf(name: string): readonly Row[] {
  const text = readFileSync(new URL(`../../test/fixtures/consent/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

const pendingOf = ({ proposal: { id: operation } }: OperationView) =>
  [{ type: "proposal", operation, turn: "t", untilMs: Infinity, sources: [] }] as const;

describe("a yes that says once more what is proposed", () => {
  const { clock } = exampleWriter();
  const resource = exampleRegistry().find("plant/pump/p2")!;
  const call = { ...waitingView().proposal.calls[0], tool: "plant.restart", args: { target: "p2" } };
  const view = waitingView({ level: "plain", challenge: undefined, calls: [call], askedOf: ANN });
  const means = bench([view]);
  const targets = afterResolution(NO_TARGETS, { type: "one", resource, how: "name" }, clock.now());
  const verdict = async (text: string, language: string, of = view) => {
    const meant = await (of === view ? means : bench([of]))(text, language, {
      pending: pendingOf(of),
      targets,
    });
    return meant.type === "reply" ? meant.verdict : meant.type;
  };

  test.each([
    ["en", "Yes, restart it."],
    ["en", "yes please restart pump two"],
    ["en", "okay, restart it, yes"],
    ["de", "Ja, starte sie neu."],
    ["de", "ja, starte ihn neu"],
    ["es", "Sí, reiníciala."],
    ["fr", "oui, redémarre-la"],
    ["pl", "tak, zrestartuj ją"],
    ["uk", "так, перезапусти його"],
  ])("is a consent: %s %s", async (language, text) => {
    expect(await verdict(text, language)).toBe("approved");
  });

  test.each([
    ["en", "yes, restart pump three"],
    ["en", "yes, start it"],
    ["en", "yes, set it to 700 rpm"],
    ["en", "yes, restart it and pump three"],
    ["en", "yes, restart it later"],
    ["en", "yes, restart it?"],
    ["en", "yes, don't restart it"],
    ["en", "restart it"],
    ["en", "yes, restart pump ninety"],
    ["en", "yes, restart everything"],
    ["de", "ja, starte Pumpe drei neu"],
    ["de", "ja, starte ihn nicht neu"],
    ["es", "sí, arráncala"],
    ["fr", "oui, démarre-la"],
    ["pl", "tak, zrestartuj pump three"],
    ["uk", "так, запусти його"],
  ])("is none of something else: %s %s", async (language, text) => {
    expect(await verdict(text, language)).not.toBe("approved");
  });

  /** Of half b only sums are told, and nobody opens it. */
  test.each(["a", "b"])(
    "is heard in the table of replies, and no other is taken for one: half %s",
    async (half) => {
      const printer = exampleRegistry().find("plant/printer/lp2")!;
      const restart = { ...call, target: printer.id, name: printer.names[0], args: { target: "lp2" } };
      const waiting = waitingView({ level: "plain", challenge: undefined, calls: [restart], askedOf: ANN });
      const means = bench([waiting]);
      const spoken = afterResolution(
        NO_TARGETS,
        { type: "one", resource: printer, how: "name" },
        clock.now(),
      );
      const sums = { rows: 0, approved: 0, falseConsents: 0 };
      for (const { challenge, language, text, verdict } of rowsOf(half)) {
        if (challenge !== null) continue;
        const meant = await means(text, language!, { pending: pendingOf(waiting), targets: spoken });
        const isConsent = meant.type === "reply" && meant.verdict === "approved";
        sums.rows += 1;
        sums.approved += Number(isConsent && verdict === "approved");
        sums.falseConsents += Number(isConsent && verdict !== "approved");
      }
      console.log(half, JSON.stringify(sums));
      expect(sums.falseConsents).toBe(0);
      expect(sums.approved).toBeGreaterThanOrEqual(60);
    },
  );

  test.each([
    ["en", "yes, restart both"],
    ["en", "yes, restart both of them"],
    ["en", "yes, restart all of them"],
    ["en", "yes, restart the other one"],
    ["de", "ja, starte beide neu"],
    ["es", "sí, reinicia ambas"],
    ["fr", "oui, redémarre les deux"],
    ["pl", "tak, zrestartuj oba"],
    ["uk", "так, перезапусти обидва"],
  ])("is none of both or of another one: %s %s", async (language, text) => {
    expect(await verdict(text, language)).not.toBe("approved");
    expect(verdictOf(await means(text, language, { pending: pendingOf(view) }))).not.toBe("approved");
  });

  test("is one of both where both are proposed and were spoken of", async () => {
    const other = { ...call, target: "plant/pump/p3", args: { target: "p3" } };
    const both = { ...view, proposal: { ...view.proposal, calls: [call, other] as const } };
    const resources = [resource, exampleRegistry().find("plant/pump/p3")!];
    const spoken = afterResolution(NO_TARGETS, { type: "several", resources }, clock.now());
    const more = { pending: pendingOf(both), targets: spoken };
    expect(verdictOf(await bench([both])("yes, restart both", "en", more))).toBe("approved");
  });

  test("is none of more than is proposed, whatever was spoken of before", async () => {
    for (const text of ["yes, restart it and the other one", "yes restart and the other one"]) {
      const meant = await means(text, "en", { pending: pendingOf(view) });
      expect(meant.type === "reply" && meant.verdict).not.toBe("approved");
    }
  });

  test("is none where a word is asked for", async () => {
    const asked = waitingView({ level: "challenge", challenge: "tango", calls: [call], askedOf: ANN });
    expect(await verdict("yes, restart it", "en", asked)).not.toBe("approved");
  });
});

const access = { network: ANN.network, visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
const NAMES = "pump two,boiler,gate five,mixer,valve three,conveyor four".split(",");
const things = NAMES.map((name, i) => plantResource("machine", `m${i}`, [name], { access }));
const registry = Registry.EMPTY.with("plant", [
  ...things,
  plantResource("machine", "m9", ["saw"], { access }),
]);

/** Requests that wait for a second person: one for each number, of something else; and one for each name. */
function requestsThatWait(): readonly OperationView[] {
  const view = (number: number, { id: target, names: [name] }: (typeof things)[number]) => {
    const call: OperationCall = { ...waitingView().proposal.calls[0], target, name };
    const proposal = {
      id: `op-${number}`,
      number,
      calls: [call],
      level: "second_person",
      challenge: undefined,
    } as const;
    return waitingView({ ...proposal, calls: [call] }, { phase: "waiting_second", by: [ANN] });
  };
  const numbered = Array.from({ length: 25 }, (_, i) => view(i + 1, registry.find("plant/machine/m9")!));
  return [...numbered, ...things.map((thing, i) => view(i + 101, thing))];
}

describe("a second person", () => {
  const views = requestsThatWait();
  const means = bench(views, registry);
  const rows = rowsOf("names");
  const named = (request: string) =>
    views.find(({ proposal: { calls, number } }) =>
      /^\d/.test(request) ? number === Number(request) : request.includes(calls[0].name),
    );

  test("who has not heard a request never consents to it, and mostly hears it by its name", async () => {
    const wrong: string[] = [];
    let heard = 0;
    for (const { request, text, verdict } of rows) {
      const meant = await means(text, "en", { access: { ...BOB } });
      if (meant.type === "reply" && meant.verdict === "approved") wrong.push(text);
      if (meant.type !== "request" || request === null) continue;
      const isRight = meant.view === named(request);
      if (!isRight) wrong.push(text);
      if (verdict === "approved") heard += 1;
    }
    const wanted = rows.filter(({ verdict }) => verdict === "approved").length;
    console.log(`first heard: ${heard}/${wanted} of the approvals; wrong: ${JSON.stringify(wrong)}`);
    expect(wrong).toEqual([]);
    expect(heard).toBeGreaterThanOrEqual(20);
  });

  test("who has heard one consents to that one alone, also by its name", async () => {
    const judged: (Row & { readonly ours: string; readonly ofAnother: string })[] = [];
    for (const row of rows) {
      const view = named(row.request ?? "7");
      if (view === undefined) continue;
      const meant = await means(row.text, "en", { access: { ...BOB }, pending: pendingOf(view) });
      const other = await means(row.text, "en", { access: { ...BOB }, pending: pendingOf(views[23]!) });
      judged.push({ ...row, ours: verdictOf(meant), ofAnother: verdictOf(other) });
    }
    const right = (wanted: Row["verdict"]) =>
      judged.filter(({ ours, verdict }) => verdict === wanted && ours === wanted).length;
    const falseConsents = judged.filter(
      ({ ofAnother, ours, request, verdict }) =>
        request !== null && ((ours === "approved" && verdict !== "approved") || ofAnother === "approved"),
    );
    const lost = judged.filter(({ ours, verdict }) => verdict !== "unclear" && ours !== verdict);
    console.log(
      `approved ${right("approved")}, denied ${right("denied")}, not heard:`,
      lost.map(({ ours, text }) => `${text}: ${ours}`),
    );
    expect(falseConsents).toEqual([]);
    expect(right("approved")).toBeGreaterThanOrEqual(18);
    expect(right("denied")).toBeGreaterThanOrEqual(22);
  });

  test.each([
    ["de", "Anfrage sieben"],
    ["de", "bestätige Anfrage Nummer sieben"],
    ["de", "genehmige den Antrag für pump two"],
    ["es", "solicitud siete"],
    ["es", "aprueba la solicitud número siete"],
    ["es", "confirma la solicitud de pump two"],
    ["fr", "demande sept"],
    ["fr", "approuve la demande numéro sept"],
    ["fr", "confirme la demande pour pump two"],
    ["pl", "wniosek siedem"],
    ["pl", "zatwierdź wniosek numer siedem"],
    ["pl", "potwierdź prośbę dotyczące pump two"],
    ["uk", "запит сім"],
    ["uk", "затвердь запит номер сім"],
    ["uk", "підтвердь запит щодо pump two"],
  ])("hears a request in %s: %s", async (language, text) => {
    const meant = await means(text, language, { access: { ...BOB } });
    expect(meant.type === "request" && meant.view).toBe(named(text.includes("pump two") ? "pump two" : "7"));
  });

  test.each([
    ["de", "ja, Anfrage sieben", "ja, Anfrage acht"],
    ["es", "sí, solicitud siete", "sí, solicitud ocho"],
    ["fr", "oui, demande sept", "oui, demande huit"],
    ["pl", "tak, wniosek siedem", "tak, wniosek osiem"],
    ["uk", "так, запит сім", "так, запит вісім"],
  ])("consents by its number in %s", async (language, text, other) => {
    const more = { access: { ...BOB }, pending: pendingOf(named("7")!) };
    expect(verdictOf(await means(text, language, more))).toBe("approved");
    expect(verdictOf(await means(other, language, { ...more, access: { ...BOB } }))).toBe("unclear");
  });
});

describe("a denial", () => {
  const views = requestsThatWait();
  const means = bench(views, registry);
  const requestSeven = views[6]!;

  test.each([
    ["en", "deny request seven"],
    ["en", "denied to request number seven"],
    ["en", "reject number seven"],
    ["en", "request seven is denied"],
  ])("of a request is one before its readback was heard: %s %s", async (language, text) => {
    for (const pending of [[], pendingOf(views[3]!), pendingOf(requestSeven)])
      expect(await means(text, language, { access: { ...BOB }, pending })).toMatchObject({
        type: "reply",
        verdict: "denied",
        view: requestSeven,
      });
  });

  test.each(["stop", "never mind", "cancel"])("is what a second person means by %j", async (text) => {
    const more = { access: { ...BOB }, pending: pendingOf(requestSeven) };
    expect(await means(text, "en", more)).toMatchObject({ verdict: "denied", view: requestSeven });
    expect(await means(text, "en", { access: { ...BOB } })).not.toMatchObject({ type: "reply" });
  });

  test("of who asked counts while a second person is looked for, and while it is begun", async () => {
    const wanted = { level: "second_person", challenge: undefined, askedOf: ANN } as const;
    const view = waitingView(wanted, { phase: "waiting_second", by: [ANN] });
    for (const text of ["no", "okay, wait, don't do that", "no, don't restart it"])
      expect(await bench([view])(text, "en")).toMatchObject({ type: "reply", verdict: "denied", view });
    expect(await bench([view])("yes", "en")).toEqual({ type: "nothing" });
    expect(await bench([view])("stop pump three", "en")).toMatchObject({ type: "order" });
    expect(await bench([view])("no", "en", { access: { ...BOB } })).toEqual({ type: "nothing" });
    const begun = waitingView(wanted, { phase: "executing", by: [ANN] });
    expect(await bench([begun])("no, don't do it", "en")).toEqual({ type: "stop", isBegun: true });
    expect(await bench([{ ...begun, phase: "verifying" }])("no", "en")).toEqual({ type: "nothing" });
  });

  test("is heard of what was begun, and told apart from that of which nothing was", async () => {
    const begun = bench([waitingView({ askedOf: ANN }, { phase: "executing" })]);
    expect(await begun("stop", "en")).toEqual({ type: "stop", isBegun: true });
    expect(await begun("stop", "en", { access: { ...BOB } })).toEqual({ type: "nothing" });
    const [first, second] = [ANN, BOB].map(({ network, username }) => ({ network, username }));
    const byBoth = waitingView({ askedOf: ANN }, { phase: "executing", by: [first!, second!] });
    for (const text of ["stop", "no, wait"])
      expect(await bench([byBoth])(text, "en", { access: { ...BOB } })).toEqual({
        type: "stop",
        isBegun: true,
      });
    expect(await bench([waitingView({ askedOf: ANN })])("stop", "en")).toEqual({
      type: "stop",
      isBegun: false,
    });
  });
});

test("a plain yes counts for the readback that was said last, a word and a denial whatever was said since", async () => {
  const plain = waitingView({ level: "plain", challenge: undefined, askedOf: ANN });
  const second = { ...plain, phase: "waiting_second", by: [BOB] } as const;
  const worded = waitingView({ askedOf: ANN });
  const means = (view: OperationView, text: string, isOvertaken: boolean, more: object = {}) => {
    const [one] = pendingOf(view);
    return bench([view])(text, "en", { pending: [{ ...one, isOvertaken }], ...more });
  };
  for (const text of ["yes", "okay, go ahead"]) {
    expect(await means(plain, text, false)).toMatchObject({ type: "reply", verdict: "approved" });
    expect(await means(plain, text, true)).toEqual({ type: "request", view: plain });
    expect(await means(second, text, true)).toEqual({ type: "request", view: second });
  }
  expect(await means(worded, "confirm tango", true)).toMatchObject({ type: "reply", verdict: "approved" });
  for (const view of [plain, second, worded])
    for (const text of ["no", "okay, wait, don't do that"])
      expect(await means(view, text, true)).toMatchObject({ type: "reply", verdict: "denied" });
});

test("a denial counts beside a question back, which has the first claim on a yes and on its options", async () => {
  const view = waitingView({ level: "plain", challenge: undefined, askedOf: ANN });
  const options = ["the first washer", "the washer with a timer, not the old one"].map((words) => ({
    ...{ words, means: { type: "question", question: words } as const },
  }));
  const question = { type: "question", turn: "t", untilMs: Infinity, sources: [], asked: "How?" } as const;
  const pending = [...pendingOf(view), { ...question, route: "knowledge", words: "Which?", options }];
  const means = (text: string) => bench([view])(text, "en", { pending });
  for (const text of ["no", "don't do it"])
    expect(await means(text)).toMatchObject({ type: "reply", verdict: "denied", view });
  for (const text of ["yes", "the first washer", "the one with a timer, not the old one"])
    expect(await means(text)).toEqual({ type: "nothing" });
});

test("a denial that orders something else is both, and one that names nothing is none", async () => {
  const view = waitingView({ level: "plain", challenge: undefined, askedOf: ANN });
  const means = (text: string) => bench([view])(text, "en", { pending: pendingOf(view) });
  for (const [text, order] of [
    ["Emergency stop line one", { type: "refused", why: "emergency_stop" }],
    ["stop pump four", { type: "order", action: "stop", drafts: [{ call: { target: "plant/pump/p4" } }] }],
    ["stop the printer", { type: "ask" }],
  ] as const)
    expect(await means(text), text).toMatchObject({ type: "reply", verdict: "denied", view, order });
  for (const text of ["no", "stop doing that", "don't stop pump four", "okay, wait, don't do that"])
    expect(await means(text), text).toMatchObject({ verdict: "denied", order: undefined });
});

test("an answer to what is decided is told what became of it, and a new matter is not", async () => {
  const level = { level: "plain", challenge: undefined, askedOf: ANN } as const;
  const expired = waitingView(level, { phase: "ended", reason: "expired" });
  const pending = pendingOf(expired);
  for (const text of ["yes", "no", "go ahead"])
    expect(await bench([expired])(text, "en", { pending })).toMatchObject({ type: "reply", view: expired });
  for (const text of ["is pump two not running", "how do I wait for it", "hello"])
    expect(await bench([expired])(text, "en", { pending })).toEqual({ type: "nothing" });
  expect(await bench([expired])("yes", "en")).toEqual({ type: "nothing" });
  const begun = waitingView(level, { phase: "executing" });
  expect(await bench([begun])("no", "en", { pending })).toEqual({ type: "stop", isBegun: true });
  const restarted = waitingView({ askedOf: ANN }, { phase: "ended", reason: "restarted" });
  expect(await bench([restarted])("confirm tango", "en")).toMatchObject({ type: "reply", view: restarted });
  for (const [text, access] of [
    ["confirm tango", BOB],
    ["confirm banana", ANN],
    ["yes", ANN],
  ] as const)
    expect(await bench([restarted])(text, "en", { access: { ...access } })).toEqual({ type: "nothing" });
});

test("what the chat has forgotten is read back once more before a consent, and denied at once", async () => {
  const view = waitingView({ askedOf: ANN });
  const means = bench([view]);
  expect(await means("confirm tango", "en")).toEqual({ type: "request", view });
  expect(await means("request seven", "en")).toEqual({ type: "request", view });
  expect(await means("no", "en")).toMatchObject({ type: "reply", verdict: "denied", view });
  expect(await means("confirm tango", "en", { access: { ...BOB } })).toEqual({ type: "nothing" });
  expect(await means("is pump two running", "en")).toEqual({ type: "nothing" });
});

function verdictOf(meant: Awaited<ReturnType<typeof meantOnce>>): string {
  return meant.type === "reply" ? meant.verdict : meant.type;
}
