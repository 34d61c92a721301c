/**
 * `/api/v1/guide_sessions/{id}/rehearsal`: the guide of a session as its worker would hear it, as text and as a voice. Each
 * request holds all that was said so far: nothing is kept, read of a site or operated.
 */
import { z } from "zod";
import { hasRole } from "../../api/api-keys.js";
import { whoFields } from "../../api/fields.js";
import { rehearsedEvent, WORKER } from "../../guide/rehearsed-event.js";
import { nameOf } from "../../guide/run/places.js";
import type { Stepped } from "../../guide/run/run.js";
import { beginRun, stepRun } from "../../guide/run/stepper.js";
import { indexGuide } from "../../guide/schema/graph.js";
import type { Guide } from "../../guide/schema/guide.js";
import { sentencesOf, shownRun } from "../../guide/speech/sayings.js";
import { withDeadline } from "../../lib/deadline.js";
import type { Locale } from "../../locale/locale.js";
import type { Locales } from "../../locale/locales.js";
import type { TextToSpeech } from "../../speech/port.js";
import { speechFile } from "../../speech/speech-file.js";
import { isOver } from "../../store/guide-runs.js";
import { spokenWords } from "../../turn/spoken-words.js";
import { plainError } from "../answers.js";
import { type ApiDeps, type ApiExchange, ApiRouter } from "../exchange.js";
import { type BuildingDoor, idIn, refused, taken } from "../guide-sessions/door.js";

export interface RehearsalDeps extends ApiDeps {
  readonly building: BuildingDoor;
  readonly locales: Locales;
  readonly speech: TextToSpeech;
}

/** Lines of one dry run, and UTF-16 units of each. */
const LINES_MAX = 1_000;
const LINE_CHARS_MAX = 2_000;
/** What is heard at once is spoken within this time, in milliseconds, or not at all. */
const VOICE_MS_MAX = 30_000;

const rehearsed = whoFields.extend({
  said: z
    .array(z.string({ error: "expected what the worker says" }).max(LINE_CHARS_MAX), {
      error: "expected a list of what the worker said so far; an empty text is `done`",
    })
    .max(LINES_MAX, { error: `expected at most ${LINES_MAX} lines` })
    .default([]),
  voice: z.boolean({ error: "expected true or false" }).default(false),
});

export function rehearsalDoor(deps: RehearsalDeps) {
  return new ApiRouter(deps, "guides", plainError)
    .post("/api/v1/guide_sessions/:id/rehearsal", (exchange) => rehearse(exchange, deps).catch(refused))
    .routes();
}

async function rehearse(exchange: ApiExchange, deps: RehearsalDeps): Promise<void> {
  const reviews = hasRole(exchange.caller, "approve");
  const role = hasRole(exchange.caller, "author") || !reviews ? "author" : "approve";
  const { access, asked, builder, signal } = await taken(exchange, deps, role, rehearsed);
  const { guide } = await builder.get(idIn(exchange), access, signal, reviews);
  const locale = deps.locales.of(guide.language);
  const { says, shown, stepped } = played(guide, asked.said, deps.clock.now(), locale);
  const audio = asked.voice ? await spoken(says, guide, deps, signal) : undefined;
  exchange.response.json({
    says,
    at: nameOf(stepped.run.place),
    waits_for: stepped.run.asks?.type,
    over: isOver(stepped.run),
    can_say: shown,
    audio: audio && Buffer.from(audio).toString("base64"),
  });
}

/** The run after all that was said, and what is heard then. */
function played(guide: Guide, said: readonly string[], atMs: number, locale: Locale) {
  const index = indexGuide(guide);
  const heard = { type: "heard", atMs, by: WORKER } as const;
  let stepped: Stepped = beginRun(index, { atMs, by: WORKER });
  for (const line of said) {
    if (isOver(stepped.run)) break;
    const { run } = stepRun(index, stepped.run, heard);
    stepped = stepRun(index, run, { ...rehearsedEvent(line.trim(), index, run), atMs });
  }
  const { run } = stepped;
  const says = stepped.says.flatMap((saying) => sentencesOf(index, run, saying, locale));
  return { stepped, says, shown: shownRun(index, run, locale).canSay };
}

/** In the voice that answers are spoken in; undefined: it cannot speak now. */
async function spoken(
  says: readonly string[],
  { language }: Guide,
  { clock, speech, telemetry }: RehearsalDeps,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const words = says.map((text) => spokenWords(text, language)).filter((text) => text !== "");
  if (words.length === 0) return undefined;
  return withDeadline(clock, "the voice of a dry run", VOICE_MS_MAX, signal, (within) =>
    speechFile(speech, words, language, within),
  ).catch((error: unknown) => {
    signal.throwIfAborted();
    telemetry.emit({ type: "service_fault", where: "the voice of a dry run", error: String(error) });
    return undefined;
  });
}
