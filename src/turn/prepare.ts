/**
 * The first half of a turn: a message is understood and admitted, what the chat has open is narrowed to what this turn
 * may read, and who drafts the answer is chosen.
 */
import type { Dialogue } from "../domain/dialogue.js";
import { isOpen } from "../domain/dialogue.js";
import { under } from "../lib/deadline.js";
import { urgentAccess } from "./access.js";
import { admit } from "./admit.js";
import { type Basis, basisOf } from "./basis.js";
import { turnLanguage } from "./language.js";
import { type Choice, chooseCapability, emergencyChoice } from "./route.js";
import { shortLines } from "./short-lines.js";
import type { Turn } from "./turn.js";
import { type Understood, understand } from "./understand.js";

export interface PreparedTurn {
  readonly request: Understood;
  readonly basis: Basis;
  readonly choice: Choice;
  /** Absent: an answer. */
  readonly kind?: "announcement";
}

/** Rejects with `TurnFailure`, or with the signal's reason. An emergency waits for no guard, no memory and no router. */
export async function prepare(
  { asked, deps, line, record, signal, tell }: Turn,
  dialogue: Dialogue,
): Promise<PreparedTurn> {
  const request = await understand(asked, line, tell, signal);
  record.understood(request, "words" in asked);
  const history = shortLines(request.history ?? dialogue.history, request.user, deps.telemetry);
  const pending = dialogue.pending.filter((one) => isOpen(one, deps.clock.monotonic()));
  const { emergency } = request;
  if (emergency !== undefined) {
    const access = await urgentAccess(request, deps, signal);
    const spoken = turnLanguage({ ...request, heardLanguage: emergency.language }, history, deps.locales);
    const basis = { access, history: [], pending: [], ...spoken };
    return { request, basis, choice: record.chosen(emergencyChoice(request, deps)) };
  }
  admit(request, deps.telemetry);
  const basis = await under(signal, (within) =>
    basisOf(request, { ...dialogue, history, pending }, deps, within),
  );
  record.remember(basis);
  const choice = await under(signal, (within) => chooseCapability(request, basis, deps, within));
  return { request, basis, choice: record.chosen(choice) };
}
