/** What a question to the site's systems comes to: what is known and can be read here, and what of it is wanted. */
import type { CheckQuestion } from "../capability/capability.js";
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
  readonly commandsFor: (known: KnownResources) => Commands;
}

/** Computing time for one question, in milliseconds: a hundred times what two hundred names take. */
const UNDERSTANDING_MS_MAX = 2_000;
/** What could not be worked out in that time is no question for the site. */
const NOTHING: Wanted = { target: { type: "none" }, signals: [], isExplained: false };

export async function understood(request: CheckQuestion, deps: UnderstandingDeps) {
  const { access } = request;
  const { reader } = deps;
  const known = deps.registry().knownTo(access);
  const heard = await onceForTurn(request, () => wantedOf(request, known, deps));
  const tools = reader.toolsFor(access);
  return {
    context: request.targets ?? NO_TARGETS,
    known,
    tools,
    wanted: withUnlisted(heard, access, reader),
  };
}

async function wantedOf(request: CheckQuestion, known: KnownResources, deps: UnderstandingDeps) {
  const { access, locale, mentions = [], question, targets: context = NO_TARGETS } = request;
  const offered = deps.reader.signalsFor(access);
  const commands = deps.commandsFor(known);
  const nowMs = deps.clock.now();
  const steps = wantedIn({ question, mentions, commands, known, context, offered, locale, nowMs });
  return (await gently(steps, new WorkBudget(UNDERSTANDING_MS_MAX))) ?? NOTHING;
}

interface Asked {
  readonly request: CheckQuestion;
  readonly wanted: Promise<Wanted>;
}

/**
 * The question of each turn, by the turn's own access: whether Check takes it, and then what it answers, need the same.
 * Turns have nothing in common here, of one user or of several.
 */
const ofTurns = new WeakMap<Access, Asked>();

function onceForTurn(request: CheckQuestion, work: () => Promise<Wanted>): Promise<Wanted> {
  const asked = ofTurns.get(request.access);
  if (asked !== undefined && isSame(asked.request, request)) return asked.wanted;
  const wanted = work();
  ofTurns.set(request.access, { request, wanted });
  return wanted;
}

function isSame(one: CheckQuestion, other: CheckQuestion): boolean {
  return (
    one.question === other.question &&
    one.targets === other.targets &&
    one.locale === other.locale &&
    one.mentions === other.mentions
  );
}

/** What no list has may be a process of a machine: it is asked whether it runs. */
function withUnlisted(wanted: Wanted, access: Access, reader: SiteReader): Wanted {
  const { signals, target } = wanted;
  if (target.type !== "unknown" || !signals.every((signal) => signal === STATUS)) return wanted;
  const resource = reader.unlisted(target.words, access);
  return resource === undefined ? wanted : { ...wanted, target: { type: "one", resource, how: "name" } };
}
