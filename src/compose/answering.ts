/**
 * Everything between a message and its answer, put together: capabilities, the voice, the chats. The service opens its
 * doors to it; commands that answer without a door use it alone.
 */
import { SESSION_PREFIX } from "../api/ask.js";
import { Admission } from "../chat/admission.js";
import type { Intake } from "../chat/intake.js";
import { ChatRegistry } from "../chat/registry.js";
import { childEnvironment } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { underGuard } from "../guard/scope.js";
import type { WarmConnections } from "../lib/warm-connections.js";
import { loadPrompts, type Prompts } from "../llm/prompts.js";
import { loadLocales } from "../locale/load.js";
import type { Locales } from "../locale/locales.js";
import type { TextToSpeech } from "../speech/port.js";
import { RouteLog } from "../store/route-log.js";
import { Acknowledgements } from "../turn/acknowledgement.js";
import { announce as sayUnasked } from "../turn/announce.js";
import { withCaution } from "../turn/caution.js";
import { runTurn } from "../turn/run-turn.js";
import type { TurnDeps } from "../turn/turn.js";
import { createCapabilities, createRouter } from "./capabilities.js";
import type { Checking, CheckingDeps } from "./checking.js";
import { createConnections } from "./connections.js";
import { createGuiding, type Guiding, type GuidingDeps } from "./guiding.js";
import type { Knowledge, KnowledgeDeps } from "./knowledge.js";
import { createListening, type Listening } from "./listening.js";
import { createModels, type Models } from "./models.js";
import type { Operating, OperatingDeps } from "./operating.js";
import { type ClosableOverview, createOverview } from "./overview.js";
import { createSpeech } from "./speech.js";
import { createVerifying } from "./verifying.js";

export interface Answering {
  /** Who drafts the answers, for the log. */
  readonly name: string;
  readonly chats: ChatRegistry;
  /** Suggested questions and summaries. */
  readonly overview: ClosableOverview;
  readonly speech: TextToSpeech;
  /** To the servers of models and voice; to be started with the service. */
  readonly connections: WarmConnections;
  /** Who understands spoken questions; absent: nobody. */
  readonly recogniser: Listening["recogniser"] | undefined;
  /** Who judges answers in evaluations. */
  readonly judge: Models["judge"];
  /** The sites that can be asked; to be started with the service. Absent: none. */
  readonly checking: Checking | undefined;
  /** What may be done to them; to be started behind them. Absent: nothing. */
  readonly operating: Operating | undefined;
  /** The guides, and the runs of them. */
  readonly guiding: Guiding;
  /** When the chats are closed. */
  close(): Promise<void>;
}

/** What is said to models and to users. */
export interface Texts {
  readonly prompts: Prompts;
  readonly locales: Locales;
}

export interface AnsweringDeps extends KnowledgeDeps {
  /** Absent: turns are taken at any time. */
  readonly intake?: Intake;
}

/** Rejects with a readable error when prompts or texts cannot be used. */
export async function loadTexts({ llm, locale }: Config): Promise<Texts> {
  return { prompts: await loadPrompts(llm.promptsDir), locales: await loadLocales(locale) };
}

