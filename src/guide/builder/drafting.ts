/**
 * One turn with a model: it is told the action, the guide as it is and what was said, and replies with patches. They are
 * tried on a copy; what cannot be used is sent back once with its errors, and is left out after that.
 */
import type { Clock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { type LanguageModel, ModelFailure, type ModelMessage, type ModelRequest } from "../../llm/port.js";
import type { Prompts } from "../../llm/prompts.js";
import type { Locale } from "../../locale/locale.js";
import { guideFile } from "../schema/read-guide.js";
import { tryPatches } from "./patch.js";
import type { TakenTurn } from "./questions.js";
import { type BuilderReply, oneQuestion, REPLY_FORMAT, readReply } from "./reply.js";
import {
  type BuilderAction,
  type BuilderMessage,
  type BuilderSession,
  type BuilderUsage,
  mayFollow,
  movesTo,
  type SessionEvent,
  SessionRefused,
  usageSum,
} from "./session.js";

/** A turn, its second try included, in milliseconds. */
export const DRAFTING_MS_MAX = 120_000;
/** Tokens of one reply. */
export const DRAFTING_TOKENS_MAX = 8_000;
/** A reply that is not used is asked for once more. */
const TRIES_MAX = 2;
/** Earlier messages that the model is told. */
const HISTORY_MAX = 20;
/** UTF-16 units of a reply that are read: more than the tokens come to. */
const REPLY_CHARS_MAX = 100_000;
/** Errors that a model is told at once. */
const ERRORS_MAX = 20;

/** A turn goes on when its sender is gone, and ends by its deadline. */
const NEVER = new AbortController().signal;

/** Actions that a light model does; the others need the better one. */
const LIGHT: readonly BuilderAction[] = ["modify_node", "quick_action", "variable_inference"];

export interface DraftingDeps {
  readonly clock: Clock;
  readonly prompts: Prompts;
  /** By tier. */
  readonly models: Readonly<Record<"full" | "light", LanguageModel>>;
}

/** Told all that a model has written of its reply, as often as there is more of it. */
export type OnWritten = (raw: string) => void;

/** What is to be answered. */
interface Asked {
  readonly session: BuilderSession;
  readonly message: BuilderMessage;
  readonly locale: Locale;
  readonly onWritten?: OnWritten | undefined;
}

/** A reply of which all is used; with `errors`, its patches and its phase were left out. */
type Drafted = BuilderReply & { readonly usage: BuilderUsage };

/** What the model makes of the last message. Rejects with `SessionRefused` where it gives no answer. */
export async function draftTurn(
  deps: DraftingDeps,
  asked: Asked,
): Promise<(now: BuilderSession) => TakenTurn> {
  try {
    const work = (within: AbortSignal) => drafted(deps, asked, within);
    const reply = await withDeadline(deps.clock, "the model that drafts", DRAFTING_MS_MAX, NEVER, work);
    return (now) => turnOf(reply, asked, now);
  } catch (error) {
    if (!(error instanceof ModelFailure) && !(error instanceof DeadlineExceeded)) throw error;
    throw new SessionRefused(
      "assistant_unavailable",
      "The language model gives no answer now, and your message was not counted. Send it again in a moment.",
      { cause: error },
    );
  }
}

async function drafted(deps: DraftingDeps, asked: Asked, signal: AbortSignal): Promise<Drafted> {
  const { message, onWritten, session } = asked;
  const model = deps.models[LIGHT.includes(message.action ?? "open_chat") ? "light" : "full"];
  const opening = openingOf(deps, asked);
  let messages = opening;
  let usage: BuilderUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  for (let count = 1; ; count++) {
    const written = await wholeReply(model, messages, signal, onWritten);
    usage = usageSum(usage, written.usage);
    const reply = readReply(written.text, session.guide);
    const errors = [...reply.errors, ...misfits(reply, asked)].slice(0, ERRORS_MAX);
    if (errors.length === 0) return { ...reply, usage };
    if (count === TRIES_MAX) return { say: reply.say, patches: [], errors, usage };
    const back = ["Nothing of that was used:", ...errors, "Reply again, with all of it put right."];
    const sentBack = { role: "user", content: back.join("\n") } as const;
    messages = [...opening, { role: "assistant", content: written.text }, sentBack];
  }
}

/**
 * What a model replied, applied where all is agreed, and suggested where people are to say so first: it asks something, it
 * is about one step, or somebody has changed the guide meanwhile.
 */
function turnOf(
  { errors, patches, phase: wanted, say, usage }: Drafted,
  { locale, message: { action = "open_chat" }, session: heard }: Asked,
  now: BuilderSession,
): TakenTurn {
  const by = "model";
  const { question, text } = oneQuestion(say);
  const isWhole = action === "generate_full";
  const isSame = JSON.stringify(heard.guide) === JSON.stringify(now.guide);
  const isApplied = isSame && (isWhole || (action === "open_chat" && question === ""));
  const follows = wanted !== undefined && mayFollow(now.phase, wanted);
  const moved =
    isWhole && patches.length > 0
      ? movesTo("discovery", now.phase, by)
      : follows
        ? [{ type: "moved", by, phase: wanted } as const]
        : [];
  const change: SessionEvent = isApplied
    ? { type: "patched", author: { type: by }, patches }
    : { type: "suggested", patches, action };
  const changed = patches.length === 0 ? [] : [change];
  const goesOn = isApplied && patches.length > 0 && question === "";
  const said =
    errors.length > 0 ? locale.say("guide_build_refused") : text || locale.say("guide_build_changed");
  const words = goesOn ? `${said} ${locale.say("guide_build_ask_next")}` : said;
  return {
    events: [...moved, ...changed, { type: "answered", message: { by, text: words }, usage }],
    errors,
  };
}

/** What the session does not take of a reply that can be read. */
function misfits({ patches, phase }: BuilderReply, { message, session }: Asked): readonly string[] {
  const moves = phase !== undefined && phase !== session.phase;
  if (moves && !mayFollow(session.phase, phase))
    return [`phase: ${phase} does not follow ${session.phase}; leave it out.`];
  const isScoping = (phase ?? session.phase) === "scoping" && message.action !== "generate_full";
  if (isScoping && patches.some(({ op }) => op !== "describe"))
    return ["patches: nothing is agreed while the scope is found out; ask, and change no step yet."];
  const result = tryPatches(session, patches, { type: "model" });
  return result.type === "refused" ? result.errors : [];
}

/** Everything that is somebody's words goes in as data: the guide too, which may be anybody's. */
function openingOf({ prompts }: DraftingDeps, { message, session }: Asked): readonly ModelMessage[] {
  const { guide, messages, phase } = session;
  const { action, focal, id, text } = message;
  const before = messages.filter((one) => one.id !== id).slice(-HISTORY_MAX);
  const file = guideFile(guide);
  const { categories, description, flow_type, intake, language, name, steps, tags } = file;
  const told = { name, description, flow_type, language, tags, categories, intake, steps };
  const focal_step = (steps as readonly { readonly id: string }[]).find((step) => step.id === focal);
  return [
    { role: "system", content: prompts.render("drafting") },
    ...before.map(({ role, text: content }): ModelMessage => {
      return { role: role === "person" ? "user" : "assistant", content };
    }),
    { role: "user", content: JSON.stringify({ action, phase, guide: told, focal_step, message: text }) },
  ];
}

async function wholeReply(
  model: LanguageModel,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
  onWritten?: OnWritten,
) {
  const request: ModelRequest = {
    ...{ messages, tools: [], toolChoice: "none", outputTokensMax: DRAFTING_TOKENS_MAX },
    responseFormat: REPLY_FORMAT,
  };
  let text = "";
  for await (const event of model.stream(request, signal)) {
    if (event.type !== "text") return { text, usage: event.usage };
    text = (text + event.text).slice(0, REPLY_CHARS_MAX);
    onWritten?.(text);
  }
  throw new ModelFailure("cut", "the reply had no end");
}
