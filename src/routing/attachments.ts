/** Whether a message speaks of what its caller attached: only then is that used (EDITOR / NO_EDITOR of the reference). */
import type { AttachedContext } from "../domain/turn.js";
import { commands } from "./commands.js";
import type { NormalizedMessage } from "./normalized-message.js";
import type { RouteKind } from "./options.js";

/** What a caller attached, by kind: the router never sees the contents. */
export interface AttachedKinds {
  /** A selection, or the text that is open. */
  readonly text: boolean;
  /** Figures of the calling platform, or who the user is to it. */
  readonly platform: boolean;
}

export function attachedKinds(context: AttachedContext | undefined): AttachedKinds {
  const { selectedText = "", editorContent = "", extraContext = "", userInfo = {} } = context ?? {};
  return {
    text: selectedText.trim() !== "" || editorContent.trim() !== "",
    platform: extraContext.trim() !== "" || Object.keys(userInfo).length > 0,
  };
}

export function usesAttached(
  said: NormalizedMessage,
  attached: AttachedKinds,
  capability: RouteKind,
): boolean {
  if (capability === "platform") return attached.platform;
  const hints = commands.phrases(said.said.words);
  return (attached.text && refersToText(said)) || (attached.platform && hints.has("attached_data"));
}

/** A message about the text that the user has before them, rather than about an answer. */
export function refersToText({ said }: NormalizedMessage): boolean {
  return (
    commands.phrases(said.words).has("attached_text") ||
    commands.of(said).some(({ intent }) => intent === "about_this")
  );
}

/** To have the attached text explained is a question to it, not to the last answer. */
export function wantsTextExplained(said: NormalizedMessage): boolean {
  return refersToText(said) && commands.of(said.said).some(({ intent }) => intent === "explain");
}
