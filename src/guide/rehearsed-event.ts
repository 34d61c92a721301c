/** What a line means in a dry run, where one person is the worker, the site and the colleague. */
import { stepAt } from "./run/places.js";
import type { GuideRun, OperatedOutcome, RunAction } from "./run/run.js";
import type { GuideIndex } from "./schema/graph.js";
import { orderOf } from "./speech/orders.js";

/** Who works. */
export const WORKER = "you";

/** What may come of an operation. */
export const REHEARSED_OUTCOMES: readonly OperatedOutcome[] = [
  "verified",
  "already",
  "refused",
  "failed",
  "unknown",
];

/** What a line would do if it were said, or what the site or a colleague does; an empty one is "done". */
export function rehearsedEvent(
  line: string,
  index: GuideIndex,
  run: GuideRun,
): RunAction & { readonly by: string } {
  const by = WORKER;
  const [word = "", ...others] = line.split(" ");
  const rest = others.join(" ");
  if (line === "") return { type: "next", by };
  if (line === "?") return { type: "commands", by };
  if (word === "second") {
    const step = stepAt(index, run.place);
    const groups = step?.kind === "hold_point" && step.group ? [step.group] : [];
    return { type: "second", groups, by: rest || "colleague" };
  }
  if (run.asks?.type === "reading" && (word === "fits" || word === "misfits"))
    return { type: "reading", said: rest, fits: word === "fits", by: "site" };
  if (run.asks?.type === "reading" && line === "unreadable")
    return { type: "reading", fits: false, by: "site" };
  const outcome = REHEARSED_OUTCOMES.find((one) => one === line);
  if (outcome !== undefined && run.asks?.type === "operation")
    return { type: "operated", outcome, by: "site" };
  const order = orderOf(line, index, run);
  return order === undefined || order.type === "timer" ? { type: "noise", by } : { ...order, by };
}
