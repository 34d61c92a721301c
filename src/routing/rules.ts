/**
 * The second layer: what is certain from the words alone, in templates and not in a prompt. Where none fits, nothing is
 * said; the classifier comes after it. Rules name capabilities, since routes are configuration.
 */
import type { Intent } from "../locale/commands/intents.js";
import { hasUsageData } from "../locale/usage-figures.js";
import type { NormalizedMessage } from "./normalized-message.js";
import type { RouteKind } from "./options.js";
import type { Route } from "./routes.js";

const CAPABILITY_OF: Partial<Record<Intent, RouteKind>> = {
  account: "platform",
  guide_list: "guide",
  guide_start: "guide",
  guide_write: "guide",
  guide_move: "guide",
  greeting: "conversational",
  thanks: "conversational",
  goodbye: "conversational",
  shorter: "conversational",
  meaning: "conversational",
  translate: "conversational",
  rephrase: "conversational",
  operate: "operate",
  check: "check",
  ask: "knowledge",
};

/** The capability that the rules see in an utterance, or `undefined`. */
export function ruledCapability(message: string, said: NormalizedMessage): RouteKind | undefined {
  if (hasUsageData(message)) return "platform";
  const command = said.command;
  return command && CAPABILITY_OF[command.intent];
}
/** RC-01: the route one of whose prefixes the message begins with, the longest winning; words are not cut. */
export function routeByPrefix(routes: readonly Route[], message: string): Route | undefined {
  const text = message.trimStart().replace(/\s+/g, " ").toLowerCase();
  let found: { readonly route: Route; readonly length: number } | undefined;
  for (const route of routes) {
    for (const prefix of route.prefixes) {
      const { length } = prefix;
      if (length > (found?.length ?? 0) && beginsWith(text, prefix.toLowerCase().replace(/\s+/g, " ")))
        found = { route, length };
    }
  }
  return found?.route;
}

function beginsWith(text: string, prefix: string): boolean {
  if (!text.startsWith(prefix)) return false;
  const wordGoesOn = /[\p{L}\p{N}]/u;
  return !(wordGoesOn.test(prefix.at(-1) ?? "") && wordGoesOn.test(text[prefix.length] ?? ""));
}
