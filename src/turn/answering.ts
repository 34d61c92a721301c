/**
 * The second half of a turn: the capability that was chosen drafts an answer within its limits, the gate lets through
 * what holds, and that is delivered as text or voice. The capability is told what was heard of it.
 */
import { phrasesFor } from "../answer/phrases.js";
import type { HeardReport } from "../capability/capability.js";
import { OUTCOMES } from "../domain/answer.js";
import { TurnFailure } from "../domain/failure.js";
import type { TurnEvent } from "../domain/turn.js";
import { untilAborted } from "../lib/deadline.js";
import { cautionFor } from "./caution.js";
import { TextDelivery } from "./deliver-text.js";
import { VoiceDelivery } from "./deliver-voice.js";
import type { Delivery, DeliveryResult } from "./delivery.js";
import { Gate } from "./gate.js";
import { choosePersona } from "./persona.js";
import type { PreparedTurn } from "./prepare.js";
import { SecondReader } from "./second-reader.js";
import type { Turn } from "./turn.js";

/** Rejects with `TurnFailure`, or with the signal's reason, when nothing of it reached the user. */
export async function answer(prepared: PreparedTurn, turn: Turn): Promise<DeliveryResult> {
  const { basis, choice, kind, request } = prepared;
  const { deps, line, record, signal, tell } = turn;
  const { clock, telemetry } = deps;
  const { alreadySaid, capability, chosen, context, decision, mentions, notFound, question } = choice;
  const { responseType, text, user } = request;
  const emergency = request.emergency ?? choice.emergency;
  const { locale } = basis;
  const beginByMs = armed(turn, choice);
  const delivery = newDelivery(prepared, turn);
  const persona = choosePersona(request);
  const earlyClause = responseType === "audio" && deps.earlyClause === true;
  const phrases = phrasesFor(persona, locale);
  const caution = () => cautionFor(text, user.network, locale, deps.locales);
  const { language } = locale;
  const nowMs = () => clock.now();
  const secondReader = deps.verifying && new SecondReader({ ...deps, ...deps.verifying }, user, signal);
  const said = { persona, phrases, route: decision, notFound, caution, language, earlyClause };
  const gate = new Gate(
    { question, ...said, nowMs, secondReader },
    () => clock.monotonic(),
    () => telemetry.waterfall.hold(),
  );
  const rewind = () => {
    if (line.committed(request.id) || !delivery.rewind()) return false;
    gate.rewind();
    telemetry.waterfall.rewind();
    tell({ type: "rewound" });
    return true;
  };
  const asked = { question, chosen, mentions, alreadySaid, emergency, context, persona, responseType };
  const job = { ...basis, ...asked, turn: request.id, consent: request.consent };
  const isNotOffered = notFound !== undefined;
  const draft = capability.draft({ ...job, isNotOffered, telemetry, beginByMs, rewind }, signal);
  const checked = gate.run(record.drafted(untilAborted(draft, signal)));
  const events = kind === undefined ? checked : unasked(checked);
  let report: HeardReport = { turn: request.id, heard: "", isWhole: false };
  try {
    const delivered = await delivery.run(record.watch(events));
    const { heard, lastDueMs, text } = delivered;
    report = { turn: request.id, heard, isWhole: heard === text, lastDueMs };
    telemetry.emit({ type: "stage_finished", user: request.user, stage: "gate", ms: gate.ms });
    return delivered;
  } finally {
    capability.heard?.(report);
  }
}

/** Gives the turn the time that its capability may take to begin; returns when that is over. */
function armed({ deadline, deps, startMs }: Turn, { capability }: PreparedTurn["choice"]): number {
  const { beginMs, deadlineMs = beginMs } = capability.limits;
  const beginByMs = startMs + Math.min(beginMs, deadlineMs);
  deadline.restart(beginByMs - deps.clock.monotonic());
  return beginByMs;
}

function newDelivery({ basis, choice, kind, request }: PreparedTurn, turn: Turn): Delivery {
  const { deadline, deps, line, record, signal, startMs } = turn;
  const { speechMs, deadlineMs = Number.POSITIVE_INFINITY } = choice.capability.limits;
  const job = {
    request,
    line,
    route: choice.decision.route,
    language: basis.locale.language,
    onFirst: (what: "packet" | "text") => {
      record.first(what);
      deadline.restart(Math.min(speechMs, startMs + deadlineMs - deps.clock.monotonic()));
    },
    mark: deps.telemetry.waterfall.mark,
    signal,
    kind,
  };
  if (request.responseType === "text") return new TextDelivery(deps, job);
  const { acknowledger: _, ...silent } = deps;
  // A sign that the question was heard must not come before what to do, nor where there was none.
  const isAwaited = request.emergency === undefined && kind === undefined;
  return new VoiceDelivery(isAwaited ? deps : silent, job);
}

/** Nobody has asked: it is said when all of it is checked, and not at all where nothing of it holds. */
async function* unasked(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent, void, undefined> {
  for await (const event of events) {
    if (event.type === "text" || event.type === "clause") continue;
    if (event.type === "answer") {
      const { outcome, text } = event.answer;
      const isWorthIt = OUTCOMES[outcome].states || outcome === "ambiguous";
      if (text === "" || !isWorthIt)
        throw new TurnFailure("not_found", `There is nothing to announce: ${outcome}.`);
      yield { type: "text", text };
    }
    yield event;
  }
}
