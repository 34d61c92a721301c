/** What people say first to a voice that they do not know: who it is, what it can do, whether it hears them, a test. */
import { commands } from "./commands.js";
import { commandIn, utterance } from "./utterance.js";

/** Clauses that are looked at; who says more says something else as well. */
const CLAUSES_MAX = 4;

/** Whether a message wants the assistant to introduce itself, and nothing else but courtesy. */
export function isFirstWords(message: string): boolean {
  const isOne = (said: string) => commandIn(utterance(said))?.intent === "introduce";
  if (isOne(message)) return true;
  const clauses = message.split(/[.,:;!?\n]/).filter((clause) => clause.trim() !== "");
  if (clauses.length > CLAUSES_MAX) return false;
  const rest = clauses.filter((clause) => !commands.isCourtesy(commands.hear(clause).words));
  return rest.length > 0 && rest.every(isOne);
}
