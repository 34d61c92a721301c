/** Errors after which a model can make a better call are worth one more try; a tool that ends in the same again gets none. */
import { isRecoverable, type LoopError, type LoopErrorCode } from "./envelope.js";

/** Calls of one tool that may end in one such error, as long as none of them works. */
const TRIES_MAX = 2;

export interface ToolTrouble {
  readonly tool: string;
  readonly code: LoopErrorCode;
}

/** What has gone wrong with each tool since a call of it worked. */
export function afterCall(
  troubles: readonly ToolTrouble[],
  tool: string,
  error: LoopError | undefined,
): readonly ToolTrouble[] {
  if (error === undefined) return troubles.filter((one) => one.tool !== tool);
  return isRecoverable(error) ? [...troubles, { tool, code: error.code }] : troubles;
}

export function isGivenUp(troubles: readonly ToolTrouble[], tool: string): boolean {
  const codes = troubles.filter((one) => one.tool === tool).map(({ code }) => code);
  return codes.some((code) => codes.filter((other) => other === code).length >= TRIES_MAX);
}
