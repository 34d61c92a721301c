/** A check: what is wanted is found out, the site's systems are asked, and what they said is said, with its age. */
import { type AskRequest, type CheckCapability, USUAL_LIMITS } from "../capability/capability.js";
import { type DraftEnd, type DraftEvent, END } from "../capability/draft.js";
import type { Passage } from "../domain/passage.js";
import type { DocumentRule, Reading } from "../domain/reading.js";
import type { Resource } from "../domain/resource.js";
import { resourceSources } from "../domain/source-ref.js";
import { sameValue } from "../grounding/checkers/statements.js";
import { grouped } from "../lib/grouped.js";
import { inOrder } from "../lib/in-order.js";
import { canCheck, NAMED_MAX } from "../locale/can-check.js";
import type { Locale } from "../locale/locale.js";
import { checkByModel } from "./check-by-model.js";
import type { LoopDeps } from "./loop/loop.js";
import { READS_AT_ONCE, type ReadCall, readsFor, type SiteReadResult } from "./safety/site-reader.js";
import {
  ASKED_MAX,
  areApart,
  disagreementOf,
  evidenceOf,
  ofSignal,
  type Rendering,
  renderingFor,
  sentence,
  signalInWords,
  statementsOf,
  valueInWords,
  whichOf,
} from "./speech/statements.js";
import { afterResolution, afterUse, type KnownResources, resourcesOf } from "./targets/registry.js";
import { STATUS, type UnderstandingDeps, understood, type Wanted } from "./wanted.js";

/** What documents allow of a value that was read: it is said beside the value, and never in its place. */
interface FoundRule {
  readonly rule: DocumentRule;
  readonly passage: Passage;
  readonly title: string;
  readonly isAllowed: boolean;
}

/** The rule for a value of the thing that was looked up; undefined where no document that the user may read has one. */
type RuleOf = (reading: Reading) => FoundRule | undefined;

type RuleRequest = Pick<AskRequest, "access" | "locale">;

export interface RuleBook {
  /** Looks up what documents say of a signal of a thing, within a short time of its own. Never rejects. */
  about(thing: Resource, signal: string, request: RuleRequest, abort: AbortSignal): Promise<RuleOf>;
}

export interface CheckDeps extends UnderstandingDeps {
  readonly route: string;
  /** What reads what no template does. */
  readonly byModel?: LoopDeps | undefined;
  readonly rules?: RuleBook | undefined;
}

/** Calls of one turn. */
const READS_MAX = 24;
/** Things that could not be read are named up to so many. */
const SILENT_MAX = 5;

export function createCheck(deps: CheckDeps): CheckCapability {
  return {
    name: "check",
    route: deps.route,
    limits: USUAL_LIMITS,
    draft: (request, signal) => check(request, deps, signal),
    async claims(request) {
      const { tools, wanted } = await understood(request, deps);
      const isNamed = wanted.target.type !== "unknown" && !namesNothing(wanted);
      return tools.length > 0 && wanted.isExplained && isNamed;
    },
    async nothingFor(request) {
      const { known, tools, wanted } = await understood(request, deps);
      const { isExplained, target } = wanted;
      if (target.type === "unknown" && tools.length > 0 && known.all.length > 0)
        return { text: request.locale.say("check_unknown", { words: target.words }) };
      const isLeft = namesNothing(wanted) && (known.all.length === 0 || !isExplained);
      return tools.length === 0 || (isLeft && deps.byModel === undefined) ? {} : undefined;
    },
  };
}

