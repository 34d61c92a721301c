/** What anything that is said rests on: who may read what, what of the dialogue that is, and the language. */
import type { Dialogue } from "../domain/dialogue.js";
import type { TurnRequest } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import type { Locales } from "../locale/locales.js";
import type { Retrieval } from "../retrieval/port.js";
import { type AccessRules, documentRules, recall } from "../retrieval/recall.js";
import { type AccessDeps, turnAccess } from "./access.js";
import { type TurnLanguage, turnLanguage } from "./language.js";

export interface BasisDeps extends AccessDeps {
  readonly retrieval: Retrieval;
  readonly locales: Locales;
  /** Who may know of what else than documents; absent: nobody of anything. */
  readonly rules?: AccessRules;
}

export interface Basis extends Dialogue, TurnLanguage {
  readonly access: Access;
}

/** Rejects with `TurnFailure`, or with the signal's reason. */
export async function basisOf(
  request: Pick<TurnRequest, "user" | "features" | "groups" | "text" | "language" | "heardLanguage">,
  { history, pending, targets }: Dialogue,
  deps: BasisDeps,
  signal: AbortSignal,
): Promise<Basis> {
  const access = await turnAccess(request, deps, signal);
  const rules = { ...deps.rules, ...documentRules(deps.retrieval) };
  const readable = new Set<object>(await recall([...history, ...pending], access, rules, signal));
  const lines = history.filter((line) => readable.has(line));
  const open = pending.filter((one) => readable.has(one));
  return { access, history: lines, pending: open, targets, ...turnLanguage(request, lines, deps.locales) };
}
