/**
 * What somebody is told after a refusal who may be reporting an emergency in words that nothing here knows: whom to call
 * if anyone is in danger, and that nobody was called.
 */
import { TurnFailure } from "../domain/failure.js";
import type { ChatRequest, HeardRequest } from "../domain/turn.js";
import { GuardRefusal } from "../guard/port.js";
import { emergencyIn } from "../locale/emergency.js";
import type { Locale } from "../locale/locale.js";
import type { Locales } from "../locale/locales.js";
import { mayReport } from "../routing/report.js";
import { turnLanguage } from "./language.js";

/** What is said after a refusal of `message`; nothing where it reports nothing. */
export function cautionFor(
  message: string,
  network: string,
  locale: Locale,
  locales: Locales,
): string | undefined {
  if (emergencyIn(message) === undefined && !mayReport(message)) return undefined;
  const phrase = locales.emergency(network, locale);
  return [locale.say("emergency_in_case"), phrase, locale.say("emergency_nobody_called")].join(" ");
}

/** The same failure with that behind its message, a refusal in the user's language. `text`: as far as it is known. */
export function withCaution(
  failure: TurnFailure,
  asked: ChatRequest | HeardRequest,
  locales: Locales,
  text = "text" in asked ? asked.text : "",
): TurnFailure {
  const { code, cause } = failure;
  if (code === "cancelled") return failure;
  const heardLanguage = emergencyIn(text)?.language ?? asked.heardLanguage;
  const { locale } = turnLanguage({ ...asked, text, heardLanguage }, [], locales);
  const caution = cautionFor(text, asked.user.network, locale, locales);
  const message = failure instanceof GuardRefusal ? locale.say("guard_refused") : failure.message;
  return new TurnFailure(code, caution === undefined ? message : `${message} ${caution}`, { cause });
}
