/** What the tests of leading by voice share. */
import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { ConsentPath } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import { loadLocales } from "../locale/load.js";
import type { GuideOperations } from "./lead.js";
import type { OperatedOutcome } from "./run/run.js";
import { instruct, procedureOf } from "./schema/guides.test-util.js";

export const locales = await loadLocales();
export const anna: Access = { network: "plant", username: "anna", groups: ["maintenance"], kiosk: false };
export const boris: Access = { ...anna, username: "boris", groups: [] };

/** As over a radio of one's own. */
export const consent: ConsentPath = { via: "voice", isTrusted: true, pressedMs: 0 };

export function requestOf(text: string, access: Access, pending: AskRequest["pending"] = []): AskRequest {
  return { question: text, access, locale: locales.of("en"), pending, consent } as unknown as AskRequest;
}

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
  heard() {}
}
