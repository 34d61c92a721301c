/**
 * The story of one turn: a message is understood and admitted, what the chat remembers is narrowed to what this turn
 * may read, a capability drafts an answer, the gate lets through what holds, and that is delivered as text or voice.
 * Whatever happens, the user gets exactly one outcome: an answer, a fallback, or an error.
 */
import { phrasesFor } from "../answer/phrases.js";
import type { Persona } from "../answer/port.js";
import { TurnFailure } from "../domain/failure.js";
import type { HeardRequest, HistoryEntry, TurnEvent, TurnRequest } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import type { Guard } from "../guard/port.js";
import { abortable, Deadline, DeadlineExceeded, untilAborted } from "../lib/deadline.js";
import type { Locale } from "../locale/locale.js";
import type { Locales } from "../locale/locales.js";
import type { Retrieval } from "../retrieval/port.js";
import { type GroupSources, turnAccess, urgentAccess } from "./access.js";
import { admit } from "./admit.js";
import { cautionFor, withCaution } from "./caution.js";
import { TextDelivery } from "./deliver-text.js";
import { VoiceDelivery } from "./deliver-voice.js";
import { type DeliveryDeps, type DeliveryJob, requestIdOf } from "./delivery.js";
import { Gate } from "./gate.js";
import { turnLanguage } from "./language.js";
import { type Line, UserGone } from "./line.js";
import { TurnMeter } from "./meter.js";
import { choosePersona } from "./persona.js";
import { recall, shortLines } from "./recall.js";
import { TurnRecorder } from "./record.js";
import { type Choice, chooseCapability, emergencyChoice, type RouteDeps } from "./route.js";
import { type Understood, understand } from "./understand.js";
import { TurnWaterfall } from "./waterfall.js";

/** From leaving the mailbox to the first packet or the text. */
export const TURN_MS_MAX = 20_000;

/** From the first packet to the end of the answer: its audio, with room for underruns and a change of relay. */
export const SPEECH_MS_MAX = 180_000;

export interface TurnDeps extends DeliveryDeps, RouteDeps {
  readonly retrieval: Retrieval;
  readonly groups: GroupSources;
  readonly guard?: Guard;
  readonly locales: Locales;
  /** Whether the voice of the first clause is made ready while its sentence is still being written. */
  readonly earlyClause?: boolean;
}

/**
 * Runs one turn to its end and returns what the chat will remember of it. `stop` aborts with a `TurnFailure` when the
 * user or the service stops it; `receivedMs` (monotonic) is when the request came in. Never rejects.
 */
export async function runTurn(
  asked: TurnRequest | HeardRequest,
  history: readonly HistoryEntry[],
  line: Line,
  deps: TurnDeps,
  stop: AbortSignal,
  receivedMs = deps.clock.monotonic(),
): Promise<readonly HistoryEntry[]> {
  const { clock } = deps;
  const waterfall = new TurnWaterfall(clock, receivedMs);
  waterfall.mark("started");
  const telemetry = new TurnMeter(deps.telemetry, waterfall);
  const metered = { ...deps, telemetry };
  const beginByMs = clock.monotonic() + TURN_MS_MAX;
  const deadline = new Deadline(clock, "the answer", TURN_MS_MAX, stop);
  const { signal } = deadline;
  const tell = (event: TurnEvent) => line.observe(asked.id, event);
  const record = new TurnRecorder(asked, metered, tell);
  try {
    const request = await understand(asked, line, tell, signal);
    record.understood(request);
    if ("words" in asked) waterfall.mark("transcribed");
    const { choice, ...basis } = await prepare(request, history, record, metered, signal);
    const { capability, context, decision } = choice;
    const { locale } = basis;
    record.routed(decision);

    const { text: question, responseType } = request;
    const persona = choosePersona(request);
    const onFirst = (what: "packet" | "text") => {
      record.first(what);
      deadline.restart(SPEECH_MS_MAX);
    };
    const { route } = decision;
    const told = { request, line, route, language: locale.language, onFirst, signal };
    const delivery = newDelivery(metered, { ...told, mark: waterfall.mark });
    const gate = newGate({ ...choice, request, persona, locale }, metered, waterfall);
    const rewind = () => {
      if (line.committed(request.id) || !delivery.rewind()) return false;
      gate.rewind();
      waterfall.rewind();
      tell({ type: "rewound" });
      return true;
    };
    const job = { ...basis, question, persona, responseType, context };
    const draft = capability({ ...job, telemetry, beginByMs, rewind }, signal);
    const events = gate.run(waterfall.watch(untilAborted(draft, signal)));

    const delivered = await delivery.run(record.watch(events));
    telemetry.emit({ type: "stage_finished", user: asked.user, stage: "gate", ms: gate.ms });
    return record.delivered(delivered);
  } catch (error) {
    const failure = withCaution(asTurnFailure(error), asked, deps.locales, record.question);
    await tellFailure(failure, asked, line, stop);
    return record.failed(failure);
  } finally {
    deadline.end(new Error("the turn is over"));
  }
}

