/** The last layer: a language model chooses among the routes, by a forced call with the routes as an enumeration. */
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { EMERGENCY_ARGUMENT } from "../llm/emergency-argument.js";
import {
  type LanguageModel,
  ModelFailure,
  strictObject,
  type TokenUsage,
  type ToolSpec,
} from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import { toolArguments, toolCallFault } from "../llm/tool-call.js";
import { PAST_ROUTES_MAX, type PastRoute } from "./past-routes.js";
import type { Route } from "./routes.js";

/** How long a decision may take: longer, and the user would have had an answer. */
export const ROUTE_MODEL_MS_MAX = 1_500;

/** A call with two short arguments. */
const OUTPUT_TOKENS_MAX = 60;

/** What the model says when no route is what was meant. */
const UNCLEAR = "unclear";

const TOOL_NAME = "choose_route";

export type ModelWord =
  | { readonly type: "route"; readonly route: Route; readonly attached: boolean; readonly usage: TokenUsage }
  | { readonly type: "unclear"; readonly usage: TokenUsage }
  | { readonly type: "emergency"; readonly usage: TokenUsage }
  | { readonly type: "failed"; readonly error: string };

export interface ModelLayerDeps {
  readonly clock: Clock;
  readonly model: LanguageModel;
  readonly prompts: Prompts;
}

/**
 * Asks the model once. `intents` is empty unless the message refers back; their distribution is no hint (RC-03). Only
 * the signal's reason is thrown.
 */
export async function askModel(
  message: string,
  routes: readonly Route[],
  intents: readonly PastRoute[],
  deps: ModelLayerDeps,
  signal: AbortSignal,
): Promise<ModelWord> {
  const { clock, model, prompts } = deps;
  const tool = routeTool(routes, prompts);
  const history = intents
    .slice(-PAST_ROUTES_MAX)
    .map(({ route, topic }) => `[${route}] ${JSON.stringify(topic)}`);
  const past = history.join("\n");
  const system = prompts.render("route", { history: past });
  const request = {
    messages: [
      { role: "system", content: system, foreign: [{ what: "question", text: past }] },
      { role: "user", content: message },
    ],
    tools: [tool],
    toolChoice: "required",
    outputTokensMax: OUTPUT_TOKENS_MAX,
    giveUpAtMs: clock.monotonic() + ROUTE_MODEL_MS_MAX,
  } as const;
  try {
    const { calls, usage } = await withDeadline(
      clock,
      "choosing the route",
      ROUTE_MODEL_MS_MAX,
      signal,
      (within) => model.complete(request, within),
    );
    const [call] = calls;
    const fault = call === undefined ? "the model calls no tool" : toolCallFault(call, [tool]);
    if (call === undefined || fault !== undefined) return { type: "failed", error: fault ?? "" };
    const values = toolArguments(call) ?? {};
    if (values[EMERGENCY_ARGUMENT] === true) return { type: "emergency", usage };
    if (values.route === UNCLEAR) return { type: "unclear", usage };
    const route = routes.find(({ name }) => name === values.route);
    if (route === undefined) return { type: "failed", error: "the model names a route that does not exist" };
    return { type: "route", route, attached: values.attached === true, usage };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelFailure || error instanceof DeadlineExceeded)
      return { type: "failed", error: error.message };
    throw error;
  }
}

function routeTool(routes: readonly Route[], prompts: Prompts): ToolSpec {
  const meanings = routes.map(({ name, capability }) => `${name}: ${prompts.render(`routes/${capability}`)}`);
  return {
    name: TOOL_NAME,
    description: prompts.render("route-tool", { routes: meanings.join("\n") }),
    parameters: strictObject(
      {
        route: { type: "string", enum: [...routes.map(({ name }) => name), UNCLEAR] },
        attached: { type: "boolean", description: prompts.render("route-tool-attached") },
        [EMERGENCY_ARGUMENT]: { type: "boolean", description: prompts.render("emergency-argument") },
      },
      ["route", "attached"],
    ),
  };
}
