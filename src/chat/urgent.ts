/**
 * What must be heard whatever else is asked: calls for help, stops and denials. They wait for no place and are refused by no
 * overload. What was spoken is known only while its turn waits already, or after it was refused.
 */
import type { HeardRequest, TurnRequest } from "../domain/turn.js";
import { abortable } from "../lib/deadline.js";
import { emergencyIn } from "../locale/emergency.js";
import { judgeReply } from "../operate/consent/judge.js";
import { commands } from "../routing/commands.js";
import type { Admission, BeginTurn } from "./admission.js";

/** Calls `then` when what was spoken turns out to tell of an emergency. */
export function onEmergency(request: TurnRequest | HeardRequest, then: () => void): void {
  if (!("words" in request)) return;
  void request.words.then((heard) => {
    if (heard.type === "words" && emergencyIn(heard.text) !== undefined) then();
  });
}

/** A turn that is to begin, and whether its chat has something open that a word can deny. */
export interface TurnToBegin {
  readonly request: TurnRequest | HeardRequest;
  readonly isUrgent: boolean;
  readonly hasPending: boolean;
}

/**
 * Runs a turn when there is room for it, or at once when it turns out to be one that must be heard. Rejects as
 * `Admission.run` does, and as `begin`.
 */
export async function runWhenAdmitted<T>(
  { hasPending, isUrgent, request }: TurnToBegin,
  begin: BeginTurn<T>,
  admission: Admission,
  stop: AbortSignal,
): Promise<T> {
  if (isUrgent || ("text" in request && mustBeHeard(request.text, hasPending)))
    return admission.runAtOnce(request, begin);
  const urgent = new AbortController();
  const waits = AbortSignal.any([stop, urgent.signal]);
  let begun: Promise<T> | undefined;
  const beginOnce: BeginTurn<T> = (as) => {
    begun ??= begin(as);
    return begun;
  };
  const heard = "words" in request ? request.words : undefined;
  const isHeard = heard?.then((one) => one.type === "words" && mustBeHeard(one.text, hasPending));
  void isHeard?.then((must) => must && begun === undefined && urgent.abort());
  try {
    return await admission.run(request, waits, beginOnce);
  } catch (error) {
    const mayStillBegin = begun === undefined && !stop.aborted && isHeard !== undefined;
    if (!mayStillBegin || !(await abortable(isHeard, stop))) throw error;
    return admission.runAtOnce(request, beginOnce);
  }
}

/** Every language that there are commands in: a denial counts in any. */
const LANGUAGES = commands.grammars.map(({ language }) => language);

/** A call for help; a command to stop, or a bare no; and, where something waits for it, whatever denies. */
function mustBeHeard(text: string, hasPending: boolean): boolean {
  if (emergencyIn(text) !== undefined) return true;
  const said = commands.of(commands.hear(text));
  if (said.some(({ intent }) => intent === "stop" || intent === "never_mind" || intent === "no")) return true;
  return hasPending && judgeReply(text, { level: "plain", languages: LANGUAGES }).verdict === "denied";
}
