/**
 * The story of a check: what is it right now. What is wanted and of what is found out by templates and words, the site's
 * systems are asked, and what they said is said, with its age. A site that does not answer is no state of the thing.
 */
import type { AskRequest, CheckCapability, CheckQuestion } from "../capability/capability.js";
import { USUAL_LIMITS } from "../capability/capability.js";
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import type { Option } from "../domain/dialogue.js";
import type { Reading } from "../domain/reading.js";
import type { Resource } from "../domain/resource.js";
import { NO_TARGETS } from "../domain/target-context.js";
import { sameValue } from "../grounding/checkers/statements.js";
import type { Clock } from "../lib/clock.js";
import { grouped } from "../lib/grouped.js";
import type { Commands } from "../locale/commands/commands.js";
import { checkByModel, type ModelCheckDeps } from "./check-by-model.js";
import { callsFor, inOrder } from "./reads.js";
import type { SiteReader, SiteReadResult } from "./safety/site-reader.js";
import { signalInWords, statementsOf, valueInWords } from "./speech/statements.js";
import { afterResolution, afterUse } from "./targets/context.js";
import type { KnownResources, Registry } from "./targets/registry.js";
import type { Resolution } from "./targets/resolution.js";
import { quantityAsked, STATUS, type Wanted, wantedIn } from "./wanted.js";

export interface CheckDeps {
  readonly clock: Clock;
  readonly reader: SiteReader;
  /** All resources as they are known now. */
  readonly registry: () => Registry;
  readonly commands: Commands;
  /** Name of the route that leads to it. */
  readonly route: string;
  /** Who reads what no template does; absent: nobody. */
  readonly byModel?: ModelCheckDeps | undefined;
}

/** Things that are named to somebody who asks what can be checked. */
const OFFERED_MAX = 5;
/** How far two sensors of one value may be apart: so much, or this share of it. */
const SENSORS_APART_MAX = 0.5;
const SENSORS_APART_SHARE = 0.05;
/** Names that the templates are told. */
const NAMES_MAX = 5_000;

export function createCheck(deps: CheckDeps): CheckCapability {
  return {
    name: "check",
    route: deps.route,
    limits: USUAL_LIMITS,
    draft: (request, signal) => check(request, deps, signal),
    claims(request) {
      const { tools, wanted } = understood(request, deps);
      if (tools.length === 0 || !wanted.isExplained) return false;
      if (wanted.target.type === "none") return wanted.signals.length > 0;
      return wanted.target.type !== "unknown";
    },
  };
}

function understood(request: CheckQuestion, { clock, commands, reader, registry }: CheckDeps) {
  const { access, locale, mentions = [], question, targets: context = NO_TARGETS } = request;
  const known = registry().knownTo(access);
  const tools = reader.toolsFor(access);
  const offered = [...new Set(tools.flatMap(({ options }) => Object.keys(options.reads)))];
  const told = commands.with("equipment", known.names(NAMES_MAX));
  const nowMs = clock.now();
  const wanted = wantedIn({ question, mentions, commands: told, known, context, offered, locale, nowMs });
  return { context, known, tools, wanted };
}

