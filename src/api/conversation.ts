/** A conversation that a client keeps itself, as chat protocols send it: the question, and what was said before. */
import { z } from "zod";
import type { Caller } from "./api-keys.js";
import type { CallerQuestion } from "./ask.js";
import type { CallerNote } from "./caller-note.js";
import { type DefaultUser, identityOf } from "./claims.js";
import { parsed, textField } from "./fields.js";
import type { SaidBefore } from "./given-answers.js";
import { Rejection } from "./rejection.js";

export interface ChatMessage {
  readonly role: string;
  readonly text: string;
}

/**
 * Instructions of a client are not followed: how the assistant speaks is set where it runs. What tools of the client's
 * own said belongs to no question that is asked here.
 */
const PASSED_OVER = ["system", "developer", "tool", "function"];

/** Whether nothing of a message with this role is read. */
export function isPassedOver(role: string): boolean {
  return PASSED_OVER.includes(role);
}

const contentOf = z.object({ content: textField });

/** The words of a conversation: its last message is the user's question. `field`: where it stood. Throws `Rejection`. */
export function saidIn(
  messages: readonly ChatMessage[],
  field = "messages",
): { text: string; history: readonly SaidBefore[] } {
  const spoken = messages.map(({ role, text }, index) => ({ role, text, index }));
  // An assistant that only called tools said nothing.
  const said = spoken.filter(
    ({ role, text }) => !isPassedOver(role) && (role !== "assistant" || text.trim() !== ""),
  );
  const lines = said.map(({ index, role, text }) => ({
    role: speakerOf(role, `${field}[${index}].role`),
    text,
  }));
  const [last] = said.slice(-1);
  if (last === undefined || last.role !== "user") {
    throw new Rejection("bad_parameter", `"${field}" must end with a message of the user.`, field);
  }
  const { content } = parsed(contentOf, { content: last.text }, `${field}[${last.index}].`);
  return { text: content, history: lines.slice(0, -1) };
}

function speakerOf(role: string, field: string): SaidBefore["role"] {
  if (role === "user" || role === "assistant") return role;
  throw new Rejection("bad_parameter", `"${field}" must be system, user, assistant or tool.`, field);
}

/** The question of a client that may also name a session: then the service's own memory counts, not the client's. */
export function questionIn(
  { text, history }: { readonly text: string; readonly history: readonly SaidBefore[] },
  note: CallerNote,
  caller: Caller,
  otherwise: DefaultUser,
  stop?: readonly string[],
): CallerQuestion {
  const { features, groups, language, mode, network, query_type, session_id, username, ...context } = note;
  return {
    ...identityOf(caller, { network, username, groups, features, mode }, otherwise),
    text,
    responseType: "text",
    language,
    route: query_type,
    context,
    sessionId: session_id,
    stop,
    ...(session_id == null ? { history } : {}),
  };
}