async function* check(request: AskRequest, deps: CheckDeps, signal: AbortSignal): AsyncGenerator<DraftEvent> {
  const { context, known, tools, wanted } = await understood(request, deps);
  const nowMs = deps.clock.now();
  let targets = afterResolution(context, wanted.target, nowMs);
  const resources = resourcesOf(wanted.target);
  const all = readsFor(wanted.signals, resources, tools);
  const calls = all.slice(0, READS_MAX);
  const isLeft = calls.length === 0 || namesNothing(wanted);
  // What the words name is not left to a model: nothing that is known, or one of several.
  const isSettled = wanted.target.type === "unknown" || wanted.target.type === "ask";
  if (deps.byModel !== undefined && isLeft && !isSettled) {
    const job = { request, reader: deps.reader, known, tools, resources, nowMs };
    const { end, facts } = yield* checkByModel(job, deps.byModel, signal);
    targets = { ...targets, facts };
    if (end === "answered") {
      yield { type: "end", searched: "not_needed", degraded: false, targets };
      return;
    }
  }
  const results: SiteReadResult[] = [];
  const asked = { request, known, wanted, resources, results };
  const instead = saidInstead(asked, calls);
  if (instead !== undefined) {
    const { end, ...phrase } = instead;
    yield { type: "phrase", ...phrase };
    yield { ...END, ...end, targets };
    return;
  }
  const read = (call: ReadCall) => deps.reader.read(call, known, signal);
  const shown = renderingFor(request.locale, known, false);
  const rules = rulesFor(asked, deps, signal);
  for await (const result of inOrder(calls, READS_AT_ONCE, read)) {
    results.push(result);
    const { call, failure, ms } = result;
    const target = call.resource && { target: call.resource.names[0] };
    const evidence = evidenceOf(valuesOf({ ...asked, results: [result] }), shown, deps.clock.now());
    yield { type: "step", tool: call.tool.id, ...target, ok: failure === undefined, ms, evidence };
  }
  const missing = resources.find(({ id }) => known.byId(id) === undefined);
  // What a machine says of a process that it does not know.
  if (missing !== undefined && valuesOf(asked)[0]?.value === "unknown") {
    yield { type: "phrase", text: request.locale.say("check_unknown", { words: missing.names[0] }) };
    yield { ...END, outcome: "not_offered", targets: context };
    return;
  }
  yield* told(asked, await rules);
  const left = all.length - calls.length;
  if (left > 0) yield { type: "phrase", text: request.locale.say("check_part", { count: String(left) }) };
  const used = results.flatMap(({ call }) => call.resource?.id ?? []);
  yield { ...END, ...outcomeOf(asked), targets: afterUse(targets, used, nowMs) };
}

/** Whether something runs is asked of something: "it" may be what is not there for this user any more. */
function namesNothing({ signals, target }: Wanted): boolean {
  return target.type === "none" && signals.every((signal) => signal === STATUS);
}

/**
 * What is said in place of a reading: which one is meant, that there is no such thing, or nothing that reads it. With the
 * things that it names as `sources`: whoever may not know of these is not told it again.
 */
function saidInstead({ known, request, resources, wanted }: AskedQuestion, calls: readonly ReadCall[]) {
  const { locale } = request;
  const { asked, target } = wanted;
  if (target.type === "ask") {
    const { options, text } = whichOf(target.between, locale);
    return { text, end: { outcome: "ambiguous", options } } as const;
  }
  const none = { outcome: "not_offered" } as const;
  if (target.type === "unknown")
    return { text: locale.say("check_unknown", { words: target.words }), end: none };
  if (namesNothing(wanted)) {
    const names = known.all.map((one) => one.names[0]);
    const sources = resourceSources(known.all.slice(0, NAMED_MAX).map(({ id }) => id));
    return { text: canCheck(names, locale), sources, end: { outcome: "ambiguous" } } as const;
  }
  if (wanted.isPast) return { text: locale.say("check_past"), end: none };
  if (calls.length > 0) return undefined;
  const text = ofSignal("check_no_reading", asked, locale, resources[0]?.names[0]);
  return { text, sources: resourceSources(resources.map(({ id }) => id)), end: none };
}

interface AskedQuestion {
  readonly request: AskRequest;
  readonly known: KnownResources;
  readonly wanted: Wanted;
  readonly resources: readonly Resource[];
  readonly results: readonly SiteReadResult[];
}

/** What documents allow of the values that are asked for, where these are of few things. */
async function rulesFor(asked: AskedQuestion, { rules }: CheckDeps, abort: AbortSignal): Promise<RuleOf> {
  const { request, resources, wanted } = asked;
  const signal = wanted.signals.find((one) => one !== STATUS);
  if (rules === undefined || signal === undefined || resources.length > ASKED_MAX) return () => undefined;
  const found = await Promise.all(resources.map((one) => rules.about(one, signal, request, abort)));
  return (reading) => found[resources.findIndex(({ id }) => id === reading.target)]?.(reading);
}

