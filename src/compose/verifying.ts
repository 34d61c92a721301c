/** The second reader, where a model is set for it. */
import type { Config } from "../config/schema.js";
import type { Clock } from "../lib/clock.js";
import { Breaker } from "../llm/breaker.js";
import type { Prompts } from "../llm/prompts.js";
import { Verifier } from "../llm/verifier.js";
import type { Telemetry } from "../telemetry/events.js";
import type { TurnDeps } from "../turn/turn.js";
import type { Models } from "./models.js";

export interface VerifyingDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly prompts: Prompts;
}

/** To be spread among what turns need. */
export function createVerifying(
  { llm }: Pick<Config, "llm">,
  { verifier: slot }: Models,
  { clock, prompts, telemetry }: VerifyingDeps,
): Pick<TurnDeps, "verifying"> {
  if (slot === undefined) return {};
  const { model, outputTokensMax } = slot;
  const { sentencesMax, timeoutMs } = llm.verifier;
  // Beside the one that counts how its server is: this one counts words that come too late to be of use.
  const breaker = new Breaker(clock, llm.breaker, (state) =>
    telemetry.emit({ type: "model_breaker_changed", model: `second reader ${model.name}`, state }),
  );
  const verifier = new Verifier({ clock, model, prompts, breaker }, { timeoutMs, outputTokensMax });
  return { verifying: { verifier, sentencesMax } };
}
