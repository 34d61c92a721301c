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
  work(askerOf(visit.command), NEVER).then(
    (reply) => {
      const outlet = whereSeen(visit, deps);
      outlet.link.reply({ ...reply, requestId }, outlet.route);
    },
    (error: unknown) => {
      const outlet = whereSeen(visit, deps);
      const failure = error instanceof TurnFailure ? error : faultOf(error, deps);
      refuse({ ...visit, outlet, link: outlet.link }, failure.code, failure.message, deps);
    },
  );
}

function whereSeen({ command, outlet }: Visit<Command>, { chats }: DispatchDeps): UserOutlet {
  const { network, username } = command;
  const seen = chats.lastSeen({ network, username });
  return seen instanceof UserOutlet ? seen : outlet;
}

function faultOf(error: unknown, { telemetry }: DispatchDeps): TurnFailure {
  telemetry.emit({ type: "service_fault", where: "a command beside the mailbox", error: String(error) });
  return new TurnFailure("assistant_unavailable", "That is not possible now. Try again in a moment.");
}
