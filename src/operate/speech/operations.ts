/**
 * Everything that is said of an operation: its readback, why there is none, what an answer came to, and what was done. What
 * states a reading is a statement, which is compared with the reading as a value; all else claims nothing. Pure.
 */
import {
  CALLS_MAX,
  type OperationCall,
  type OperationView,
  type Proposal,
  type Proposed,
  type ReplyResult,
  type VoidReason,
} from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import { grouped } from "../../lib/grouped.js";
import type { Locale } from "../../locale/locale.js";
import type { Order, OrderRefusal } from "../orders/order.js";
import { STATUS } from "../wanted.js";
import { type SaidStatement, sentence, stateInWords, statementOf, statementsOf } from "./statements.js";

/** What is asked of somebody, in sentences: what would be done, how it is now, and what to say. */
export function readbackParts(
  proposal: Proposal,
  locale: Locale,
  to: "asker" | "second" = "asker",
): readonly SaidStatement[] {
  const { action, calls, dryRun, level, number } = proposal;
  const order = orderInWords(action, calls, locale);
  const before = calls.flatMap(({ before, postcondition: { signal, tool }, target }) =>
    before === undefined ? [] : { target, signal, tool, ...before, takenAtMs: 0 },
  );
  const isAsked = to === "asker";
  return [
    ...(dryRun ? [phrase(locale.say("operate_dry_run_first"))] : []),
    phrase(isAsked ? `${order}.` : locale.say("operate_request", { number: String(number), order })),
    ...statesOf(before, calls, locale),
    ...(level === "second_person" && isAsked ? [phrase(locale.say("operate_needs_second"))] : []),
    phrase(answerWanted(proposal, locale)),
  ];
}

/** The same as one text: what consent is to. */
export function readbackText(...from: Parameters<typeof readbackParts>): string {
  return readbackParts(...from)
    .map(({ text }) => text)
    .join(" ");
}

/** Why an order is not proposed. */
export function refusalInWords(
  refusal: OrderRefusal | Extract<Order, { readonly type: "unknown_target" }>,
  locale: Locale,
): string {
  if (refusal.type === "unknown_target") return locale.say("check_unknown", { words: refusal.words });
  if (refusal.why === "too_many")
    return locale.say("operate_no_too_many", { count: String(refusal.count), most: String(CALLS_MAX) });
  if (refusal.why === "no_target") return locale.say("operate_no_target");
  if (!("name" in refusal)) return locale.say(`operate_no_${refusal.why}`);
  const { name } = refusal;
  if (!("range" in refusal)) return sentence(locale.say(`operate_no_${refusal.why}`, { name }));
  const { max, min, unit } = refusal.range;
  const range = { low: amountInWords(min, unit), high: amountInWords(max, unit) };
  return sentence(locale.say("operate_no_value", { name, ...range }));
}

/** Things whose state cannot be read. */
export function unreadableInWords(names: readonly string[], locale: Locale): string {
  return locale.say("operate_no_reading", { name: listed(names, locale) });
}

/** Things that are as they were asked to be. */
export function alreadyParts(
  calls: readonly OperationCall[],
  readings: readonly Reading[],
  locale: Locale,
): readonly SaidStatement[] {
  return calls.flatMap(({ name, target }): readonly SaidStatement[] => {
    const reading = readings.find((one) => one.target === target);
    if (reading === undefined) return [];
    const says = [statementOf(reading)];
    if (reading.signal !== STATUS || typeof reading.value !== "string")
      return [...statesOf([reading], calls, locale), { text: locale.say("operate_already_so"), says }];
    const state = stateInWords(reading.value, locale);
    return [{ text: sentence(locale.say("operate_already", { name, state })), says }];
  });
}

/** Why a proposal does not wait. */
export function notProposedInWords(
  proposed: Exclude<Proposed, { readonly type: "waiting" }>,
  locale: Locale,
): string {
  if (proposed.type === "refused")
    return locale.say(proposed.why === "too_many" ? "operate_too_many_waiting" : "operate_not_recorded");
  const names = proposed.with.proposal.calls.map(({ name }) => name);
  return locale.say("operate_busy", { name: listed(names, locale) });
}