/** What a draft rests on. */
interface Prepared {
  readonly access: Access;
  readonly history: readonly HistoryEntry[];
  readonly language: string | undefined;
  readonly locale: Locale;
  readonly choice: Choice;
}

/** Finds out who may read what, and who drafts the answer. An emergency waits for no guard, no memory and no router. */
async function prepare(
  request: Understood,
  history: readonly HistoryEntry[],
  record: TurnRecorder,
  deps: TurnDeps,
  signal: AbortSignal,
): Promise<Prepared> {
  const { locales, retrieval, telemetry } = deps;
  const { emergency, user } = request;
  const lines = shortLines(history, user, telemetry);
  if (emergency !== undefined) {
    const access = await urgentAccess(request, deps, signal);
    const heard = { ...request, heardLanguage: emergency.language };
    const { language, locale } = turnLanguage(heard, lines, locales);
    const choice = emergencyChoice(emergency, deps);
    return { access, history: record.remember([]), language, locale, choice };
  }
  await abortable(admit(request, deps, signal), signal);
  const access = await abortable(turnAccess(request, deps, signal), signal);
  const remembered = record.remember(await abortable(recall(lines, access, retrieval, signal), signal));
  const { language, locale } = turnLanguage(request, remembered, locales);
  const choice = await abortable(chooseCapability(request, remembered, locale, deps, signal), signal);
  return { access, history: remembered, language, locale, choice };
}

interface Gated extends Choice {
  readonly request: Understood;
  readonly persona: Persona;
  readonly locale: Locale;
}

function newGate(
  { decision, locale, notFound, persona, request }: Gated,
  { clock, earlyClause, locales }: TurnDeps,
  waterfall: TurnWaterfall,
): Gate {
  const { responseType, text: question, user } = request;
  const job = {
    question,
    persona,
    phrases: phrasesFor(persona, locale),
    route: decision,
    notFound,
    caution: () => cautionFor(question, user.network, locale, locales),
    language: locale.language,
    earlyClause: responseType === "audio" && earlyClause === true,
    nowMs: () => clock.now(),
  };
  return new Gate(
    job,
    () => clock.monotonic(),
    () => waterfall.hold(),
  );
}

function newDelivery(
  deps: TurnDeps,
  job: DeliveryJob & { request: Understood },
): TextDelivery | VoiceDelivery {
  if (job.request.responseType === "text") return new TextDelivery(deps, job);
  const { acknowledger: _, ...silent } = deps;
  // A sign that the question was heard must not come before what to do.
  return new VoiceDelivery(job.request.emergency === undefined ? deps : silent, job);
}

/** Waits for an absent user once, and not at all when the turn was stopped; who does not turn up cannot be told. */
async function tellFailure(
  failure: TurnFailure,
  request: { readonly requestId?: string },
  line: Line,
  stop: AbortSignal,
): Promise<void> {
  const { code, message } = failure;
  const frame = { type: "error", code, error: message, ...requestIdOf(request) } as const;
  if (failure.cause instanceof UserGone) {
    line.send(frame);
    return;
  }
  try {
    await line.deliver(frame, stop);
  } catch (error) {
    if (!(error instanceof UserGone || stop.aborted)) throw error;
  }
}

function asTurnFailure(error: unknown): TurnFailure {
  if (error instanceof TurnFailure) return error;
  const cause = { cause: error };
  if (error instanceof DeadlineExceeded)
    return new TurnFailure("timeout", "That took too long. Try again.", cause);
  return new TurnFailure(
    "assistant_unavailable",
    "The assistant cannot answer now. Try again in a moment.",
    cause,
  );
}
