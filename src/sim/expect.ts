/** What was expected of an exchange against what came of it. Pure. */
import type { Exchange, ExchangeResult } from "./exchange.js";
import type { Expectation, StepExpectation } from "./scenario.js";

/** Whether speech recognition may be missing. */
export type SpeechRecognition = "required" | "optional";

/**
 * What is not as expected, one line each; nothing where it is, or where nothing is expected. Where recognition is
 * optional a spoken question may fail for the lack of it, and its words are not held against anybody.
 */
export function unmet(exchange: Exchange, recognition: SpeechRecognition): string[] {
  const { expect } = exchange.step;
  if (expect === undefined || excused(exchange, recognition)) return [];
  const lenient = recognition === "optional" && exchange.command === "message";
  const checks = alternatives(expect).map((each) => problems(lenient ? withoutWords(each) : each, exchange));
  const fewest = checks.toSorted((a, b) => a.length - b.length)[0] ?? [];
  return checks.length === 1 || fewest.length === 0
    ? fewest
    : [`none of ${checks.length} alternatives: ${fewest.join("; ")}`];
}

function alternatives(expect: StepExpectation): readonly Expectation[] {
  return "any_of" in expect ? expect.any_of : [expect];
}

function excused({ outcome, cutOff, command }: Exchange, recognition: SpeechRecognition): boolean {
  if (outcome === undefined) return cutOff;
  return (
    recognition === "optional" &&
    command === "message" &&
    outcome.type === "error" &&
    outcome.code === "transcription_unavailable"
  );
}

function withoutWords({ asks, says, says_not, understood, ...rest }: Expectation): Expectation {
  return rest;
}

function problems(expect: Expectation, exchange: Exchange): string[] {
  const { askedMs, firstSoundMs, understood } = exchange;
  const outcome = exchange.outcome ?? silentSuccess(exchange);
  if (outcome === undefined) return ["no outcome"];
  const said = "text" in outcome ? outcome.text : "";
  const firstMs = firstSoundMs ?? outcome.atMs;
  return [
    ...outcomeProblems(expect, outcome),
    ...late("first sound", expect.first_sound, firstMs - askedMs),
    ...late("finished", expect.finished, outcome.atMs - askedMs),
    ...(expect.says ?? [])
      .filter((words) => !holds(said, words))
      .map((words) => `does not say “${words}” but ${JSON.stringify(said)}`),
    ...(expect.says_not ?? [])
      .filter((words) => holds(said, words))
      .map((words) => `says “${words}”: ${JSON.stringify(said)}`),
    ...(expect.asks !== undefined && expect.asks !== asksBack(outcome)
      ? [`${expect.asks ? "asks nothing" : "asks back"}: ${JSON.stringify(said)}`]
      : []),
    ...(expect.understood ?? [])
      .filter((words) => !holds(understood ?? "", words))
      .map((words) => `understood ${JSON.stringify(understood ?? "nothing")}, not “${words}”`),
  ];
}

/** Whether an answer ends with a question. */
export function asksBack(
  outcome: ExchangeResult | undefined,
): outcome is ExchangeResult & { readonly text: string } {
  return outcome !== undefined && "text" in outcome && /[?？]$/u.test(outcome.text.trim());
}

/** A cancel is answered only when there was nothing to stop. */
function silentSuccess({ command, startMs }: Exchange): ExchangeResult | undefined {
  return command === "cancel" ? { type: "done", atMs: startMs } : undefined;
}

function outcomeProblems(expect: Expectation, outcome: ExchangeResult): string[] {
  const codes = expect.error;
  const wanted = expect.outcome ?? (codes === undefined ? undefined : ["error"]);
  const is: readonly string[] = ["voice", "text"].includes(outcome.type)
    ? [outcome.type, "answer"]
    : [outcome.type];
  const came = outcome.type === "error" ? `error ${outcome.code} (${outcome.error})` : outcome.type;
  if (wanted !== undefined && !wanted.some((type) => is.includes(type)))
    return [`${came} came, expected ${wanted.join(" or ")}`];
  if (codes !== undefined && outcome.type === "error" && !codes.some((code) => code === outcome.code))
    return [`${came} came, expected ${codes.join(" or ")}`];
  return [];
}

function late(what: string, limitMs: number | undefined, tookMs: number): string[] {
  return limitMs === undefined || tookMs <= limitMs
    ? []
    : [`${what} after ${Math.round(tookMs)} ms, expected within ${limitMs} ms`];
}

/** Whether `said` has the words, or one of the alternatives between bars, as whole words, whatever the case. */
function holds(said: string, words: string): boolean {
  const text = plain(said);
  return words.split("|").some((alternative) => text.includes(plain(alternative)));
}

/** Words and numbers with a blank on either side of each; marks within them stay: `9:00`, `km/h`, `2,500`. */
function plain(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[^\s\p{L}\p{N}]+[\p{L}\p{N}]+)*/gu) ?? [];
  return ` ${words.join(" ")} `;
}
