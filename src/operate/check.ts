/**
 * The story of a check: what is it right now. What is wanted and of what is found out by templates and words, the site's
 * systems are asked, and what they said is said, with its age. A site that does not answer is no state of the thing.
 */
import type { AskRequest, CheckCapability } from "../capability/capability.js";
import { USUAL_LIMITS } from "../capability/capability.js";
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import type { Option } from "../domain/dialogue.js";
import type { Reading } from "../domain/reading.js";
import type { Resource } from "../domain/resource.js";
import { resourceSources, type SourceRef } from "../domain/source-ref.js";
import type { StepEvidence } from "../domain/turn.js";
import { sameValue } from "../grounding/checkers/statements.js";
import { grouped } from "../lib/grouped.js";
import { inOrder } from "../lib/in-order.js";
import { canCheck, NAMED_MAX } from "../locale/can-check.js";
import type { Commands } from "../locale/commands/commands.js";
import type { Locale } from "../locale/locale.js";
import { checkByModel, type ModelCheckDeps } from "./check-by-model.js";
import { evidenceOf, renderingFor } from "./evidence.js";
import { READS_AT_ONCE, readsFor } from "./reads.js";
import type { ReadCall, SiteReadResult } from "./safety/site-reader.js";
import { areApart, disagreementOf, sentence, signalInWords, statementsOf } from "./speech/statements.js";
import { afterResolution, afterUse } from "./targets/context.js";
import type { KnownResources } from "./targets/registry.js";
import type { Resolution } from "./targets/resolution.js";
import { type UnderstandingDeps, understood } from "./understood.js";
import { quantityAsked, STATUS, type Wanted } from "./wanted.js";

export interface CheckDeps extends UnderstandingDeps {
  /** Name of the route that leads to it. */
  readonly route: string;
  /** Who reads what no template does; absent: nobody. */
  readonly byModel?: ModelCheckDeps | undefined;
}

/** Things that one question names. */
const ASKED_MAX = 4;
/** Things that could not be read are named up to so many. */
const SILENT_MAX = 5;
/** What a machine says of a process that it does not know. */
const UNKNOWN_STATUS = "unknown";

export function createCheck(deps: CheckDeps): CheckCapability {
  return {
    name: "check",
    route: deps.route,
    limits: USUAL_LIMITS,
    draft: (request, signal) => check(request, deps, signal),
    async claims(request) {
      const { tools, wanted } = await understood(request, deps);
      if (tools.length === 0 || !wanted.isExplained) return false;
      if (wanted.target.type === "none") return !namesNothing(wanted);
      return wanted.target.type !== "unknown";
    },
  };
}