/** Rejects with a readable error when a setting cannot be used. */
export async function createAnswering(
  config: Config,
  { locales, prompts }: Texts,
  knowledge: Knowledge,
  deps: AnsweringDeps,
): Promise<Answering> {
  const { clock, random, telemetry } = deps;
  const { groups, guard, retrieval } = knowledge;
  const connections = createConnections(config, deps);
  const send = { fetch: connections.fetch, guard };
  const speech = createSpeech(config, locales, { ...deps, ...send });
  const models = createModels(config, { ...deps, ...send });
  const routeLog = config.routing.logIntents ? new RouteLog(config.dataDir, { clock, telemetry }) : undefined;
  const router = await createRouter(config, { clock, telemetry, prompts, models, log: routeLog });
  const later = laterOf(() => chats);
  const atSites = { ...deps, ...later, prompts, models, retrieval, groups };
  const { checking, operating } = await createAtSites(config, atSites);
  const listening = await createListening(config, { ...deps, ...knowledge, hints: checking?.hints });
  const guiding = await createGuiding(config, {
    ...deps,
    ...knowledge,
    ...{ locales, prompts, models },
    checking,
    operating,
    ...later,
  });
  const nextMid = countMids();
  const { acknowledgement: sign, acknowledgementThresholdMs: thresholdMs } = config.speech;
  const said = { clock, random, telemetry, tts: speech, locales, nextMid };
  const turnDeps: TurnDeps = {
    clock,
    telemetry,
    tts: speech,
    nextMid,
    ...(sign === "off" ? {} : { acknowledger: new Acknowledgements(said, { sign, thresholdMs }) }),
    router,
    capabilities: createCapabilities(config, {
      ...{ ...deps, locales, prompts, models, retrieval },
      ...{ ...checking, operate: operating?.operate, guide: guiding.guide, build: guiding.build },
    }),
    rules: { ...checking?.rules, ...guiding.rules },
    ...(checking === undefined ? {} : { commandsFor: checking.commandsFor }),
    locales,
    retrieval,
    groups,
    earlyClause: config.speech.earlyClause,
    ...createVerifying(config, models, { clock, telemetry, prompts }),
  };
  const chats = createChats(config, turnDeps, { ...deps, locales, listening });
  const overview = createOverview(config, { ...deps, ...knowledge, locales, prompts, models });
  const close = async () => {
    overview.close();
    await Promise.all([
      connections.close(),
      checking?.close(),
      operating?.close(),
      guiding.close(),
      speech.close(),
      listening?.recogniser.close(),
      routeLog?.close(),
    ]);
  };
  const name = models.main?.model.name ?? "offline (no key and no base URL is set)";
  const { judge } = models;
  const parts = { chats, overview, speech, connections, checking, operating, guiding };
  return { ...parts, name, recogniser: listening?.recogniser, judge, close };
}

/** What is asked of sites and done to them. It takes time to load, and is not wanted by most. */
async function createAtSites(
  config: Config,
  deps: Omit<CheckingDeps & OperatingDeps, "checking" | "environment">,
): Promise<Pick<Answering, "checking" | "operating">> {
  if (config.sites.length === 0) return { checking: undefined, operating: undefined };
  const { createChecking } = await import("./checking.js");
  const { createOperating } = await import("./operating.js");
  const checking = createChecking(config, { ...deps, environment: childEnvironment() });
  return { checking, operating: await createOperating(config, { ...deps, checking }) };
}

/** What capabilities need of the chats, which are made after them. */
function laterOf(
  chats: () => ChatRegistry,
): Pick<GuidingDeps, "remembered" | "usersOf"> & Pick<OperatingDeps, "announce"> {
  return {
    usersOf: (network) => chats().usersOf(network),
    announce: (announcement) => chats().announce(announcement),
    remembered: (user, session) =>
      chats().find(user, session && `${SESSION_PREFIX}${session}`)?.remembered ?? [],
  };
}

/** The chats, each of which runs turns with these. */
function createChats(
  { chat }: Config,
  turnDeps: TurnDeps,
  {
    clock,
    intake,
    listening,
    locales,
    random,
    telemetry,
  }: AnsweringDeps & Pick<Texts, "locales"> & { readonly listening: Listening | undefined },
): ChatRegistry {
  return new ChatRegistry(
    {
      clock,
      random,
      telemetry,
      admission: new Admission(chat, { clock, telemetry, intake }),
      anyMessageInterrupts: (network) => (chat.floorByNetwork[network] ?? chat.floor) === "any",
      listen: listening?.listen,
      explained: (failure, asked) => withCaution(failure, asked, locales),
      runTurn: (request, dialogue, line, stop, receivedMs) =>
        underGuard("words" in request, () => runTurn(request, dialogue, line, turnDeps, stop, receivedMs)),
      announce: (announcement, dialogue, line, stop) =>
        sayUnasked(announcement, dialogue, line, turnDeps, stop),
    },
    chat,
  );
}

const MID_COUNT = 2 ** 32;

/** Numbers for replies, each once in this process. */
function countMids(): () => number {
  let last = 0;
  return () => {
    last = (last + 1) % MID_COUNT;
    return last;
  };
}
