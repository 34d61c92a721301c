/** What decides which documents a turn may read: the user, the kiosk flag, and the groups that count. */
import { TurnFailure } from "../domain/failure.js";
import { isKiosk, type TurnRequest } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import { type GroupDirectory, GroupsUnknown } from "../retrieval/groups/port.js";
import type { Telemetry } from "../telemetry/events.js";

/** Where groups come from. */
export interface GroupSources {
  /** Whether those that came with the message count. */
  readonly fromCommand: boolean;
  readonly directories: readonly GroupDirectory[];
}

export interface AccessDeps {
  readonly groups: GroupSources;
  readonly telemetry: Telemetry;
}

/**
 * The access of a turn: kiosk when any feature flag contains the word; the groups of the message and of every
 * directory. The mode never widens it. Rejects with `TurnFailure` when a directory cannot be asked: an access with
 * groups left out would call a document missing that the user may read.
 */
export async function turnAccess(
  request: Pick<TurnRequest, "user" | "features" | "groups">,
  { groups, telemetry }: AccessDeps,
  signal: AbortSignal,
): Promise<Access> {
  const { user, features } = request;
  const claimed = groups.fromCommand ? request.groups : [];
  try {
    const known = await Promise.all(groups.directories.map((directory) => directory.groupsOf(user, signal)));
    return { ...user, groups: [...new Set([...claimed, ...known.flat()])], kiosk: isKiosk(features) };
  } catch (cause) {
    if (!(cause instanceof GroupsUnknown)) throw cause;
    telemetry.emit({ type: "groups_unknown", user, error: cause.message });
    const sorry = "What you may read cannot be checked now. Try again in a moment.";
    throw new TurnFailure("assistant_unavailable", sorry, { cause });
  }
}
