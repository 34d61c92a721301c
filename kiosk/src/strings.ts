/** The page's words, in every language that the service has. */

/** Those that `locales/` has under `kiosk.`. */
export type StringName =
  | "answer"
  | "back_to_start"
  | "busy"
  | `call_${"colleague" | "failed" | "passed_on"}`
  | "challenge"
  | "checked"
  | "close"
  | "failed"
  | `hold_${"longer" | "to_talk"}`
  | `key_${"delete" | "hide" | "shift" | "space"}`
  | "keyboard"
  | `language${"" | "_name"}`
  | "listening"
  | `microphone_${"blocked" | "opening"}`
  | `no_${"answer" | "reading"}`
  | `not_${"set_up" | "understood"}`
  | "offline"
  | "operation"
  | `outcome_${"verified" | "contradicted" | "unknown" | "failed" | "skipped" | "dry_run"}`
  | "page"
  | "ready"
  | "release_to_send"
  | "repeat"
  | "revision"
  | `risk_${"low" | "medium" | "high"}`
  | "send"
  | "source"
  | "speaking"
  | "starting"
  | "stop"
  | "suggested_questions"
  | "thing_state"
  | "thinking"
  | "title"
  | "type_your_question"
  | "volume"
  | "your_question";

export type Strings = Readonly<Record<StringName, string>>;

/** Of the page of operations: those of the kiosk, and those that `locales/` has under `operations.`. */
export type OperationsStrings = Strings &
  Readonly<Record<"approved_by" | "asked_of" | "confirm_read" | "approve" | "deny" | "word", string>> &
  Readonly<Record<"not_allowed" | "not_counted" | "paused" | "seconds_left", string>>;

/** By language tag. */
export type AllStrings = Readonly<Record<string, Strings>>;

/** The texts of a page, by language tag. */
export async function loadStrings<S = Strings>(path: string): Promise<Readonly<Record<string, S>>> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`the page's words are not there: ${response.status}`);
  return (await response.json()) as Readonly<Record<string, S>>;
}

/** Which of the languages there are suits best; the first wish that can be had, or English. */
export function languageFor(wishes: readonly (string | undefined)[], known: readonly string[]): string {
  const bases = wishes.map((wish) => wish?.toLowerCase().split("-")[0]);
  const byBase = new Map(known.map((tag) => [tag.toLowerCase().split("-")[0], tag]));
  const base = bases.find((wish) => wish !== undefined && byBase.has(wish));
  return byBase.get(base) ?? "en";
}

/** A text with its `%placeholders%` filled in. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/%(\w+)%/g, (_whole, name: string) => String(values[name]));
}

/** Units of an age, the longest first, with their milliseconds; what is younger than all of them is of now. */
const AGES = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "now", "2 minutes ago", in the language of this tag. */
export function ageInWords(ageMs: number, language: string): string {
  const [unit, unitMs] = AGES.find(([, each]) => ageMs >= each) ?? ["second", Number.POSITIVE_INFINITY];
  const count = Math.max(0, Math.floor(ageMs / unitMs));
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(0 - count, unit);
}
