/** What the tests of leading by voice share. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import type { AskRequest, GuideCapability } from "../capability/capability.js";
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import type { ConsentPath } from "../domain/turn.js";
import type { Access, User } from "../domain/user.js";
import { seededRandom } from "../lib/random.js";
import { loadLocales } from "../locale/load.js";
import { MemoryGuideRuns } from "../store/guide-runs.js";
import type { TelemetryEvent } from "../telemetry/events.js";
import { Colleagues } from "./colleagues.js";
import { createLead, type GuideOperations } from "./lead.js";
import { GuideLibrary } from "./library/library.js";
import type { OperatedOutcome } from "./run/run.js";
import { GuideRunner, type ReadStep, type SaidPart, type StepReading } from "./runner.js";
import type { Guide } from "./schema/guide.js";
import { instruct, procedureOf } from "./schema/guides.test-util.js";
import { guideFile } from "./schema/read-guide.js";

/** A step that has this done to a conveyor. */
export function operated(action: string) {
  return { id: action, kind: "operate", title: `${action} it`, resource: "plant/conveyor/cv2", action };
}

/** A guide with a step of each kind that something outside answers to. */
export const JAM = procedureOf(
  [
    instruct("tell", {
      title: "Tell the crew",
      text: "Tell the crew of [VAR:line].",
      help_text: "Nobody may be hurt.",
    }),
    {
      id: "gauge",
      kind: "record",
      title: "Gauge",
      text: "What does it show?",
      variable: "p",
      unit: "bar",
      min: 0,
      max: 1,
    },
    {
      id: "stopped",
      kind: "check",
      title: "Conveyor",
      text: "Has it stopped?",
      resource: "plant/conveyor/cv2",
      signal: "status",
      expect: { equals: "stopped" },
    },
    { id: "hold", kind: "hold_point", title: "Nobody near", text: "Have it confirmed." },
    {
      id: "start",
      kind: "operate",
      title: "Start it",
      resource: "plant/conveyor/cv2",
      action: "start",
      otherwise: "call",
    },
    instruct("count", { title: "Count your tools", text: "Count your tools." }),
    instruct("call", { title: "Call", text: "Call the leader." }),
  ],
  {
    id: "jam",
    name: "Clear a jam",
    status: "published",
    intake: [{ name: "line", label: "Which line?" }],
    visibility: "network",
    users: ["carla"],
  },
);

/** Operations as a test has them come out. */
export class FakeOperations implements GuideOperations {
  outcomeNow: OperatedOutcome | undefined;
  proposes: readonly DraftEvent[] = [];
  readonly asked: string[] = [];
  async *propose({ action, resource }: { action: string; resource: string }) {
    this.asked.push(`${action} ${resource}`);
    yield* this.proposes;
  }
  outcome() {
    return this.outcomeNow;
  }
  again: readonly DraftEvent[] | undefined;
  readAgain() {
    return this.again;
  }
  heard() {}
}

export const locales = await loadLocales();
export const anna: Access = { network: "plant", username: "anna", groups: ["maintenance"], kiosk: false };
export const boris: Access = { ...anna, username: "boris", groups: [] };
export const signal: AbortSignal = new AbortController().signal;

/** As over a radio of one's own. */
export const consent: ConsentPath = { via: "voice", isTrusted: true, pressedMs: Number.MAX_VALUE };

let turns = 0;
export let clock: VirtualClock;
export let folder: string;
export let runs: MemoryGuideRuns;
export let lead: GuideCapability;
let library: GuideLibrary;
export let operations: FakeOperations;
export let told: {
  readonly to: User;
  readonly parts: readonly SaidPart[];
  readonly heard?: (() => void) | undefined;
}[];
export let events: TelemetryEvent[];
let reading: StepReading | undefined;
export let ended: (outcome: OperatedOutcome) => void;
/** Who has a chat with the relays. */
export const atRadio: string[] = [];

export async function restarted(): Promise<void> {
  library = await GuideLibrary.open(folder, async (documents) => new Set(documents));
  const shared = { clock, random: seededRandom(1), locales, library, runs };
  const telemetry = { emit: (event: TelemetryEvent) => void events.push(event) };
  const read: ReadStep = async () => reading;
  const runner = new GuideRunner({ ...shared, telemetry, read });
  const colleagues = new Colleagues({
    ...{ ...shared, runner, signal: new AbortController().signal, helpersIn: async () => ["dora"] },
    usersOf: () => atRadio,
    tell: (to, _subject, _language, parts, heard) => void told.push({ to, parts, heard }),
    accessOf: async (user) => ({ ...user, groups: [], kiosk: false }),
    ended: () =>
      new Promise((resolve) => {
        ended = resolve;
      }),
  });
  lead = createLead({ ...shared, route: "guide", runner, operations, colleagues });
  colleagues.recover(await runner.recover());
}

export function publish(...guides: readonly Guide[]): void {
  for (const guide of guides)
    writeFileSync(
      join(folder, "plant", `${guide.id}-${guide.version}.json`),
      JSON.stringify(guideFile(guide)),
    );
}

/** What a site says from now on. */
export function reads(found: StepReading): void {
  reading = found;
}

/** A service anew, with one guide. */
export async function anew(): Promise<void> {
  clock = new VirtualClock();
  folder = mkdtempSync(join(tmpdir(), "readback-lead-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "plant"));
  [runs, operations, told, events, reading] = [
    new MemoryGuideRuns(),
    new FakeOperations(),
    [],
    [],
    undefined,
  ];
  atRadio.length = 0;
  publish(JAM);
  await restarted();
}

export function requestOf(text: string, access: Access, pending: AskRequest["pending"] = []): AskRequest {
  turns += 1;
  const turn = `turn-${turns}`;
  const at = { ...consent, pressedMs: clock.monotonic() };
  return {
    question: text,
    access,
    locale: locales.of("en"),
    pending,
    turn,
    consent: at,
  } as unknown as AskRequest;
}

/** What the guide says to a message; undefined: the message is none of its. */
export async function say(text: string, access = anna, isWhole = true): Promise<string | undefined> {
  const request = requestOf(text, access);
  if (!(await lead.claims(request))) return undefined;
  return (await drafted(request, isWhole)).text;
}

/** Heard to its end, or cut off. */
export async function drafted(request: AskRequest, isWhole = true) {
  const all: DraftEvent[] = [];
  for await (const event of lead.draft(request, signal)) all.push(event);
  const phrases = all.filter((event) => event.type === "phrase");
  const text = phrases.map((phrase) => phrase.text).join(" ");
  lead.heard?.({ turn: request.turn!, heard: isWhole ? text : "", isWhole });
  return { all, text, end: all.at(-1) as DraftEnd };
}

export async function back(said = "What is it?"): Promise<string> {
  const request = requestOf(said, anna);
  const text = (await lead.comesBack(request, signal)).map((part) => part.text).join(" ");
  lead.heard?.({ turn: request.turn!, heard: text, isWhole: true });
  return text;
}
/** Begun, and at the first step. */
export async function begin(): Promise<void> {
  await say("walk me through clearing the jam");
  await say("line two");
  await say("yes");
}
