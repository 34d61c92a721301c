/** Calls for help that are spoken: what was said is known only while its turn waits already. */
import type { HeardRequest, TurnRequest } from "../domain/turn.js";
import { emergencyIn } from "../locale/emergency.js";
import type { Admission } from "./admission.js";

/** Calls `then` when what was spoken turns out to tell of an emergency. */
export function onEmergency(request: TurnRequest | HeardRequest, then: () => void): void {
  if (!("words" in request)) return;
  void request.words.then((heard) => {
    if (heard.type === "words" && emergencyIn(heard.text) !== undefined) then();
  });
}

/**
 * Runs a turn when there is room for it, or at once when it turns out to be urgent. Rejects as `Admission.run` does, and
 * as `begin`.
 */
export async function runWhenAdmitted<T>(
  request: TurnRequest | HeardRequest,
  begin: () => Promise<T>,
  admission: Admission,
  stop: AbortSignal,
): Promise<T> {
  const urgent = new AbortController();
  const waits = AbortSignal.any([stop, urgent.signal]);
  let begun: Promise<T> | undefined;
  const beginOnce = () => {
    begun ??= begin();
    return begun;
  };
  onEmergency(request, () => {
    if (begun === undefined) urgent.abort();
  });
  try {
    return await admission.run(waits, beginOnce);
  } catch (error) {
    if (begun !== undefined || stop.aborted || !urgent.signal.aborted) throw error;
    return admission.runAtOnce(beginOnce);
  }
}
