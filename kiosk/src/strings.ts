/** The page's words, in every language that the service has. */

export type StringName =
  | "ask_colleague"
  | "busy"
  | "done"
  | "failed"
  | "greeting"
  | "hold"
  | "language"
  | "language_name"
  | "let_go"
  | "listening"
  | "locked"
  | "no_microphone"
  | "offline"
  | "opening"
  | "page"
  | "question"
  | "ready"
  | "revision"
  | "send"
  | "source"
  | "speaking"
  | "starting"
  | "stop"
  | "suggestions"
  | "tapped"
  | "thinking"
  | "title"
  | "type"
  | "unheard";

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
  return bases.find((base): base is string => base !== undefined && known.includes(base)) ?? "en";
}
