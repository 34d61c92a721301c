/** Which prompt persona answers, chosen as in the reference system. It never changes what may be read. */
import type { Persona } from "../capability/capability.js";
import { isKiosk, type TurnRequest } from "../domain/turn.js";

const ONBOARDING_MODE = "ai_onboarding";

export function choosePersona(request: Pick<TurnRequest, "mode" | "features">): Persona {
  if (request.mode === ONBOARDING_MODE) return "onboarding";
  return isKiosk(request.features) ? "kiosk" : "default";
}
