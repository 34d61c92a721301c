/** `suggested_questions` [LT-57]: what this user could ask and would be answered. Beside the mailbox. */
import type { SuggestedQuestionsCommand } from "@readback/protocol";
import type { DispatchDeps, Visit } from "../visit.js";
import { replyLater } from "./reply-later.js";

export function suggestedQuestions(visit: Visit<SuggestedQuestionsCommand>, deps: DispatchDeps): void {
  replyLater(visit, deps, async (request, signal) => ({
    command: "suggested_questions",
    questions: await deps.overview.suggest(request, signal),
  }));
}