/** The readings as evidence and as statements, what documents allow of them, and what is wrong with the rest. */
function* told(asked: AskedQuestion, ruleOf: RuleOf): Generator<DraftEvent> {
  const { known, resources, results, wanted } = asked;
  const { locale, responseType } = asked.request;
  const values = valuesOf(asked);
  yield { type: "readings", tools: [], values };
  const rendering = { ...renderingFor(locale, known, responseType === "audio"), asked: wanted.state };
  const { agreeing, disagreeing } = apart(values);
  const said = disagreeing.map((two) => disagreementOf(two, rendering));
  for (const { says, text } of [...statementsOf(agreeing, rendering), ...said])
    yield { type: "statement", text, says };
  const rules = agreeing.flatMap((one) => ruleOf(one) ?? []);
  const telling = rules.filter(({ isAllowed }) => wanted.isWeighed || !isAllowed);
  if (telling.length > 0) yield { type: "passages", passages: telling.map(({ passage }) => passage) };
  const inWords = (one: FoundRule) => ruleInWords(one, asked.request.access.kiosk, rendering);
  for (const [text, rule] of new Map(telling.map((one) => [inWords(one), one.rule])))
    yield { type: "statement", text, rule };
  const troubles = new Set([...problemsOf(asked, rendering), ...failuresOf(results, locale)]);
  // It was asked, and told nothing: there are no alarms.
  if (values.length + troubles.size === 0)
    troubles.add(sentence(ofSignal("check_none", wanted.signals[0]!, locale, resources[0]?.names[0])));
  for (const text of [...troubles].slice(0, SILENT_MAX))
    yield { type: "phrase", text, sources: resourceSources(resources.map(({ id }) => id)) };
}

function ruleInWords({ rule, title }: FoundRule, isKiosk: boolean, rendering: Rendering): string {
  const { bound, high, low, unit } = rule;
  const { locale } = rendering;
  const [from, value] = [low, high].map((one) => valueInWords({ signal: "", value: one, unit }, rendering));
  const said = { title: isKiosk ? locale.say("check_rule_kiosk") : title, value: value! };
  if (bound === "between") return locale.say("check_rule_between", { ...said, low: from!, high: value! });
  return locale.say(`check_rule_${bound}`, said);
}

/** The values that were asked for: a tool may tell others, and of other things. */
function valuesOf({ resources, results, wanted }: AskedQuestion): readonly Reading[] {
  const ids = new Set(resources.map(({ id }) => id));
  const isAsked = ({ signal, target }: Reading) =>
    wanted.signals.includes(signal) && (ids.size === 0 || ids.has(target));
  return results.flatMap(({ readings }) => readings.filter(isAsked));
}

function problemsOf({ results, wanted }: AskedQuestion, { locale, nameOf }: Rendering) {
  return results.flatMap(({ call, problems, readings }) =>
    problems.flatMap(({ code, signal, target = "" }) => {
      if (!wanted.signals.includes(signal) || readings.some((one) => one.signal === signal)) return [];
      const name = nameOf(target) ?? call.resource?.names[0];
      if (code === "missing") return ofSignal("check_no_reading", signal, locale, name);
      const said = { signal: signalInWords(signal, locale), name: name ?? call.tool.site };
      return locale.say("check_bad_reading", said);
    }),
  );
}

/** Which systems were out of reach, and which told nothing of use. */
function failuresOf(results: readonly SiteReadResult[], locale: Locale): readonly string[] {
  const lost = results.filter(({ failure }) => failure !== undefined);
  const keys = grouped(lost, ({ failure }) => (failure!.retryable ? "check_unreachable" : "check_unusable"));
  return [...keys].map(([key, some]) => {
    const names = new Set(some.map(({ call: { resource, tool } }) => resource?.names[0] ?? tool.site));
    return locale.say(key, { name: [...names].slice(0, SILENT_MAX).join(", ") });
  });
}

/** Readings of one signal by two tools that say different things are apart from the others. */
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
function outcomeOf({ results, wanted }: AskedQuestion): Pick<DraftEnd, "outcome" | "degraded"> {
  const isAsked = ({ signal }: { readonly signal: string }) => wanted.signals.includes(signal);
  const isBad = ({ failure, problems }: SiteReadResult) =>
    failure !== undefined || problems.some((one) => one.code !== "missing" && isAsked(one));
  if (!results.some(isBad)) return { outcome: "answered", degraded: false };
  const isPart = results.some(({ readings }) => readings.some(isAsked));
  return { outcome: isPart ? "partial" : "search_unavailable", degraded: true };
}
