/**
 * The door to suggested questions and summaries, `GET /api/v1/suggested_questions` and `POST /api/v1/summaries`: the same
 * rules hold as for a relay's user. In metrics it is called `extras`.
 */
import { z } from "zod";
import { presentFields, SESSION_PREFIX } from "../api/ask.js";
import { identityOf } from "../api/claims.js";
import { askerFields, parsed, sessionField, textField } from "../api/fields.js";
import { Rejection } from "../api/rejection.js";
import type { ChatRegistry } from "../chat/registry.js";
import type { Overview, OverviewRequest, SummarySubject } from "../turn/overview.js";
import { plainError } from "./answers.js";
import { type ApiDeps, type ApiExchange, ApiRouter } from "./exchange.js";

export interface OverviewDoorDeps extends ApiDeps {
  readonly chats: ChatRegistry;
  readonly overview: Overview;
}

/** Questions at the most, and without a word about it: as over the relays' protocol. */
const COUNT_MAX = 32;

const DOCUMENT_CHARS_MAX = 1_024;

const query = z.strictObject({
  ...askerFields,
  count: z.coerce
    .number({ error: `expected a whole number from 1 to ${COUNT_MAX}` })
    .int({ error: `expected a whole number from 1 to ${COUNT_MAX}` })
    .min(1, { error: `expected a whole number from 1 to ${COUNT_MAX}` })
    .max(COUNT_MAX, { error: `expected a whole number from 1 to ${COUNT_MAX}` })
    .optional(),
});

const body = z.strictObject(
  {
    ...askerFields,
    text: textField.nullish(),
    document: textField.max(DOCUMENT_CHARS_MAX, { error: "expected a document's title or id" }).nullish(),
    session_id: sessionField.nullish(),
  },
  { error: "expected a JSON object" },
);

export function overviewDoor(deps: OverviewDoorDeps) {
  return new ApiRouter(deps, "extras", plainError)
    .get("/api/v1/suggested_questions", (exchange) => suggest(exchange, deps))
    .post("/api/v1/summaries", (exchange) => summarize(exchange, deps))
    .routes();
}

async function suggest(
  { caller, request, response, signal }: ApiExchange,
  { overview }: OverviewDoorDeps,
): Promise<void> {
  const { count, ...who } = parsed(query, request.query);
  const asked = requestOf(caller, who);
  response.json({ questions: await overview.suggest(asked, signal, count) });
}

async function summarize(exchange: ApiExchange, { chats, overview }: OverviewDoorDeps): Promise<void> {
  const { caller, response, signal } = exchange;
  const { document, session_id, text, ...who } = parsed(body, exchange.body);
  const named = [document, session_id, text].filter((one) => one != null);
  if (named.length !== 1)
    throw new Rejection("bad_parameter", 'Send one of "text", "document" and "session_id".', "text");
  const asked = requestOf(caller, who);
  const subject: SummarySubject =
    text != null
      ? { type: "text", text }
      : document != null
        ? { type: "document", name: document }
        : {
            type: "chat",
            history: chats.find(asked.user, `${SESSION_PREFIX}${session_id}`)?.remembered ?? [],
          };
  response.json({ summary: await overview.summarize(asked, subject, signal) });
}

type Who = { [K in keyof typeof askerFields]?: z.output<(typeof askerFields)[K]> };

function requestOf(caller: ApiExchange["caller"], { language, ...claims }: Who): OverviewRequest {
  return { ...identityOf(caller, claims), ...presentFields({ language }) };
}
