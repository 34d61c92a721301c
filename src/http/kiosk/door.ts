/**
 * The kiosk's door: the page at `/kiosk`, and what it asks for below `/kiosk/api`. A question, typed or spoken, is
 * answered as a stream of events, sound among them: an `<audio>` element that loads Ogg by itself waits for the first
 * 32 KiB in Chromium, which is ten seconds of speech.
 */
import type { Router } from "express";
import { z } from "zod";
import { hasRole } from "../../api/api-keys.js";
import { ask, type CallerAskDeps, type CallerQuestion, forget, type SpokenQuestion } from "../../api/ask.js";
import { type Identity, identityOf } from "../../api/claims.js";
import { languageField, mentionsField, parsed, sessionField, textField } from "../../api/fields.js";
import { Rejection } from "../../api/rejection.js";
import type { CallerEvent } from "../../chat/door.js";
import type { ShownRun } from "../../guide/speech/sayings.js";
import type { Locales } from "../../locale/locales.js";
import { plainError } from "../answers.js";
import { type ApiDeps, type ApiExchange, ApiRouter } from "../exchange.js";
import { eventStream, serverSent, streamReply } from "../streamed-reply.js";
import { kioskAssets } from "./assets.js";
import { Colleague } from "./colleague.js";
import type { Kiosk } from "./kiosks.js";
import type { Logo } from "./logo.js";
import { guideBody, pageEventOf } from "./page-events.js";
import { RECORDING_BODY, utteranceIn } from "./recording.js";

/** Questions that a kiosk proposes to whoever stands before it. */
export type SuggestQuestions = (
  identity: Identity,
  language: string | undefined,
  signal: AbortSignal,
) => Promise<readonly string[]>;

/** The guide that leads a kiosk. */
export interface KioskGuiding {
  /** What the page shows of it; undefined: none does, or it cannot be told now. */
  show(identity: Identity, signal: AbortSignal): Promise<ShownRun | undefined>;
  /** Nobody is there any more: its run waits until somebody resumes it, as far as that can be kept. */
  leave(identity: Identity, signal: AbortSignal): Promise<void>;
}

export interface KioskDeps extends ApiDeps<Kiosk>, CallerAskDeps {
  readonly logos: readonly Logo[];
  readonly locales: Locales;
  /** Absent: none are proposed. */
  readonly suggest?: SuggestQuestions | undefined;
  readonly guiding: KioskGuiding;
}

const askBody = z.strictObject(
  {
    text: textField,
    session: sessionField,
    language: languageField.nullish(),
    mentions: mentionsField.nullish(),
  },
  { error: "expected a JSON object" },
);
const voiceQuery = z.strictObject({ session: sessionField, language: languageField.optional() });
const forgetBody = z.strictObject({ session: sessionField }, { error: "expected a JSON object" });
const callBody = z.strictObject({}, { error: "expected an empty JSON object" });
const suggestionsQuery = z.strictObject({ language: languageField.optional() });

type KioskExchange = ApiExchange<Kiosk>;

/** Everything at and below `/kiosk`. */
export function kioskDoor(deps: KioskDeps): readonly Router[] {
  const colleague = new Colleague(deps);
  const api = new ApiRouter<Kiosk>(deps, "kiosk", plainError)
    .get("/kiosk/api/config", (exchange) => config(exchange))
    .get("/kiosk/api/suggestions", (exchange) => suggestions(exchange, deps))
    .post("/kiosk/api/ask", (exchange) => answer(exchange, written(exchange), deps))
    .postBytes("/kiosk/api/voice", RECORDING_BODY, (exchange) =>
      answer(exchange, spoken(exchange, deps), deps),
    )
    .post("/kiosk/api/forget", (exchange) => forgetSession(exchange, deps))
    .post("/kiosk/api/call", (exchange) => call(exchange, colleague, deps.locales))
    .routesWithin("/kiosk/api");
  return [kioskAssets(stringsOf(deps.locales), deps.logos), api];
}