async function* check(
  request: AskRequest,
  deps: CheckDeps,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, void, undefined> {
  const { context, known, tools, wanted } = await understood(request, deps);
  const nowMs = deps.clock.now();
  const targets = afterResolution(context, wanted.target, nowMs);
  const resources = resourcesOf(wanted.target);
  const { calls, count } = readsFor(wanted, resources, tools);
  const { byModel } = deps;
  const isLeft = calls.length === 0 || namesNothing(wanted);
  if (byModel !== undefined && isLeft && !isSettled(wanted.target)) {
    const end = yield* checkByModel({ request, known, tools, target: wanted.target, nowMs }, byModel, signal);
    if (end === "answered") {
      yield { type: "end", searched: "not_needed", degraded: false, targets };
      return;
    }
  }
  const question = whatToAsk(wanted, request, known);
  if (question !== undefined) {
    const { end, ...phrase } = question;
    yield { type: "phrase", ...phrase };
    yield { ...END, ...end, targets };
    return;
  }
  if (calls.length === 0) {
    const text = noReading(request, wanted, resources, deps.commandsFor(known));
    yield { type: "phrase", text, sources: sourcesOf(resources) };
    yield { ...END, outcome: "not_offered", targets };
    return;
  }
  const results: SiteReadResult[] = [];
  const read = (call: ReadCall) => deps.reader.read(call, known, signal);
  const shown = renderingFor(request.locale, known, false);
  for await (const result of inOrder(calls, READS_AT_ONCE, read)) {
    results.push(result);
    yield stepOf(result, evidenceOf(valuesOf([result], wanted, resources), shown, deps.clock.now()));
  }
  const missing = resources.find(({ id }) => known.byId(id) === undefined);
  if (missing !== undefined && valuesOf(results, wanted, resources)[0]?.value === UNKNOWN_STATUS) {
    const text = request.locale.say("check_unknown", { words: missing.names[0] });
    yield { type: "phrase", text };
    yield { ...END, outcome: "not_offered", targets: context };
    return;
  }
  yield* told(results, wanted, resources, request, known);
  if (count > calls.length)
    yield { type: "phrase", text: request.locale.say("check_part", { count: String(count - calls.length) }) };
  const used = results.flatMap(({ call }) => call.resource?.id ?? []);
  yield { ...END, ...outcomeOf(results, wanted), targets: afterUse(targets, used, nowMs) };
}

const END = { type: "end", searched: "not_needed", degraded: false, outcome: "answered" } as const;

/** Whether something runs is asked of something: "it" may be what is not there for this user any more. */
function namesNothing({ signals, target }: Wanted): boolean {
  return target.type === "none" && signals.every((signal) => signal === STATUS);
}

/** What the words name is not left to a model: nothing that is known, or one of several. */
function isSettled({ type }: Resolution): boolean {
  return type === "unknown" || type === "ask";
}

function resourcesOf(target: Resolution): readonly Resource[] {
  if (target.type === "one") return [target.resource];
  return target.type === "several" ? target.resources : [];
}

/** A fixed phrase, and the things that it names: whoever may not know of these is not told it again. */
interface Named {
  readonly text: string;
  readonly sources?: readonly SourceRef[];
}

function sourcesOf(resources: readonly Resource[]): readonly SourceRef[] {
  return resourceSources(resources.map(({ id }) => ({ target: id })));
}

/** What is said in place of a reading: which one is meant, or that there is no such thing. */
function whatToAsk(
  wanted: Wanted,
  { locale }: AskRequest,
  known: KnownResources,
): ({ readonly end: Pick<DraftEnd, "outcome" | "options"> } & Named) | undefined {
  const { target } = wanted;
  switch (target.type) {
    case "ask": {
      const options = target.between
        .slice(0, ASKED_MAX)
        .map(({ id, names }): Option => ({ words: names[0], means: { type: "resource", id } }));
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
      if (!namesNothing(wanted)) return undefined;
      const text = canCheck(
        known.all.map(({ names }) => names[0]),
        locale,
      );
      const sources = sourcesOf(known.all.slice(0, NAMED_MAX));
      return { text, end: { outcome: "ambiguous" }, sources };
    }
    default:
      return undefined;
  }
}

function noReading(
  { locale, question }: AskRequest,
  { signals }: Wanted,
  resources: readonly Resource[],
  commands: Commands,
): string {
  const signal = signals[0] ?? quantityAsked(question, commands) ?? STATUS;
  return withoutReading(signal, resources[0]?.names[0], locale);
}

function withoutReading(name: string, of: string | undefined, locale: Locale): string {
  const signal = signalInWords(name, locale);
  return of === undefined
    ? locale.say("check_no_site_reading", { signal })
    : locale.say("check_no_reading", { signal, name: of });
}

function stepOf({ call, ms, type }: SiteReadResult, evidence: readonly StepEvidence[]): DraftEvent {
  const { resource, tool } = call;
  const target = resource === undefined ? {} : { target: resource.names[0] };
  return { type: "step", tool: tool.id, ...target, ok: type === "read", ms, evidence };
}

/** The readings as evidence and as statements, and what is wrong with the rest. */
function* told(
  results: readonly SiteReadResult[],
  wanted: Wanted,
  resources: readonly Resource[],
  { locale, responseType }: AskRequest,
  known: KnownResources,
): Generator<DraftEvent> {
  const values = valuesOf(results, wanted, resources);
  const [first] = resources;
  yield { type: "readings", tools: [], values };
  const rendering = { ...renderingFor(locale, known, responseType === "audio"), asked: wanted.state };
  const { nameOf } = rendering;
  const { agreeing, disagreeing } = apart(values);
  const said = [
    ...statementsOf(agreeing, rendering),
    ...disagreeing.map((two) => disagreementOf(two, rendering)),
  ];
  for (const { says, text } of said) yield { type: "statement", text, says };
  const troubles = new Set([
    ...results.flatMap((one) => problemsOf(one, wanted, locale, nameOf)),
    ...failuresOf(results, locale),
  ]);
  for (const text of [...troubles].slice(0, SILENT_MAX))
    yield { type: "phrase", text, sources: sourcesOf(resources) };
  if (values.length + troubles.size > 0) return;
  const signal = signalInWords(signalsOf(wanted)[0]!, locale);
  const none =
    first === undefined
      ? locale.say("check_site_none", { signal })
      : locale.say("check_none", { name: first.names[0], signal });
  yield { type: "phrase", text: sentence(none), sources: sourcesOf(resources) };
}

/** The values that were asked for: a tool may tell others, and of other things. */
function valuesOf(
  results: readonly SiteReadResult[],
  wanted: Wanted,
  resources: readonly Resource[],
): readonly Reading[] {
  const ids = new Set(resources.map(({ id }) => id));
  return results
    .flatMap((one) => (one.type === "read" ? one.readings : []))
    .filter(
      ({ signal, target }) => signalsOf(wanted).includes(signal) && (ids.size === 0 || ids.has(target)),
    );
}

/** What is wrong with single values of a reply, in words. */
function problemsOf(
  result: SiteReadResult,
  wanted: Wanted,
  locale: Locale,
  nameOf: (target: string) => string | undefined,
): readonly string[] {
  if (result.type === "failed") return [];
  const { call, problems, readings } = result;
  return problems.flatMap(({ code, signal, target }) => {
    if (!signalsOf(wanted).includes(signal) || readings.some((one) => one.signal === signal)) return [];
    const name = (target === undefined ? undefined : nameOf(target)) ?? call.resource?.names[0];
    if (code === "missing") return withoutReading(signal, name, locale);
    const said = { signal: signalInWords(signal, locale), name: name ?? call.tool.site };
    return locale.say("check_bad_reading", said);
  });
}

/** Which systems were out of reach, and which told nothing of use. */
function failuresOf(results: readonly SiteReadResult[], locale: Locale): readonly string[] {
  const names = { check_unreachable: new Set<string>(), check_unusable: new Set<string>() };
  for (const one of results) {
    if (one.type !== "failed") continue;
    const isAway = one.code === "UNAVAILABLE" || one.code === "TIMEOUT";
    const { resource, tool } = one.call;
    names[isAway ? "check_unreachable" : "check_unusable"].add(resource?.names[0] ?? tool.site);
  }
  return (["check_unreachable", "check_unusable"] as const).flatMap((key) =>
    names[key].size === 0 ? [] : locale.say(key, { name: [...names[key]].slice(0, SILENT_MAX).join(", ") }),
  );
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
    else agreeing.push(...(isMeasured(first) ? [first] : same.filter(({ tool }) => tool === first.tool)));
  }
  return { agreeing, disagreeing };
}

