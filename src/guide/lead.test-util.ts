/** What the tests of leading by voice share. */
import type { DraftEvent } from "../capability/draft.js";
import type { GuideOperations } from "./lead.js";
import type { OperatedOutcome } from "./run/run.js";
import { instruct, procedureOf } from "./schema/guides.test-util.js";

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
