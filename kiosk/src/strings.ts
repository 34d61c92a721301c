/** The page's words, in every language that the service has. */

/** Those that `locales/` has under `kiosk.`. */
export type StringName =
  | "answer"
  | "back_to_start"
  | "busy"
  | "call_colleague"
  | "call_failed"
  | "call_passed_on"
  | "close"
  | "failed"
  | "hold_longer"
  | "hold_to_talk"
  | "key_delete"
  | "key_hide"
  | "key_shift"
  | "key_space"
  | "keyboard"
  | "language"
  | "language_name"
  | "listening"
  | "microphone_blocked"
  | "microphone_opening"
  | "no_answer"
  | "not_set_up"
  | "not_understood"
  | "offline"
  | "page"
  | "ready"
  | "release_to_send"
  | "repeat"
  | "revision"
  | "send"
  | "source"
  | "speaking"
  | "starting"
  | "stop"
  | "suggested_questions"
  | "thinking"
  | "title"
  | "type_your_question"
  | "volume"
  | "your_question";

export type Strings = Readonly<Record<StringName, string>>;

/** By language tag. */
export type AllStrings = Readonly<Record<string, Strings>>;

export async function loadStrings(): Promise<AllStrings> {
  const response = await fetch("/kiosk/assets/strings.json");
  if (!response.ok) throw new Error(`the page's words are not there: ${response.status}`);
  return (await response.json()) as AllStrings;
}

/** Which of the languages there are suits best; the first wish that can be had, or English. */
export function languageFor(wishes: readonly (string | undefined)[], known: readonly string[]): string {
  const bases = wishes.map((wish) => wish?.toLowerCase().split("-")[0]);
  const byBase = new Map(known.map((tag) => [tag.toLowerCase().split("-")[0], tag]));
  const base = bases.find((wish) => wish !== undefined && byBase.has(wish));
  return byBase.get(base) ?? "en";
}
