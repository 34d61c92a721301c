/** Refuses a command about a user: told to the relay, and counted. */
import type { ErrorCode } from "@readback/protocol";
import type { DispatchDeps, UserCommand, Visit } from "../visit.js";

export function refuse(visit: Visit<UserCommand>, code: ErrorCode, error: string, deps: DispatchDeps): void {
  const { network, username, requestId } = visit.command;
  const user = { network, username };
  deps.telemetry.emit({ type: "command_refused", connection: visit.link.id, code, detail: error, user });
  visit.link.refuse({ code, error, requestId }, visit.outlet.route);
}
