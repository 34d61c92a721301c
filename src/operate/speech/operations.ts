/**
 * Everything that is said of an operation: its readback, why there is none, what an answer came to, and what was done. What
 * states a reading is a statement, which is compared with the reading as a value; all else claims nothing. Pure.
 */
import {
  CALLS_MAX,
  type CallOutcome,
  type OperationCall,
  type Proposal,
  type VoidReason,
} from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import { grouped } from "../../lib/grouped.js";
import type { Locale } from "../../locale/locale.js";
import type { OperationView, Proposed, ReplyResult } from "../operations.js";
import type { Order, OrderRefusal } from "../orders/order.js";
import type { ValueRange } from "../safety/acting.js";
import { STATUS } from "../wanted.js";
import { stateInWords } from "./state.js";
import { type Rendering, type SaidStatement, sentence, statementOf, statementsOf } from "./statements.js";

/** What is asked of somebody, in sentences: what would be done, how it is now, and what to say. */
export function readbackParts(
  proposal: Proposal,
  locale: Locale,
  to: "asker" | "second" = "asker",
): readonly SaidStatement[] {
  const { action, calls, dryRun, level, number } = proposal;
  const order = orderInWords(action, calls, locale);
  const before = calls.flatMap((call) =>
    call.before === undefined ? [] : { ...readingOf(call), ...call.before, takenAtMs: 0 },
  );
  return [
    ...(dryRun ? [phrase(locale.say("operate_dry_run_first"))] : []),
    phrase(to === "second" ? locale.say("operate_request", { number: String(number), order }) : `${order}.`),
    ...statementsOf(before.filter(isTellable), renderingOf(calls, locale)),
    ...(level === "second_person" && to === "asker" ? [phrase(locale.say("operate_needs_second"))] : []),
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
  switch (refusal.why) {
    case "too_many":
      return locale.say("operate_no_too_many", { count: String(refusal.count), most: String(CALLS_MAX) });
    case "needs_value":
    case "out_of_range":
    case "other_unit": {
      const [low, high] = [refusal.range.min, refusal.range.max].map((end) =>
        amountInWords(end, refusal.range),
      );
      return sentence(locale.say("operate_no_value", { name: refusal.name, low: low!, high: high! }));
    }
    case "off":
    case "emergency_stop":
    case "one_at_a_time":
      return locale.say(`operate_no_${refusal.why}`);
    case "no_target":
      return locale.say("operate_no_target");
    default:
      return sentence(locale.say(`operate_no_${refusal.why}`, { name: refusal.name }));
  }
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
  const rendering = renderingOf(calls, locale);
  return calls.flatMap(({ name, target }): readonly SaidStatement[] => {
    const reading = readings.find((one) => one.target === target);
    if (reading === undefined) return [];
    const { signal, value } = reading;
    const so = locale.say("operate_already_so");
    const says = [statementOf(reading)];
    if (signal === STATUS && typeof value === "string")
      return [
        { text: sentence(locale.say("operate_already", { name, state: stateInWords(value, locale) })), says },
      ];
    if (!isTellable(reading)) return [{ text: so, says }];
    return [...statementsOf([reading], rendering), phrase(so)];
  });
}

/** Why a proposal does not wait. */
export function notProposedInWords(
  proposed: Exclude<Proposed, { readonly type: "waiting" }>,
  locale: Locale,
): string {
  if (proposed.type === "busy") {
    const names = proposed.with.proposal.calls.map(({ name }) => name);
    return locale.say("operate_busy", { name: listed(names, locale) });
  }
  return locale.say(proposed.why === "too_many" ? "operate_too_many_waiting" : "operate_not_recorded");
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
  const { action, calls } = proposal;
  if (outcomes.every((one) => one === undefined))
    return reason === undefined ? [] : [phrase(voidInWords(reason, locale))];
  if (outcomes.includes("dry_run")) return [phrase(locale.say("operate_dry_run"))];
  const rendering = renderingOf(calls, locale);
  const shown = calls.map((call, i) => ({ call, outcome: outcomes[i] ?? "skipped", reading: after[i] }));
  const verified = shown.flatMap(({ outcome, reading }) =>
    outcome === "verified" && reading !== undefined ? [reading] : [],
  );
  const others = shown.filter(({ outcome, reading }) => outcome !== "verified" || reading === undefined);
  const did = (some: readonly { readonly call: OperationCall; readonly outcome: CallOutcome }[]) =>
    some.map(({ call: { target }, outcome }) => ({ operation: proposal.id, target, action, outcome }));
  const parts = others.flatMap((one): readonly SaidStatement[] => {
    const { call, outcome, reading } = one;
    const order = orderInWords(action, [call], locale);
    const key = outcome === "verified" || outcome === "dry_run" ? "unknown" : outcome;
    const told = { text: locale.say(`operate_${key}`, { order }), says: [], did: did([one]) };
    const isShown = outcome === "contradicted" && reading !== undefined && isTellable(reading);
    return isShown ? [told, ...statementsOf([reading], rendering)] : [told];
  });
  const done = others.length === 0 ? [{ text: locale.say("operate_done"), says: [], did: did(shown) }] : [];
  return [...done, ...statementsOf(verified.filter(isTellable), rendering), ...parts];
}

/** "Restart label printer two", "Set freezer one to -18 °C": without a full stop. */
function orderInWords(action: string, calls: readonly OperationCall[], locale: Locale): string {
  const byValue = grouped(calls, ({ value }) =>
    value === undefined ? "" : amountInWords(value.number, value),
  );
  const texts = [...byValue].map(([value, some]) => {
    const name = listed(
      some.map((one) => one.name),
      locale,
    );
    const own = locale.group("order")[action];
    const order =
      own === undefined || action === "other"
        ? locale.say("order.other", { action: action.replaceAll("_", " "), name })
        : own.replace("%name%", () => name);
    return sentence(value === "" ? order : locale.say("operate_with_value", { order, value }));
  });
  return texts.join(". ");
}

/** What to say to it, and to nothing else. */
function answerWanted({ challenge }: Proposal, locale: Locale): string {
  return challenge === undefined
    ? locale.say("operate_say_yes")
    : locale.say("operate_say_word", { word: challenge });
}

function amountInWords(number: number, { unit }: Pick<ValueRange, "unit">): string {
  return unit === undefined ? String(number) : `${number} ${unit}`;
}

/** Each name, with "and" before the last. */
function listed(names: readonly string[], locale: Locale): string {
  return new Intl.ListFormat(locale.language).format(names);
}

function phrase(text: string): SaidStatement {
  return { text, says: [] };
}

function renderingOf(calls: readonly OperationCall[], locale: Locale): Rendering {
  const names = new Map(calls.map(({ name, target }) => [target, name]));
  return {
    locale,
    isSpoken: true,
    nameOf: (target) => names.get(target),
    isState: (signal) => signal === STATUS,
  };
}

/** What a signal that is only on or off is called makes no sentence. */
function isTellable({ value }: Pick<Reading, "value">): boolean {
  return typeof value !== "boolean";
}

function readingOf({ postcondition: { signal, tool }, target }: OperationCall) {
  return { target, signal, tool };
}
