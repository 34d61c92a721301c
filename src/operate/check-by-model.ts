/** A check that no template reads: a model calls the reading tools until it can answer. What it writes is a draft. */
import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { KnownFact } from "../domain/known-fact.js";
import type { Reading } from "../domain/reading.js";
import type { Resource } from "../domain/resource.js";
import type { TargetContext } from "../domain/target-context.js";
import type { ToolSpec } from "../llm/port.js";
import { languageOf, type Prompts } from "../llm/prompts.js";
import type { LoopError, LoopResult, LoopTool, PlannedCall } from "./loop/envelope.js";
import { failed, toldResult } from "./loop/envelope.js";
import { factsInWords } from "./loop/fact-memory.js";
import { type LoopDeps, type LoopOutcome, LoopRun } from "./loop/loop.js";
import type { ReadingTool, SiteReader, SiteReadResult } from "./safety/site-reader.js";
import { isOfWholeSite } from "./safety/site-reader.js";
import { evidenceOf, renderingFor } from "./speech/statements.js";
import { type KnownResources, spokenOf } from "./targets/registry.js";
import { placeWords } from "./targets/spoken-words.js";

/** Resources of one turn that a model is told of. */
const TOLD_MAX = 16;

export interface ModelCheck {
  readonly request: AskRequest;
  readonly reader: SiteReader;
  readonly known: KnownResources;
  readonly tools: readonly ReadingTool[];
  /** What the user's words were resolved to. */
  readonly resources: readonly Resource[];
  readonly nowMs: number;
}