/** What an answer came to; of one that did not count also what is wanted, and how often it may be given. */
export function replyInWords(result: ReplyResult, proposal: Proposal, locale: Locale): string {
  switch (result.type) {
    case "accepted":
      return locale.say("operate_accepted");
    case "needs_second_person":
      return locale.say("operate_second_asked", { number: String(result.number) });
    case "ended":
      return voidInWords(result.reason, locale);
    case "unknown_operation":
      return locale.say("operate_unknown_request");
    case "not_counted": {
      const why = locale.say(`operate_${result.why}`);
      if (result.why !== "unclear") return why;
      const left = locale.say("operate_tries_left", { count: String(result.missesLeft) });
      return [why, answerWanted(proposal, locale), left].join(" ");
    }
  }
}

/** Why a proposal is over, of which nothing was done. */
export function voidInWords(reason: VoidReason, locale: Locale): string {
  return locale.say(`operate_over_${reason}`);
}

/** What became of an operation. That something was done is said with the reading that shows it, and not otherwise. */
export function outcomeParts(
  { after, outcomes, proposal, reason }: OperationView,
  locale: Locale,
): readonly SaidStatement[] {
  const { action, calls, id: operation } = proposal;
  if (outcomes.every((one) => one === undefined))
    return reason === undefined ? [] : [phrase(voidInWords(reason, locale))];
  if (outcomes.includes("dry_run")) return [phrase(locale.say("operate_dry_run"))];
  const shown = calls.map((call, i) => {
    const [outcome = "skipped", reading] = [outcomes[i], after[i]];
    const did = { operation, target: call.target, action, outcome };
    const read = reading === undefined ? [] : [reading];
    return { call, did, read, isVerified: outcome === "verified" && reading !== undefined };
  });
  const others = shown.filter(({ isVerified }) => !isVerified);
  const parts = others.flatMap(({ call, did, read }): readonly SaidStatement[] => {
    const { outcome } = did;
    const key = outcome === "verified" || outcome === "dry_run" ? "unknown" : outcome;
    const text = locale.say(`operate_${key}`, { order: orderInWords(action, [call], locale) });
    return [
      { text, says: [], did: [did] },
      ...statesOf(outcome === "contradicted" ? read : [], calls, locale),
    ];
  });
  const done = { text: locale.say("operate_done"), says: [], did: shown.map((one) => one.did) };
  const verified = shown.flatMap(({ isVerified, read }) => (isVerified ? read : []));
  return [...(others.length === 0 ? [done] : []), ...statesOf(verified, calls, locale), ...parts];
}

/** "Restart label printer two", "Set freezer one to -18 °C": without a full stop. */
function orderInWords(action: string, calls: readonly OperationCall[], locale: Locale): string {
  const byValue = grouped(calls, ({ value }) => value && amountInWords(value.number, value.unit));
  const own = action === "other" ? undefined : locale.group("order")[action];
  const texts = [...byValue].map(([value, some]) => {
    const names = some.map((one) => one.name);
    const name = listed(names, locale);
    const order =
      own?.replace("%name%", () => name) ??
      locale.say("order.other", { action: action.replaceAll("_", " "), name });
    return sentence(value === undefined ? order : locale.say("operate_with_value", { order, value }));
  });
  return texts.join(". ");
}

/** What to say to it, and to nothing else. */
function answerWanted({ challenge: word }: Proposal, locale: Locale): string {
  return word === undefined ? locale.say("operate_say_yes") : locale.say("operate_say_word", { word });
}

function amountInWords(number: number, unit: string | undefined): string {
  return unit === undefined ? String(number) : `${number} ${unit}`;
}

/** Each name, with "and" before the last. */
function listed(names: readonly string[], locale: Locale): string {
  return new Intl.ListFormat(locale.language).format(names);
}

function phrase(text: string): SaidStatement {
  return { text, says: [] };
}

/** How things are. What a signal that is only on or off is called makes no sentence. */
function statesOf(readings: readonly Reading[], calls: readonly OperationCall[], locale: Locale) {
  const nameOf = (id: string) => calls.find(({ target }) => target === id)?.name;
  const told = readings.filter(({ value }) => typeof value !== "boolean");
  return statementsOf(told, { locale, isSpoken: true, nameOf });
}
