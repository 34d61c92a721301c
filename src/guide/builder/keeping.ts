/** A session as a text that can be kept, and back: its guides stand in it as their files write them. Pure. */
import type { StoredGuideSession } from "../../store/guide-sessions.js";
import { guideFile, parseGuide } from "../schema/read-guide.js";
import type { GuideDraft } from "./patch.js";
import type { BuilderSession } from "./session.js";

export function storedSession(session: BuilderSession): StoredGuideSession {
  const { id, network, owner, state, undo, updatedAtMs } = session;
  const text = JSON.stringify({ ...session, ...written(session), undo: undo.map(written) });
  return { id, network, owner, status: state.status, updatedAtMs, text };
}

export function restoredSession({ text }: StoredGuideSession): BuilderSession {
  const kept = JSON.parse(text) as BuilderSession;
  return { ...kept, ...read(kept), undo: kept.undo.map(read) };
}

function written({ backing, guide }: GuideDraft) {
  return { guide: guideFile(guide), backing };
}

function read({ backing, guide }: GuideDraft): GuideDraft {
  return { guide: parseGuide(guide), backing };
}
