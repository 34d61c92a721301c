/** Answers a command when its work is done, wherever the user is by then; a failure is told as every refusal is. */
import type {
  SuggestedQuestionsCommand,
  SuggestedQuestionsReply,
  SummarizeCommand,
  SummaryCommand,
} from "@readback/protocol";
import { TurnFailure } from "../../domain/failure.js";
import type { OverviewRequest } from "../../turn/overview.js";
import { UserOutlet } from "../user-outlet.js";
import type { DispatchDeps, Visit } from "../visit.js";
import { refuse } from "./refuse.js";
import { askerOf } from "./turn-context.js";

/** Nobody calls this work off: it has its deadline. */
const NEVER = new AbortController().signal;

type Command = SuggestedQuestionsCommand | SummarizeCommand;

/** `work` rejects with `TurnFailure` only. */
export function replyLater(
  visit: Visit<Command>,
  deps: DispatchDeps,
  work: (request: OverviewRequest, signal: AbortSignal) => Promise<SuggestedQuestionsReply | SummaryCommand>,
): void {
  const { requestId } = visit.command;
  work(askerOf(visit), NEVER).then(
    (reply) => {
      const { link, route } = whereSeen(visit, deps);
      link.reply({ ...reply, requestId }, route);
    },
    (fault: unknown) => {
      const { link, route } = whereSeen(visit, deps);
      const { code, message } = fault instanceof TurnFailure ? fault : faultOf(fault, deps);
      refuse({ code, error: message, requestId }, route, link, deps);
    },
  );
}

function whereSeen({ outlet, user }: Visit<Command>, { chats }: DispatchDeps): UserOutlet {
  const seen = chats.lastSeen(user);
  return seen instanceof UserOutlet ? seen : outlet;
}

function faultOf(error: unknown, { telemetry }: DispatchDeps): TurnFailure {
  telemetry.emit({ type: "service_fault", where: "a command beside the mailbox", error: String(error) });
  return new TurnFailure("assistant_unavailable", "That is not possible now. Try again in a moment.");
}
