/** The page's words, by language: those of `locales/` under `editor.`, `operations.` and `kiosk.`. */
import { filled, languageFor, loadStrings } from "/editor/assets/kiosk/strings.js";

const all = await loadStrings<Readonly<Record<string, string>>>("/editor/assets/strings.json");
const language = languageFor(navigator.languages, Object.keys(all));
const strings = all[language]!;

/** A text of the page; what the service names in its own words (`phase_review`) and the page does not know stays so. */
export function say(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  return filled(strings[name] ?? name.replace(/^(?:phase|status|kind|field)_/, ""), values);
}

/** Puts the words into what the page is made of. */
export function sayAll(): void {
  document.documentElement.lang = language;
  document.title = say("title");
  for (const element of document.querySelectorAll<HTMLElement>("[data-string]"))
    element.textContent = say(element.dataset.string!);
}
