/**
 * How fast a service and its users can be played on this machine. Synthesis is most of the work and one thread does it,
 * so what counts is how many times as fast as it is spoken the voice makes speech now, with all else that runs here.
 */
import type { Clock } from "../lib/clock.js";
import type { ScenarioPlan } from "./plan.js";
import type { Mouth } from "./voice.js";

/** A spoken answer in sentences of the handbook lasts about that long. */
const ANSWER_MS = 6_000;

/** What the voice may be busy at the most, of its time: beyond, sentences wait for one another. */
const BUSY_SHARE_MAX = 0.35;

/** A first sentence is so much longer than a listener should have to wait for it. */
const SENTENCE_TO_WAIT = 2;

/** The highest whole speed up to `wanted` at which answers are not late only because time runs fast. */
export function affordableSpeed(plan: ScenarioPlan, voiceSpeed: number, wanted: number): number {
  const demand = (spokenAnswers(plan) * ANSWER_MS) / plan.durationMs;
  const sustained = demand === 0 ? wanted : (BUSY_SHARE_MAX * voiceSpeed) / demand;
  return Math.max(1, Math.min(wanted, Math.floor(Math.min(sustained, voiceSpeed / SENTENCE_TO_WAIT))));
}

/** How many times as fast as it is spoken the voice makes speech: the slower of two tries, the first one apart. */
export async function voiceSpeedOf(mouth: Mouth, clock: Clock): Promise<number> {
  const speeds: number[] = [];
  for (let tries = 0; tries < 3; tries++) {
    const startMs = clock.monotonic();
    const { packets, packetMs } = await mouth.speak(SAMPLE);
    speeds.push((packets.length * packetMs) / Math.max(1, clock.monotonic() - startMs));
  }
  return Math.min(...speeds.slice(1));
}

const SAMPLE =
  "Cool the burn under running lukewarm water for twenty minutes, and call the first aider on duty.";

function spokenAnswers({ users }: ScenarioPlan): number {
  const steps = users.flatMap(({ activities }) => activities.flatMap((activity) => activity.steps));
  return steps.filter(
    ({ action, answer }) => answer === "voice" && action.type !== "do" && action.type !== "move",
  ).length;
}
