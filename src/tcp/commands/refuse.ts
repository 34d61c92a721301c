/** Refuses a command [LT-47]: told to the relay, and counted. */
import type { AiMessageErrorCommand, Route } from "@readback/protocol";
import type { RelayLink } from "../relay-link.js";
import type { DispatchDeps } from "../visit.js";

export function refuse(
  { code, error, requestId }: Omit<AiMessageErrorCommand, "command">,
  { network, username, connectionId }: Route,
  link: RelayLink,
  { telemetry }: DispatchDeps,
): void {
  const user = network === undefined || username === undefined ? {} : { user: { network, username } };
  telemetry.emit({ type: "command_refused", connection: link.id, code, detail: error, ...user });
  link.refuse({ code, error, requestId }, { network, username, connectionId });
}
