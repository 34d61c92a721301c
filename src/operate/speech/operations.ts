/** Everything that is said of an operation. What states a reading is compared with it as a value; all else claims nothing. Pure. */
import {
  CALLS_MAX,
  type OperationCall,
  type OperationView,
  type Proposal,
  type Proposed,
  type ReplyResult,
  type VoidReason,
} from "../../domain/operation.js";
import { amountOf, type Reading } from "../../domain/reading.js";
import { grouped } from "../../lib/grouped.js";
import type { Locale } from "../../locale/locale.js";
import type { Order, OrderRefusal } from "../orders/order.js";
import { STATUS } from "../wanted.js";
import { type SaidStatement, sentence, stateInWords, statementOf, statementsOf } from "./statements.js";

type NotProposed = Exclude<Proposed, { readonly type: "waiting" }>;
type NoOrder = OrderRefusal | Extract<Order, { readonly type: "unknown_target" }>;

export class OperationSpeech {
  constructor(private readonly locale: Locale) {}

  /** What is asked of somebody, in sentences: what would be done, how it is now, and what to say. */
  readback(proposal: Proposal, to: "asker" | "second" = "asker"): readonly SaidStatement[] {
    const { action, calls, dryRun, level, number } = proposal;
    const { locale } = this;
    const order = this.#order(action, calls);
    const before = calls.map(({ before, postcondition: { signal, tool }, target }) => {
      return { target, signal, tool, ...before, takenAtMs: 0 };
    });
    const isAsked = to === "asker";
    return [
      ...(dryRun ? [phrase(locale.say("operate_dry_run_first"))] : []),
      phrase(isAsked ? `${order}.` : locale.say("operate_request", { number: String(number), order })),
      ...this.#states(before, calls),
      ...(level === "second_person" && isAsked ? [phrase(locale.say("operate_needs_second"))] : []),
      phrase(this.#wanted(proposal)),
    ];
  }

  /** Why an order is not proposed. */
  refusal(refusal: NoOrder): string {
    const { locale } = this;
    if (refusal.type === "unknown_target") return locale.say("check_unknown", { words: refusal.words });
    if (refusal.why === "too_many")
      return locale.say("operate_no_too_many", { count: String(refusal.count), most: String(CALLS_MAX) });
    if (refusal.why === "no_target") return locale.say("operate_no_target");
    if (!("name" in refusal)) return locale.say(`operate_no_${refusal.why}`);
    const { name } = refusal;
    if (!("range" in refusal)) return sentence(locale.say(`operate_no_${refusal.why}`, { name }));
    const { max, min, unit } = refusal.range;
    const range = { low: amountOf(min, unit), high: amountOf(max, unit) };
    return sentence(locale.say("operate_no_value", { name, ...range }));
  }

  /** Things whose state cannot be read. */
  unreadable(names: readonly string[]): string {
    return this.locale.say("operate_no_reading", { name: this.#listed(names) });
  }

  /** Things that are as they were asked to be. */
  already(calls: readonly OperationCall[], readings: readonly Reading[]): readonly SaidStatement[] {
    const { locale } = this;
    return calls.flatMap(({ name, target }): readonly SaidStatement[] => {
      const reading = readings.find((one) => one.target === target);
      if (reading === undefined) return [];
      const says = [statementOf(reading)];
      if (reading.signal !== STATUS || typeof reading.value !== "string")
        return [...this.#states([reading], calls), { text: locale.say("operate_already_so"), says }];
      const state = stateInWords(reading.value, locale);
      return [{ text: sentence(locale.say("operate_already", { name, state })), says }];
    });
  }

  /** Why a proposal does not wait. */
  notProposed(proposed: NotProposed): string {
    const { locale } = this;
    if (proposed.type === "refused")
      return locale.say(proposed.why === "too_many" ? "operate_too_many_waiting" : "operate_not_recorded");
    const names = proposed.with.proposal.calls.map(({ name }) => name);
    return locale.say("operate_busy", { name: this.#listed(names) });
  }

  /** What an answer came to; of one that did not count also what is wanted, and how often it may be given. */
  reply(result: ReplyResult, proposal: Proposal): string {
    const { locale } = this;
    switch (result.type) {
      case "accepted":
        return locale.say("operate_accepted");
      case "needs_second_person":
        return locale.say("operate_second_asked", { number: String(result.number) });
      case "ended":
        return this.over(result.reason);
      case "unknown_operation":
        return locale.say("operate_unknown_request");
      case "not_counted": {
        const why = locale.say(`operate_${result.why}`);
        if (result.why !== "unclear") return why;
        const left = locale.say("operate_tries_left", { count: String(result.missesLeft) });
        return [why, this.#wanted(proposal), left].join(" ");
      }
    }
  }

  /** Why a proposal is over, of which nothing was done. */
  over(reason: VoidReason): string {
    return this.locale.say(`operate_over_${reason}`);
  }

  /** What became of an operation. That something was done is said with the reading that shows it, and not otherwise. */
  outcome({ after, outcomes, proposal, reason }: OperationView): readonly SaidStatement[] {
    const { locale } = this;
    const { action, calls, id: operation } = proposal;
    if (outcomes.every((one) => one === undefined))
      return reason === undefined ? [] : [phrase(this.over(reason))];
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
      const text = locale.say(`operate_${key}`, { order: this.#order(action, [call]) });
      return [{ text, says: [], did: [did] }, ...this.#states(outcome === "contradicted" ? read : [], calls)];
    });
    const done = { text: locale.say("operate_done"), says: [], did: shown.map((one) => one.did) };
    const verified = shown.flatMap(({ isVerified, read }) => (isVerified ? read : []));
    return [...(others.length === 0 ? [done] : []), ...this.#states(verified, calls), ...parts];
  }

  /** "Restart label printer two", "Set freezer one to -18 °C": without a full stop. */
  #order(action: string, calls: readonly OperationCall[]): string {
    const { locale } = this;
    const byValue = grouped(calls, ({ value }) => value && amountOf(value.number, value.unit));
    const own = action === "other" ? undefined : locale.group("order")[action];
    const texts = [...byValue].map(([value, some]) => {
      const name = this.#listed(some.map((one) => one.name));
      const order =
        own?.replace("%name%", () => name) ??
        locale.say("order.other", { action: action.replaceAll("_", " "), name });
      return sentence(value === undefined ? order : locale.say("operate_with_value", { order, value }));
    });
    return texts.join(". ");
  }

  /** What to say to it, and to nothing else. */
  #wanted({ challenge: word }: Proposal): string {
    return word === undefined
      ? this.locale.say("operate_say_yes")
      : this.locale.say("operate_say_word", { word });
  }

  /** Each name, with "and" before the last. */
  #listed(names: readonly string[]): string {
    return new Intl.ListFormat(this.locale.language).format(names);
  }

  /** How things are. What a signal that is only on or off is called makes no sentence. */
  #states(readings: readonly Reading[], calls: readonly OperationCall[]): readonly SaidStatement[] {
    const nameOf = (id: string) => calls.find(({ target }) => target === id)?.name;
    const told = readings.filter(({ value }) => typeof value !== "boolean");
    return statementsOf(told, { locale: this.locale, isSpoken: true, nameOf });
  }
}

export const textOf = (parts: readonly Pick<SaidStatement, "text">[]): string =>
  parts.map(({ text }) => text).join(" ");

const phrase = (text: string): SaidStatement => ({ text, says: [] });
