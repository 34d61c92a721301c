/** How many of a query's optional clauses must match. */
import { NotSupported } from "./errors.js";
import type { Json } from "./json.js";

/**
 * `minimum_should_match` as a number, `-1`, `75%` or `-25%`. Without it one clause must match where nothing else is
 * required, and none where something is.
 */
export function shouldNeeded(minimum: Json | undefined, optional: number, required: number): number {
  if (minimum === undefined || minimum === null) return optional > 0 && required === 0 ? 1 : 0;
  const written = /^(-?)(\d+)(%?)$/.exec(String(minimum).trim());
  if (written === null) throw new NotSupported(`minimum_should_match [${String(minimum)}]`);
  const amount = written[3] === "%" ? Math.trunc((Number(written[2]) * optional) / 100) : Number(written[2]);
  return Math.max(0, written[1] === "-" ? optional - amount : amount);
}