/** The page's words, by language. */
function stringsOf(locales: Locales): Readonly<Record<string, object>> {
  return Object.fromEntries(locales.languages.map((tag) => [tag, locales.of(tag).group("kiosk")]));
}

async function config({ caller, response }: KioskExchange): Promise<void> {
  const { brand, call, idleMs, keyboard, language, languages, volume } = caller;
  const { logo, name, palette, welcome } = brand;
  // What is undefined is left out.
  response.json({
    language,
    languages,
    idle_ms: idleMs,
    keyboard,
    volume,
    brand: { name, logo: logo?.address, palette, welcome },
    call: call && { text: call.text, reaches: call.webhook !== undefined },
  });
}

async function suggestions({ caller, request, response, signal }: KioskExchange, deps: KioskDeps) {
  const { language = caller.language } = parsed(suggestionsQuery, request.query);
  const written = caller.suggestions[language ?? ""];
  const questions = written ?? (await deps.suggest?.(identityOf(caller, {}), language, signal));
  response.json({ questions: questions ?? [] });
}

/** Tells a colleague that somebody stands at this kiosk. */
async function call({ body, caller, response }: KioskExchange, colleague: Colleague, locales: Locales) {
  parsed(callBody, body);
  const { call, language, name, username } = caller;
  if (call?.webhook === undefined) throw new Rejection("not_found", "Nobody can be called from this kiosk.");
  const text = locales.of(language).say("kiosk.call_message", { kiosk: name ?? username });
  response.json({ reached: await colleague.call(caller, call.webhook, text) });
}

function written({ body, caller }: KioskExchange): CallerQuestion {
  const { language, mentions, session, text } = parsed(askBody, body);
  return { ...questionBy(caller, session, language, "text"), mentions, text };
}

function spoken({ body, caller, request }: KioskExchange, { clock }: KioskDeps): SpokenQuestion {
  const { language, session } = parsed(voiceQuery, request.query);
  const bytes = body instanceof Uint8Array ? body : new Uint8Array(0);
  return {
    ...questionBy(caller, session, language, "voice"),
    utterance: utteranceIn(bytes, clock.monotonic()),
  };
}

function questionBy(
  caller: Kiosk,
  session: string,
  language: string | null | undefined,
  via: "voice" | "text",
) {
  return {
    ...identityOf(caller, {}),
    consent: { via, isTrusted: hasRole(caller, "approve"), isShared: true },
    language: language ?? caller.language,
    responseType: "audio",
    sessionId: session,
  } as const;
}

async function forgetSession(
  { body, caller, response, signal }: KioskExchange,
  deps: KioskDeps,
): Promise<void> {
  const { session } = parsed(forgetBody, body);
  const identity = identityOf(caller, {});
  forget(deps, identity, session);
  await deps.guiding.leave(identity, signal);
  response.status(204).end();
}

/** Tells the turn as it happens. When the page goes away, or hangs up because somebody presses, the answer stops. */
async function answer(
  exchange: KioskExchange,
  question: CallerQuestion | SpokenQuestion,
  deps: KioskDeps,
): Promise<void> {
  const { caller, signal } = exchange;
  await streamReply(
    exchange,
    eventStream(deps.clock),
    async (reply) => {
      const heard: AsyncIterable<CallerEvent> = ask(deps, question, signal, { streams: false });
      let shown: string | undefined;
      for await (const one of heard) {
        const [name, data] = pageEventOf(one, caller.showSource) ?? [];
        if (name === undefined) continue;
        // A run is kept before any of it is said.
        const isSaid = name === "text" || name === "finished";
        const guide = isSaid ? await deps.guiding.show(question, signal) : undefined;
        const now = guide && JSON.stringify(guideBody(guide));
        if (now !== undefined && now !== shown) await reply.write(serverSent(now, "guide"));
        shown = now ?? shown;
        await reply.write(serverSent(JSON.stringify(data), name));
      }
    },
    (rejection) => serverSent(JSON.stringify(plainError(rejection)), "failed"),
  );
}
