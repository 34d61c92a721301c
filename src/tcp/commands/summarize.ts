/** `summarize` [LT-58]: a text, a document or the user's chat, in short. Beside the mailbox. */
import type { SummarizeCommand } from "@readback/protocol";
import type { SummarySubject } from "../../turn/overview.js";
import type { DispatchDeps, Visit } from "../visit.js";
import { replyLater } from "./reply-later.js";

export function summarize(visit: Visit<SummarizeCommand>, deps: DispatchDeps): void {
  const subject = subjectOf(visit, deps);
  replyLater(visit, deps, async (request, signal) => ({
    command: "summary",
    text: await deps.overview.summarize(request, subject, signal),
  }));
}

/** The chat as it is when the command comes. */
function subjectOf({ command, user }: Visit<SummarizeCommand>, { chats }: DispatchDeps): SummarySubject {
  const { document, text } = command;
  if (text !== undefined) return { type: "text", text };
  if (document !== undefined) return { type: "document", name: document };
  return { type: "chat", history: chats.find(user)?.remembered ?? [] };
}
