/** `suggested_questions` [LT-57] and `summarize` [LT-58]: commands of the protocol that this service does not offer. */
import type { SuggestedQuestionsCommand, SummarizeCommand } from "@readback/protocol";
import type { DispatchDeps, Visit } from "../visit.js";
import { refuse } from "./refuse.js";

export function notOffered(
  visit: Visit<SuggestedQuestionsCommand | SummarizeCommand>,
  deps: DispatchDeps,
): void {
  refuse(visit, "unknown_command", `This service does not offer ${visit.command.command}.`, deps);
}
