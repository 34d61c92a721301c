/** What decides which documents a turn may read: the user, the kiosk flag, and the groups that count. */
import { TurnFailure } from "../domain/failure.js";
import { isKiosk, type TurnRequest } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
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
  const { user } = request;
  try {
    const known = await Promise.all(groups.directories.map((directory) => directory.groupsOf(user, signal)));
    return accessWith(known.flat(), request, groups);
  } catch (cause) {
    if (!(cause instanceof GroupsUnknown)) throw cause;
    telemetry.emit({ type: "groups_unknown", user, error: cause.message });
    const sorry = "What you may read cannot be checked now. Try again in a moment.";
    throw new TurnFailure("assistant_unavailable", sorry, { cause });
  }
}

/** Time for the directories in an emergency. */
export const URGENT_ACCESS_MS_MAX = 500;

/** The same without the groups of directories that cannot be asked at once: rather less is read than nothing said. */
export async function urgentAccess(
  request: Pick<TurnRequest, "user" | "features" | "groups">,
  deps: AccessDeps & { readonly clock: Clock },
  signal: AbortSignal,
): Promise<Access> {
  try {
    return await withDeadline(deps.clock, "the groups", URGENT_ACCESS_MS_MAX, signal, (within) =>
      turnAccess(request, deps, within),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TurnFailure || error instanceof DeadlineExceeded)) throw error;
    return accessWith([], request, deps.groups);
  }
}

function accessWith(
  known: readonly string[],
  { features, groups, user }: Pick<TurnRequest, "user" | "features" | "groups">,
  { fromCommand }: GroupSources,
): Access {
  const claimed = fromCommand ? groups : [];
  return { ...user, groups: [...new Set([...claimed, ...known])], kiosk: isKiosk(features) };
}
