/**
 * The kiosk's door: the page at `/kiosk`, and what it asks for below `/kiosk/api`. A question, typed or spoken, is
 * answered as a stream of events, sound among them: an `<audio>` element that loads Ogg by itself waits for the first
 * 32 KiB in Chromium, which is ten seconds of speech.
 */
import type { Router } from "express";
import { z } from "zod";
import type { Heard } from "../../chat/door.js";
import { type AskDeps, ask, forget, type Question, type SpokenQuestion } from "../../door/ask.js";
import { type Identity, identityOf } from "../../door/claims.js";
import { languageField, parsed, sessionField, textField } from "../../door/fields.js";
import type { Locales } from "../../locale/locales.js";
import { plainError } from "../answers.js";
import { type ApiDeps, ApiRouter, type Exchange } from "../exchange.js";
import { eventStream, serverSent, streamReply } from "../streamed-reply.js";
import { kioskAssets } from "./assets.js";
import type { Kiosk } from "./kiosks.js";
import { RECORDING_BODY, utteranceIn } from "./recording.js";
import { toldOf } from "./told.js";

/** Questions that a kiosk proposes to whoever stands before it. */
export type SuggestQuestions = (
  identity: Identity,
  language: string | undefined,
  signal: AbortSignal,
) => Promise<readonly string[]>;

export interface KioskDeps extends ApiDeps<Kiosk>, AskDeps {
  readonly locales: Locales;
  /** Absent: none are proposed. */
  readonly suggest?: SuggestQuestions | undefined;
}

const askBody = z.strictObject(
  { text: textField, session: sessionField, language: languageField.nullish() },
  { error: "expected a JSON object" },
);
const voiceQuery = z.strictObject({ session: sessionField, language: languageField.optional() });
const forgetBody = z.strictObject({ session: sessionField }, { error: "expected a JSON object" });
const suggestionsQuery = z.strictObject({ language: languageField.optional() });

type KioskExchange = Exchange<Kiosk>;

/** Everything at and below `/kiosk`. */
export function kioskDoor(deps: KioskDeps): readonly Router[] {
  const api = new ApiRouter<Kiosk>(deps, "kiosk", plainError)
    .get("/kiosk/api/config", (exchange) => config(exchange))
    .get("/kiosk/api/suggestions", (exchange) => suggestions(exchange, deps))
    .post("/kiosk/api/ask", (exchange) => answer(exchange, written(exchange), deps))
    .postBytes("/kiosk/api/voice", RECORDING_BODY, (exchange) => answer(exchange, spoken(exchange), deps))
    .post("/kiosk/api/forget", (exchange) => forgetSession(exchange, deps))
    .routesWithin("/kiosk/api");
  return [kioskAssets(stringsOf(deps.locales)), api];
}

/** The page's words, by language. */
function stringsOf(locales: Locales): Readonly<Record<string, object>> {
  return Object.fromEntries(locales.languages.map((tag) => [tag, locales.of(tag).group("kiosk")]));
}

async function config({ caller, response }: KioskExchange): Promise<void> {
  response.json({
    ...(caller.language === undefined ? {} : { language: caller.language }),
    languages: caller.languages,
    idle_ms: caller.idleMs,
  });
}

async function suggestions({ caller, request, response, signal }: KioskExchange, deps: KioskDeps) {
  const { language = caller.language } = parsed(suggestionsQuery, request.query);
  const questions = await deps.suggest?.(identityOf(caller, {}), language, signal);
  response.json({ questions: questions ?? [] });
}

function written({ body, caller }: KioskExchange): Question {
  const { language, session, text } = parsed(askBody, body);
  return { ...questionBy(caller, session, language), text };
}

function spoken({ body, caller, request }: KioskExchange): SpokenQuestion {
  const { language, session } = parsed(voiceQuery, request.query);
  const bytes = body instanceof Uint8Array ? body : new Uint8Array(0);
  return { ...questionBy(caller, session, language), utterance: utteranceIn(bytes) };
}

function questionBy(caller: Kiosk, session: string, language: string | null | undefined) {
  return {
    ...identityOf(caller, {}),
    language: language ?? caller.language,
    responseType: "audio",
    sessionId: session,
  } as const;
}

async function forgetSession({ body, caller, response }: KioskExchange, deps: KioskDeps): Promise<void> {
  const { session } = parsed(forgetBody, body);
  forget(deps, identityOf(caller, {}), session);
  response.status(204).end();
}

/** Tells the turn as it happens. When the page goes away, or hangs up because somebody presses, the answer stops. */
async function answer(
  exchange: KioskExchange,
  question: Question | SpokenQuestion,
  deps: KioskDeps,
): Promise<void> {
  const { caller, signal } = exchange;
  await streamReply(
    exchange,
    eventStream(deps.clock),
    async (reply) => {
      const heard: AsyncIterable<Heard> = ask(deps, question, signal, { streams: false });
      for await (const one of heard) {
        const [name, data] = toldOf(one, caller.showSource) ?? [];
        if (name !== undefined) await reply.write(serverSent(JSON.stringify(data), name));
      }
    },
    (rejection) => serverSent(JSON.stringify(plainError(rejection)), "failed"),
  );
}