async function* check(
  request: AskRequest,
  deps: CheckDeps,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, void, undefined> {
  const { context, known, tools, wanted } = understood(request, deps);
  const nowMs = deps.clock.now();
  const targets = afterResolution(context, wanted.target, nowMs);
  const resources = resourcesOf(wanted.target);
  const calls = callsFor(wanted, resources, tools);
  const { byModel } = deps;
  const isLeft = calls.length === 0 || (wanted.target.type === "none" && wanted.signals.length === 0);
  if (byModel !== undefined && isLeft && !isSettled(wanted.target)) {
    const end = yield* checkByModel({ request, known, tools, target: wanted.target, nowMs }, byModel, signal);
    if (end === "answered") {
      yield { type: "end", searched: "not_needed", degraded: false, targets };
      return;
    }
  }
  const question = whatToAsk(wanted, request, known);
  if (question !== undefined) {
    yield { type: "phrase", text: question.text };
    yield { ...END, ...question.end, targets };
    return;
  }
  if (calls.length === 0) {
    yield { type: "phrase", text: noReading(request, wanted, resources, deps) };
    yield { ...END, outcome: "not_offered", targets };
    return;
  }
  const results: SiteReadResult[] = [];
  for await (const result of inOrder(calls, (call) => deps.reader.read(call, known, signal))) {
    results.push(result);
    yield stepOf(result);
  }
  yield* told(results, wanted, resources, request, known);
  const used = results.flatMap(({ call }) => call.resource?.id ?? []);
  yield { ...END, ...outcomeOf(results), targets: afterUse(targets, used, nowMs) };
}

const END = { type: "end", searched: "not_needed", degraded: false, outcome: "answered" } as const;

/** What the words name is not left to a model: nothing that is known, or one of several. */
function isSettled({ type }: Resolution): boolean {
  return type === "unknown" || type === "ask";
}

function resourcesOf(target: Resolution): readonly Resource[] {
  if (target.type === "one") return [target.resource];
  return target.type === "several" ? target.resources : [];
}

/** What is said in place of a reading: which one is meant, or that there is no such thing. */
function whatToAsk(
  { signals, target }: Wanted,
  { locale }: AskRequest,
  known: KnownResources,
): { readonly text: string; readonly end: Pick<DraftEnd, "outcome" | "options"> } | undefined {
  switch (target.type) {
    case "ask": {
      const options = target.between.map(
        ({ id, names }): Option => ({ words: names[0], means: { type: "resource", id } }),
      );
      const words = options.map((one) => one.words);
      const text = locale.say("which_said", {
        first: words.slice(0, -1).join(", "),
        second: words.at(-1) ?? "",
      });
      return {
        text: text.replace(/\p{L}/u, (letter) => letter.toUpperCase()),
        end: { outcome: "ambiguous", options },
      };
    }
    case "unknown":
      return { text: locale.say("check_unknown", { words: target.words }), end: { outcome: "not_offered" } };
    case "none": {
      if (signals.length > 0) return undefined;
      const names = known.all.map((one) => one.names[0]);
      const more = names.length - OFFERED_MAX;
      const said = { names: names.slice(0, OFFERED_MAX).join(", ") };
      const text =
        more > 0
          ? locale.say("check_can_more", { ...said, count: String(more) })
          : locale.say("check_can", said);
      return { text, end: { outcome: "ambiguous" } };
    }
    default:
      return undefined;
  }
}

function noReading(
  { locale, question }: AskRequest,
  { signals }: Wanted,
  resources: readonly Resource[],
  { commands }: CheckDeps,
): string {
  const signal = signalInWords(signals[0] ?? quantityAsked(question, commands) ?? STATUS, locale);
  return locale.say("check_no_reading", { signal, name: resources[0]?.names[0] ?? "" });
}

function stepOf({ call, ms, type }: SiteReadResult): DraftEvent {
  const { resource, tool } = call;
  const target = resource === undefined ? {} : { target: resource.names[0] };
  return { type: "step", tool: tool.id, ...target, ok: type === "read", ms };
}

/** The readings as evidence and as statements, and what is wrong with the rest. */
function* told(
  results: readonly SiteReadResult[],
  wanted: Wanted,
  resources: readonly Resource[],
  { locale, responseType }: AskRequest,
  known: KnownResources,
): Generator<DraftEvent> {
  const read = results.flatMap((one) => (one.type === "read" ? [one] : []));
  const isAsked = ({ signal, target }: { readonly signal: string; readonly target?: string }) =>
    signalsOf(wanted).includes(signal) &&
    (resources.length === 0 || target === undefined || resources.some(({ id }) => id === target));
  const values = read.flatMap(({ readings }) => readings).filter(isAsked);
  yield { type: "readings", tools: [], values };
  const nameOf = (target: string) =>
    known.byId(target)?.names[0] ?? (/\/(.+)$/.exec(target)?.[1] || undefined);
  const rendering = {
    ...{ locale, nameOf, asked: wanted.state },
    isSpoken: responseType === "audio",
    isState: (signal: string) => signal === STATUS,
  };
  const { agreeing, disagreeing } = apart(values);
  for (const { says, text } of statementsOf(agreeing, rendering)) yield { type: "statement", text, says };
  for (const [first, second] of disagreeing) {
    const [name, signal] = [nameOf(first.target) ?? "", signalInWords(first.signal, locale)];
    const said = { first: valueInWords(first, rendering), second: valueInWords(second, rendering) };
    yield { type: "phrase", text: locale.say("check_disagree", { name, signal, ...said }) };
  }
  for (const { signal, target = "" } of read
    .flatMap(({ problems }) => problems)
    .filter(isAsked)
    .slice(0, OFFERED_MAX)) {
    const key = "check_bad_reading";
    yield {
      type: "phrase",
      text: locale.say(key, { name: nameOf(target) ?? "", signal: signalInWords(signal, locale) }),
    };
  }
  const silent = new Set(
    results.flatMap(({ call, type }) =>
      type === "failed" ? [call.resource?.names[0] ?? call.tool.site] : [],
    ),
  );
  for (const name of [...silent].slice(0, OFFERED_MAX))
    yield { type: "phrase", text: locale.say("check_unreachable", { name }) };
  if (values.length > 0 || silent.size > 0) return;
  const name = resources[0]?.names[0] ?? "";
  yield {
    type: "phrase",
    text: locale.say("check_none", { name, signal: signalInWords(signalsOf(wanted)[0]!, locale) }),
  };
}

function signalsOf({ signals }: Wanted): readonly string[] {
  return signals.length > 0 ? signals : [STATUS];
}

/** Readings of one signal by two tools that say different things are said as such, and as nothing else. */
function apart(values: readonly Reading[]) {
  const agreeing: Reading[] = [];
  const disagreeing: (readonly [Reading, Reading])[] = [];
  for (const same of grouped(values, ({ signal, target }) => `${target} ${signal}`).values()) {
    const [first, ...others] = same as [Reading, ...Reading[]];
    const other = others.find((one) => disagree(one, first));
    if (other !== undefined) disagreeing.push([first, other]);
    else
      agreeing.push(
        ...(typeof first.value === "number" ? [first] : same.filter(({ tool }) => tool === first.tool)),
      );
  }
  return { agreeing, disagreeing };
}

/** Two sensors may differ a little; of two tools each word counts. One tool may list several words, such as alarms. */
function disagree(one: Reading, other: Reading): boolean {
  if (typeof one.value !== "number" || typeof other.value !== "number")
    return one.tool !== other.tool && !sameValue(one, other);
  const most = Math.max(Math.abs(one.value), Math.abs(other.value));
  return one.unit === other.unit
    ? Math.abs(one.value - other.value) > Math.max(SENSORS_APART_MAX, most * SENSORS_APART_SHARE)
    : !sameValue(one, other);
}

function outcomeOf(results: readonly SiteReadResult[]): Pick<DraftEnd, "outcome" | "degraded"> {
  const failed = results.filter(({ type }) => type === "failed").length;
  if (failed === 0) return { outcome: "answered", degraded: false };
  return { outcome: failed === results.length ? "search_unavailable" : "partial", degraded: true };
}
