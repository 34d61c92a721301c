/**
 * A check that no template reads: a model calls the reading tools until it can answer, and what it writes is a draft like
 * any other. It is told what the user's words were resolved to, and can name nothing else.
 */
import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import { Channel } from "../lib/channel.js";
import type { ToolSpec } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import { failed, type LoopArguments, type LoopResult, type LoopTool } from "./loop/envelope.js";
import { factKey, NOTHING_KNOWN } from "./loop/fact-memory.js";
import { type LoopDeps, type LoopOutcome, runLoop } from "./loop/loop.js";
import type { ReadingTool, SiteReader, SiteReadResult } from "./safety/site-reader.js";
import { targetBriefing } from "./targets/briefing.js";
import type { KnownResources } from "./targets/registry.js";
import type { Resolution } from "./targets/resolution.js";
import { routingFault, strictTarget } from "./targets/routing.js";

export interface ModelCheck {
  readonly request: AskRequest;
  readonly known: KnownResources;
  readonly tools: readonly ReadingTool[];
  readonly target: Resolution;
  readonly nowMs: number;
}

export interface ModelCheckDeps {
  readonly reader: SiteReader;
  readonly loop: LoopDeps;
  /** What changes rarely on the sites that this access may ask, for the prompt. */
  readonly steadyState: (request: AskRequest) => string;
}

/** Events of one check that wait to be read: more than it has calls. */
const STEPS_MAX = 1_000;

/** What was read, what the model wrote, and whether it came to an answer. */
export async function* checkByModel(
  check: ModelCheck,
  { loop, reader, steadyState }: ModelCheckDeps,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, LoopOutcome["end"], undefined> {
  const { request, tools } = check;
  const steps = new Channel<DraftEvent>(STEPS_MAX);
  const job = {
    messages: messagesOf(check, steadyState(request), loop.prompts),
    tools: tools.map((tool) => loopTool(tool, check, reader)),
    memory: NOTHING_KNOWN,
    network: request.access.network,
    isFresh: true,
    giveUpAtMs: request.beginByMs,
    onStep: (step: DraftEvent) => void steps.put(step),
    onFault: () => {},
  };
  const running = runLoop(job, loop, signal).finally(() => steps.close());
  yield* steps;
  const { end, reads, text, usage } = await running;
  const user = { network: request.access.network, username: request.access.username };
  request.telemetry.emit({ type: "tokens_used", user, stage: "check", slot: "main", ...usage });
  const nowMs = loop.model.clock.now();
  yield {
    type: "readings",
    tools: reads.flatMap(({ args, data, source, takenAtMs }) =>
      data === undefined ? [] : [{ tool: source, args, result: data, ageMs: nowMs - takenAtMs }],
    ),
    values: reads.flatMap(({ readings }) => readings),
  };
  if (end === "answered") yield { type: "text", text };
  return end;
}

function messagesOf({ known, request, target }: ModelCheck, steady: string, prompts: Prompts) {
  const { language, locale, question, responseType } = request;
  const facts = [targetBriefing(target, known), steady].filter((text) => text !== "").join("\n");
  const content = prompts.render("check", {
    output: prompts.render(`output-${responseType}`),
    not_found: locale.say("not_in_documents"),
    facts,
    language:
      language === undefined
        ? prompts.render("language-of-question", { tag: locale.language })
        : prompts.render("language-given", { tag: language }),
  });
  return [
    { role: "system", content },
    { role: "user", content: question },
  ] as const;
}

function loopTool(tool: ReadingTool, check: ModelCheck, reader: SiteReader): LoopTool {
  const { known, nowMs, request } = check;
  const { reads, target: argument } = tool.options;
  const signals = Object.keys(reads);
  const resourceOf = (args: LoopArguments) =>
    argument === undefined ? undefined : strictTarget(String(args.target ?? ""), known);
  const found = (args: LoopArguments) => {
    const strict = resourceOf(args);
    return strict !== undefined && "resource" in strict ? strict.resource : undefined;
  };
  return {
    spec: specOf(tool, signals),
    source: tool.id,
    keysOf: (args) => {
      const id = found(args)?.id ?? (argument === undefined ? `${tool.site}/` : undefined);
      return id === undefined ? [] : signals.map((signal) => factKey(id, signal));
    },
    targetOf: found,
    async run(args, signal) {
      const strict = resourceOf(args);
      if (strict !== undefined && "fault" in strict) {
        const { code, message, details } = strict.fault;
        return failed(code, message, { blocked: true, details });
      }
      const resource = strict?.resource;
      const { targets } = request;
      const fault = resource && targets && routingFault(resource, known, targets, nowMs);
      if (fault !== undefined)
        return failed(fault.code, fault.message, { blocked: true, details: fault.details });
      return envelopeOf(await reader.read({ tool, resource }, known, signal), tool, known);
    },
  };
}

/** Letters, digits, `_` and `-`, as providers want names of functions. */
function specOf({ id, options }: ReadingTool, signals: readonly string[]): ToolSpec {
  const target = { type: "string", description: "The id of the resource." };
  return {
    name: id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
    description: `Reads: ${signals.join(", ")}.`,
    parameters: {
      type: "object",
      properties: options.target === undefined ? {} : { target },
      required: options.target === undefined ? [] : ["target"],
      additionalProperties: false,
    },
  };
}

/** Only what was read as a reading is told: a reply may name what the user may not know of. */
function envelopeOf(result: SiteReadResult, { options }: ReadingTool, known: KnownResources): LoopResult {
  if (result.type === "failed") {
    const retryable = result.code === "UNAVAILABLE" || result.code === "TIMEOUT";
    return failed(result.code, "the system of the site did not answer as it should", {
      failed: true,
      retryable,
    });
  }
  const readings = result.readings.map((one) => ({ ...one, maxAgeMs: options.reads[one.signal]!.maxAgeMs }));
  const data = result.readings.map(({ signal, takenAtMs, target, tool: _, ...value }) => ({
    name: known.byId(target)?.names[0] ?? target,
    [signal]: value.unit === undefined ? value.value : `${value.value} ${value.unit}`,
    taken_at: new Date(takenAtMs).toISOString(),
  }));
  return { ok: true, data, meta: { readings } };
}