/** A measured value: of words, and of numbers without a unit, one tool may list several. */
function isMeasured(one: Reading): one is Reading & { readonly value: number; readonly unit: string } {
  return typeof one.value === "number" && one.unit !== undefined;
}

/** Two sensors may differ a little; of two tools each word counts. One tool may list several words, such as alarms. */
function disagree(one: Reading, other: Reading): boolean {
  if (!isMeasured(one) || !isMeasured(other)) return one.tool !== other.tool && !sameValue(one, other);
  return one.unit === other.unit ? areApart(one.value, other.value) : !sameValue(one, other);
}

/** Nothing that can be said of any of it is no answer. */
function outcomeOf(
  results: readonly SiteReadResult[],
  wanted: Wanted,
): Pick<DraftEnd, "outcome" | "degraded"> {
  const signals = signalsOf(wanted);
  const isGood = (one: SiteReadResult) =>
    one.type === "read" &&
    !one.problems.some(({ code, signal }) => code !== "missing" && signals.includes(signal));
  const isOf = (one: SiteReadResult) =>
    one.type === "read" && one.readings.some(({ signal }) => signals.includes(signal));
  if (results.every(isGood)) return { outcome: "answered", degraded: false };
  return { outcome: results.some(isOf) ? "partial" : "search_unavailable", degraded: true };
}
