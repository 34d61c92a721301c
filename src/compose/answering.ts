/**
 * Everything between a message and its answer, put together: capabilities, the voice, the chats. The service opens its
 * doors to it; commands that answer without a door use it alone.
 */
import { createAsk } from "../answer/ask.js";
import { createOfflineAsk } from "../answer/offline.js";
import type { Capability } from "../answer/port.js";
import type { SearchDeps } from "../answer/search.js";
import { Admission } from "../chat/admission.js";
import { ChatRegistry } from "../chat/registry.js";
import type { Config } from "../config/schema.js";
import type { Clock } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import { chosenProvider } from "../llm/options.js";
import type { Prompts } from "../llm/prompts.js";
import { LocalSpeech } from "../speech/local.js";
import { OpenAiSpeech } from "../speech/openai.js";
import type { TextToSpeech } from "../speech/port.js";
import type { Telemetry } from "../telemetry/events.js";
import { runTurn, type TurnDeps } from "../turn/run-turn.js";
import type { Knowledge } from "./knowledge.js";
import { modelServer } from "./model-server.js";
import { createModels, type Models } from "./models.js";

export interface AnsweringDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
}

export interface Answering {
  /** Who drafts the answers, for the log. */
  readonly name: string;
  readonly chats: ChatRegistry;
  readonly speech: TextToSpeech;
}

export function createAnswering(
  config: Config,
  prompts: Prompts,
  knowledge: Knowledge,
  deps: AnsweringDeps,
): Answering {
  const { clock, random, telemetry } = deps;
  const { retrieval, groups } = knowledge;
  const speech = createSpeech(config, clock);
  const models = createModels(config, deps);
  const search = { clock, retrieval, ...config.retrieval };
  const drafting = createDrafting(config, prompts, models, search, random);
  const turnDeps: TurnDeps = {
    clock,
    telemetry,
    tts: speech,
    nextMid: countMids(),
    capabilities: { knowledge: drafting.ask },
    prompts,
    retrieval,
    groups,
  };
  const chats = new ChatRegistry(
    {
      clock,
      random,
      telemetry,
      admission: new Admission(config.chat),
      runTurn: (request, history, line, stop) => runTurn(request, history, line, turnDeps, stop),
    },
    config.chat,
  );
  return { name: drafting.name, chats, speech };
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

/** The model when one is set, sentences of the documents otherwise. */
function createDrafting(
  config: Config,
  prompts: Prompts,
  { main }: Models,
  search: Omit<SearchDeps, "telemetry">,
  random: Random,
): { name: string; ask: Capability } {
  const { llm } = config;
  if (main === undefined) {
    return { name: "offline (no key and no base URL is set)", ask: createOfflineAsk({ ...search, prompts }) };
  }
  const { model, limits, outputTokensMax } = main;
  const searchLanguage = (network: string) => llm.searchLanguageByNetwork[network] ?? llm.searchLanguage;
  const { toolName } = llm;
  const { mode, modeByNetwork } = config.grounding;
  const options = {
    toolName,
    outputTokensMax,
    searchLanguage,
    speculate: config.retrieval.speculate,
    quotes: (network: string) => (modeByNetwork[network] ?? mode) === "quoted",
  };
  return {
    name: model.name,
    ask: createAsk({ ...search, prompts, model: { model, random, limits }, options }),
  };
}

/** A speech server when a key or an address for one is set, the voice that comes with the service otherwise. */
function createSpeech({ llm, speech }: Config, clock: Clock): TextToSpeech {
  const server = modelServer(speech, llm);
  const provider = chosenProvider({ provider: speech.provider, ...server });
  return provider === "openai"
    ? new OpenAiSpeech(clock, { ...speech, ...server })
    : new LocalSpeech(clock, speech);
}