/** What was read, and what the model wrote; at last whether it came to an answer, and what is known by now. */
export async function* checkByModel(
  check: ModelCheck,
  loop: LoopDeps,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, Pick<LoopOutcome, "end" | "facts">, undefined> {
  const { nowMs, request } = check;
  const { beginByMs: giveUpAtMs, telemetry } = request;
  const { network, username } = request.access;
  const shown = renderingFor(request.locale, check.known, false);
  const facts = factsFor(check, loop);
  const job = {
    ...{ facts, network, giveUpAtMs, telemetry },
    messages: messagesOf(check, factsInWords(facts, nowMs), loop.prompts),
    tools: check.tools.map((tool) => loopTool(tool, check)),
    evidence: (readings: readonly Reading[]) => evidenceOf(readings, shown, loop.model.clock.now()),
  };
  const { facts: left, end, reads, text, usage } = yield* new LoopRun(job, loop, signal).run();
  const user = { network, username };
  telemetry.emit({ type: "tokens_used", user, stage: "check", slot: "main", ...usage });
  const told = reads.filter(({ data }) => data !== undefined);
  const tools = told.map(({ args, data, readings, source, takenAtMs }) => {
    // What is known from before is told in the words of facts: for the gate it is what it was.
    const result = readings.length === 0 ? data : toldResult(readAs(readings, check.known)).data;
    return { tool: source, args, result, ageMs: loop.model.clock.now() - takenAtMs };
  });
  // What the model was told from before had a part in what it wrote, too.
  yield { type: "readings", tools, values: [...facts, ...reads].flatMap(({ readings = [] }) => readings) };
  if (end === "answered") yield { type: "text", text };
  return { end, facts: left };
}

/** What the chat knows from before of what this user may know of and ask, as far as nothing was written since. */
function factsFor({ known, request, tools }: ModelCheck, { writes }: LoopDeps): readonly KnownFact[] {
  const calls = tools.map((tool) => `${specOf(tool).name}:`);
  const isKnown = (id: string) => isOfWholeSite(id) || known.byId(id) !== undefined;
  const isAsked = (key: string) => calls.some((call) => key.startsWith(call));
  const facts = request.targets?.facts ?? [];
  return facts.filter((fact) => fact.about.every(isKnown) && isAsked(fact.key) && writes.leave(fact));
}

function messagesOf({ known, reader, request, resources }: ModelCheck, told: string, prompts: Prompts) {
  const { access, locale, question, responseType } = request;
  const parts = [targetBriefing(resources, known), reader.steadyState(access), told];
  const facts = parts.filter((text) => text !== "").join("\n");
  const content = prompts.render("check", {
    output: prompts.render(`output-${responseType}`),
    not_found: locale.say("not_in_documents"),
    facts,
    language: languageOf(request, prompts),
  });
  return [
    { role: "system", content, foreign: [{ what: "tool_reply", text: facts }] },
    { role: "user", content: question },
  ] as const;
}

/** Lines for a prompt. */
export function targetBriefing(resources: readonly Resource[], known: KnownResources): string {
  const lines = resources.slice(0, TOLD_MAX).flatMap((resource) => {
    const { address, id, kind, names, paths } = resource;
    const outer = known.chainOf(resource).slice(1);
    const area = known.areaOf(resource);
    return [
      `"${names[0]}" (${kind}), id "${id}", target "${address}"`,
      ...(area === undefined ? [] : [`  place: "${area}"`]),
      ...(outer.length === 0 ? [] : [`  runs on or is part of: ${quoted(outer.map((one) => one.names[0]))}`]),
      ...paths
        .toSorted((one, other) => other.inside.length - one.inside.length)
        .map(({ inside, outside }) => `  path inside "${inside}", on its parent "${outside}"`),
    ];
  });
  return lines.join("\n");
}

function loopTool(tool: ReadingTool, { known, nowMs, reader, request }: ModelCheck): LoopTool {
  const { target: argument } = tool.options;
  const planned = (resource?: Resource): PlannedCall => ({
    target: resource,
    run: async (signal) => envelopeOf(await reader.read({ tool, resource }, known, signal), tool, known),
  });
  return {
    spec: specOf(tool),
    source: tool.id,
    plan(args) {
      if (argument === undefined) return planned();
      const found = strictTarget(String(args.target ?? ""), known);
      if (found.fault !== undefined) return found.fault;
      const { resource } = found;
      const { targets, telemetry } = request;
      const mismatch = targets && routingFault(resource, known, targets, nowMs);
      if (mismatch === undefined) return planned(resource);
      const { kinds, ...fault } = mismatch;
      telemetry.emit({ type: "routing_mismatch", tool: tool.id, ...kinds });
      return fault;
    },
  };
}

/** Letters, digits, `_` and `-`, as providers want names of functions. */
function specOf({ id, options }: ReadingTool): ToolSpec {
  const target = { type: "string", description: "The id of the resource." };
  const properties = options.target === undefined ? {} : { target };
  const required = Object.keys(properties);
  return {
    name: id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
    description: `Reads: ${Object.keys(options.reads).join(", ")}.`,
    parameters: { type: "object", properties, required, additionalProperties: false },
  };
}

/** Only what was read as a reading is told: a reply may name what the user may not know of. */
function envelopeOf({ failure, readings }: SiteReadResult, tool: ReadingTool, known: KnownResources) {
  if (failure !== undefined) {
    const { code, retryable } = failure;
    return failed(code, "the system of the site did not answer as it should", { retryable });
  }
  const maxAgeMs = Math.min(...readings.map(({ signal }) => tool.options.reads[signal]!.maxAgeMs));
  return { ...readAs(readings, known), maxAgeMs };
}

function readAs(readings: readonly Reading[], known: KnownResources): LoopResult {
  const data = readings.map(({ signal, takenAtMs, target, unit, value }) => ({
    name: known.byId(target)?.names[0] ?? target,
    [signal]: unit === undefined ? value : `${value} ${unit}`,
    taken_at: new Date(takenAtMs).toISOString(),
  }));
  return { ok: true, data, readings };
}

const SUGGESTIONS_MAX = 3;

/** Refuses a call to what the thing that the user speaks of runs on, or to a sibling of it, which nobody spoke of. */
export function routingFault(target: Resource, known: KnownResources, context: TargetContext, nowMs: number) {
  const spoken = spokenOf(context, nowMs).flatMap((id) => known.byId(id) ?? []);
  if (spoken.includes(target)) return undefined;
  const within = spoken.filter((one) => known.chainOf(one).includes(target));
  const meant = within.length > 0 ? within : spoken.filter((one) => areSiblings(one, target, known));
  if (meant.length === 0) return undefined;
  const isOuter = within.length > 0;
  const how = isOuter ? "what they run on or are part of" : "a sibling of them";
  const what = isOuter ? "more_specific" : "sibling";
  const names = meant.map((one) => one.names[0]);
  return {
    code: "ROUTING_MISMATCH" as const,
    message: `The user spoke of ${quoted(names)}, and "${target.names[0]}" is ${how}.`,
    blocked: true,
    /** Of the call's target, and of what the user spoke of. */
    kinds: { targetKind: target.kind, childKind: meant[0]!.kind },
    details: {
      target_host: target.names[0],
      target_resource_id: target.id,
      [`${what}_resources`]: names,
      [`${what}_resource_ids`]: meant.map(({ id }) => id),
      policy_boundary: "the resource that the user spoke of",
      recovery_hint: `Retry with target_host='${meant[0]!.address}', or ask the user which one is meant.`,
    },
  };
}

/** Of one kind, and together in the same place or on the same parent. */
function areSiblings(one: Resource, other: Resource, known: KnownResources): boolean {
  const [here, there] = [one, other].map((each) => placeWords(known.areaOf(each) ?? ""));
  const isSameSort = one.kind === other.kind && one.site === other.site;
  return isSameSort && one.parent === other.parent && (one.parent !== undefined || here === there);
}

/** What a model names as a target: an id, an address or a name, word for word, of what the user may know of. */
export function strictTarget(name: string, known: KnownResources) {
  const byId = known.byId(name);
  if (byId !== undefined) return { resource: byId };
  const key = placeWords(name);
  const isCalledSo = ({ names }: Resource) => names.some((own) => placeWords(own) === key);
  const named = known.all.filter((one) => one.address === name || isCalledSo(one));
  if (named.length === 1) return { resource: named[0]! };
  const near = named.length > 0 ? named : known.all.filter((one) => sharesWord(one, key));
  const fault: LoopError = {
    code: "STRICT_RESOLUTION",
    message: named.length > 1 ? "Several resources have this name." : "No resource has this name.",
    blocked: true,
    details: {
      suggestions: near.slice(0, SUGGESTIONS_MAX).map(({ id, names }) => `${names[0]} (${id})`),
      recovery_hint: "Use an id of the resources that you were told of. Do not search for others.",
    },
  };
  return { fault };
}

function sharesWord({ names }: Resource, key: string): boolean {
  const words = key.split(" ").filter((word) => /\p{L}/u.test(word));
  return names.some((name) => words.some((word) => placeWords(name).split(" ").includes(word)));
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
