/**
 * `POST /api/v1/answers`: one question, asked as a relay would, and everything that is known of its answer; as one JSON
 * object, or with `Accept: text/event-stream` as it happens.
 */
import { z } from "zod";
import { hasRole } from "../api/api-keys.js";
import { ask, type CallerAskDeps, type CallerQuestion } from "../api/ask.js";
import { identityOf } from "../api/claims.js";
import {
  assertKnownRoute,
  attachmentFields,
  featuresField,
  groupsField,
  languageField,
  mentionsField,
  modeField,
  networkField,
  parsed,
  routeField,
  sessionField,
  textField,
  usernameField,
} from "../api/fields.js";
import { answerIn } from "../api/outcome.js";
import type { Rejection } from "../api/rejection.js";
import { type CallerEvent, type HeardAnswer, HeardCollector, hearAll } from "../chat/door.js";
import { isWaiting } from "../domain/operation.js";
import type { ToolStep, TurnEvent } from "../domain/turn.js";
import type { OutletFrame } from "../turn/outlet.js";
import { answerBody, costsBody, passageBody, routeBody } from "./answer-body.js";
import { approvalNeeded } from "./approvals/body.js";
import { type ApiDeps, type ApiExchange, ApiRouter } from "./exchange.js";
import { eventStream, serverSent, streamReply } from "./streamed-reply.js";

/** Lines of history that are read; of these, as many count as a chat remembers. */
const HISTORY_LINES_MAX = 1_000;

const requestBody = z.strictObject(
  {
    network: networkField.nullish(),
    username: usernameField.nullish(),
    groups: groupsField.nullish(),
    text: textField,
    mode: modeField.nullish(),
    features: featuresField.nullish(),
    response_type: z.enum(["text", "audio"], { error: 'expected "text" or "audio"' }).nullish(),
    language: languageField.nullish(),
    route: routeField.nullish(),
    mentions: mentionsField.nullish(),
    session_id: sessionField.nullish(),
    history: z
      .array(
        z.strictObject(
          {
            role: z.enum(["user", "assistant"], { error: 'expected "user" or "assistant"' }),
            text: z.string({ error: "expected what was said" }),
          },
          { error: "expected an object {role, text}" },
        ),
        { error: "expected a list of objects {role, text}" },
      )
      .max(HISTORY_LINES_MAX, { error: `expected at most ${HISTORY_LINES_MAX} lines` })
      .nullish(),
    context: z
      .strictObject(attachmentFields, {
        error:
          "expected an object {editor_content, selected_text, extra_context, extra_context_age_s, user_info}",
      })
      .nullish(),
  },
  { error: "expected a JSON object" },
);

/** Errors of the API that is our own. */
export function plainError({ code, field, message }: Rejection): object {
  return { error: { code, message, ...(field === undefined ? {} : { field }) } };
}

export function answersDoor(deps: ApiDeps & CallerAskDeps) {
  return new ApiRouter(deps, "answers", plainError)
    .post("/api/v1/answers", (exchange) => answer(exchange, deps))
    .routes();
}

async function answer(exchange: ApiExchange, deps: ApiDeps & CallerAskDeps): Promise<void> {
  const { request, response, signal } = exchange;
  const question = questionOf(exchange, deps);
  if (request.accepts("application/json", "text/event-stream") === "text/event-stream") {
    await streamEvents(exchange, question, deps);
    return;
  }
  const heard = await hearAll(ask(deps, question, signal, { streams: false }), signal);
  response.json(answerBody(heard));
}

function questionOf({ body, caller }: ApiExchange, { routes }: CallerAskDeps): CallerQuestion {
  const { features, groups, mode, network, response_type, session_id, username, ...rest } = parsed(
    requestBody,
    body,
  );
  assertKnownRoute(rest.route, "route", routes);
  const identity = identityOf(caller, { network, username, groups, features, mode });
  const isShared = caller.username === undefined;
  const consent = { via: "http", isTrusted: hasRole(caller, "approve"), isShared } as const;
  return { ...rest, ...identity, consent, responseType: response_type ?? "text", sessionId: session_id };
}

/** Tells the turn as it happens. The answer may start over (`rewound`), as on the radio before the first sound. */
async function streamEvents(
  exchange: ApiExchange,
  question: CallerQuestion,
  deps: ApiDeps & CallerAskDeps,
): Promise<void> {
  const { ended, signal } = exchange;
  const collected = new HeardCollector();
  await streamReply(
    exchange,
    eventStream(deps.clock),
    async (reply) => {
      for await (const heard of ask(deps, question, signal, { streams: false })) {
        collected.add(heard);
        if (heard.type === "event" && heard.event.type === "finished") {
          const whole = {
            report: heard.event.report,
            audio: collected.audio,
            operation: collected.operation,
          };
          const { failure } = whole.report;
          // A refusal that comes first has a status of its own.
          if (failure !== undefined && !reply.begun) answerIn(whole.report);
          if (failure !== undefined) ended(failure.code);
          await reply.write(serverSent(JSON.stringify(finishedBody(whole)), "finished"));
        } else {
          const [name, data] = eventOf(heard) ?? [];
          if (name !== undefined) await reply.write(serverSent(JSON.stringify(data), name));
        }
      }
    },
    (rejection) => serverSent(JSON.stringify(plainError(rejection)), "finished"),
  );
}

function finishedBody(heard: HeardAnswer): object {
  const { failure } = heard.report;
  if (failure === undefined) return answerBody(heard);
  return { error: { code: failure.code, message: failure.error }, ...costsBody(heard.report) };
}

/** Name and data of an event that is worth telling before the end. */
function eventOf(heard: CallerEvent): readonly [name: string, data: object] | undefined {
  return heard.type === "event" ? turnEvent(heard.event) : frameEvent(heard.frame);
}

function turnEvent(event: TurnEvent): readonly [string, object] | undefined {
  switch (event.type) {
    case "routed":
      return ["routed", routeBody(event.decision)];
    case "queries":
      return ["queries", { search_queries: event.queries }];
    case "passages":
      return ["passages", { passages: event.passages.map(passageBody) }];
    case "step":
      return ["step", stepBody(event)];
    case "proposed":
      return isWaiting(event.operation) ? ["approval_needed", approvalNeeded(event.operation)] : undefined;
    case "text":
      return ["text", { text: event.text }];
    case "rewound":
      return ["rewound", {}];
    default:
      return undefined; // The whole answer is in `finished`.
  }
}

/** A system of the site that was asked, in the names of the wire. */
function stepBody({ evidence, ms, ok, target, tool }: ToolStep): object {
  const told = evidence.map(({ ageMs, ...value }) => ({ ...value, age_ms: ageMs }));
  return { tool, ...(target === undefined ? {} : { target }), ok, ms, evidence: told };
}

function frameEvent(frame: OutletFrame): readonly [string, object] | undefined {
  switch (frame.type) {
    case "message":
      return ["voice", { sample_rate_hz: frame.shape.sampleRateHz, packet_ms: frame.shape.packetMs }];
    case "audio":
      return ["packet", { pid: frame.pid, data: Buffer.from(frame.packet).toString("base64") }];
    default:
      return undefined; // Said by an event.
  }
}
