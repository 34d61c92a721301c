/** What a question to the site's systems comes to: what is known and can be read here, and what of it is wanted. */
import type { SiteRequest } from "../capability/capability.js";
import { NO_TARGETS } from "../domain/target-context.js";
import type { Access } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { gently, WorkBudget } from "../lib/steps.js";
import type { Commands } from "../locale/commands/commands.js";
import type { SiteReader } from "./safety/site-reader.js";
import type { KnownResources, Registry } from "./targets/registry.js";
import { STATUS, type Wanted, wantedIn } from "./wanted.js";

export interface UnderstandingDeps {
  readonly clock: Clock;
  readonly reader: SiteReader;
  /** All resources as they are known now. */
  readonly registry: () => Registry;
  /** The templates with the names of these. */
  readonly commandsFor: (known: KnownResources) => Promise<Commands>;
}

/** Computing time for one message, in milliseconds: a hundred times what two hundred names take. */
export const UNDERSTANDING_MS_MAX = 2_000;
/** What could not be worked out in that time is no question for the site. */
const NOTHING: Wanted = {
  ...{ target: { type: "none" }, signals: [STATUS], asked: STATUS },
  ...{ isWeighed: false, isPast: false, isExplained: false },
};

export async function understood(request: SiteRequest, deps: UnderstandingDeps) {
  const { access, targets: context = NO_TARGETS } = request;
  const known = deps.registry().knownTo(access);
  const wanted = await wantedOnce(request, () => wantedOf(request, known, deps));
  return { context, known, tools: deps.reader.toolsFor(access), wanted };
}

async function wantedOf(
  { access, locale, mentions = [], question, targets: context = NO_TARGETS }: SiteRequest,
  known: KnownResources,
  { clock, commandsFor, reader }: UnderstandingDeps,
): Promise<Wanted> {
  const commands = await commandsFor(known);
  const [offered, machines] = [reader.signalsFor(access), reader.machinesFor(access)];
  const from = { question, mentions, commands, known, context, offered, machines, locale };
  const steps = wantedIn({ ...from, nowMs: clock.now() });
  const wanted = (await gently(steps, new WorkBudget(UNDERSTANDING_MS_MAX))) ?? NOTHING;
  const { signals, target } = wanted;
  if (target.type !== "unknown" || !signals.every((signal) => signal === STATUS)) return wanted;
  // What no list has may be a process of a machine: it is asked whether it runs.
  const resource = reader.unlisted(target.words, access);
  return resource === undefined ? wanted : { ...wanted, target: { type: "one", resource, how: "name" } };
}

/**
 * Works something out of a turn's message once, by the turn's own access: whether a capability takes it, and what it
 * answers, need the same. `telling`: what of the request it follows from.
 */
export function oncePerTurn<T>(...telling: readonly (keyof SiteRequest)[]) {
  const ofTurns = new WeakMap<Access, { readonly request: SiteRequest; readonly worked: Promise<T> }>();
  return (request: SiteRequest, work: () => Promise<T>): Promise<T> => {
    const asked = ofTurns.get(request.access);
    if (asked !== undefined && telling.every((key) => asked.request[key] === request[key]))
      return asked.worked;
    const worked = work();
    ofTurns.set(request.access, { request, worked });
    return worked;
  };
}

const wantedOnce = oncePerTurn<Wanted>("question", "targets", "locale", "mentions");
