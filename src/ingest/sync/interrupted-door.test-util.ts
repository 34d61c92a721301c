/** A door whose sessions can be stopped at any of their calls, for tests. */
import type { SyncDoor, SyncSession } from "./port.js";

/** Told of every call on a session, as `part.method`, before it is made and after it has done its work. */
export type OnCall = (name: string, when: "before" | "after") => Promise<void>;

export function watched(door: SyncDoor, onCall: OnCall): SyncDoor {
  return {
    async enter(signal) {
      await onCall("door.enter", "before");
      const entered = await door.enter(signal);
      await onCall("door.enter", "after");
      return entered.type === "taken" ? entered : watchedSession(entered, onCall);
    },
  };
}

/** `work` is done once, behind the first call of this name. */
export function interrupted(door: SyncDoor, name: string, work: () => Promise<void>): SyncDoor {
  let isDone = false;
  return watched(door, async (called, when) => {
    if (called !== name || when !== "after" || isDone) return;
    isDone = true;
    await work();
  });
}

function watchedSession(session: SyncSession, onCall: OnCall): SyncSession {
  return {
    type: "entered",
    signal: session.signal,
    connector: watchedPart("connector", session.connector, onCall),
    metadata: watchedPart("metadata", session.metadata, onCall),
    chunks: watchedPart("chunks", session.chunks, onCall),
    progress: watchedPart("progress", session.progress, onCall),
    async close() {
      await onCall("session.close", "before");
      await session.close();
    },
  };
}

function watchedPart<Part extends object>(part: string, target: Part, onCall: OnCall): Part {
  return new Proxy(target, {
    get(_target, name) {
      const method = Reflect.get(target, name) as (...parameters: unknown[]) => Promise<unknown>;
      return async (...parameters: unknown[]) => {
        await onCall(`${part}.${String(name)}`, "before");
        const result = await method.apply(target, parameters);
        await onCall(`${part}.${String(name)}`, "after");
        return result;
      };
    },
  });
}
