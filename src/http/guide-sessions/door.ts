/**
 * `/api/v1/guide_sessions`: guides are built by conversation and by hand, reviewed by a second person, published and
 * withdrawn. Each change says which version of the session it was made on; on another one nothing is changed.
 */
import { z } from "zod";
import { assertRole, hasRole } from "../../api/api-keys.js";
import { type Identity, identityOf } from "../../api/claims.js";
import { parsed, textField, whoFields } from "../../api/fields.js";
import { Rejection } from "../../api/rejection.js";
import { TurnFailure } from "../../domain/failure.js";
import type { HistoryEntry } from "../../domain/turn.js";
import type { Access } from "../../domain/user.js";
import type { EventFor, GuideBuilder, SaidMessage, Seen } from "../../guide/builder/builder.js";
import { DESCRIBED_BY_MODEL, type Patch, patchesSchema } from "../../guide/builder/patch.js";
import { reviewOf } from "../../guide/builder/review.js";
import {
  BUILDER_ACTIONS,
  type BuilderSession,
  movesTo,
  type SessionEvent,
  SessionRefused,
} from "../../guide/builder/session.js";
import { guideOrFlow } from "../../guide/exchange/import-flow.js";
import type { Fields } from "../../guide/exchange/shapes.js";
import { guideFile } from "../../guide/schema/read-guide.js";
import { FLOW_TYPES, LANGUAGES } from "../../guide/schema/schema.js";
import type { Role } from "../../lib/role.js";
import { UsageProblem } from "../../lib/usage-problem.js";
import { StoreUnusable } from "../../store/dead-letters.js";
import { plainError } from "../answers.js";
import { type ApiDeps, type ApiExchange, ApiRouter, type Operation } from "../exchange.js";
import { sessionBody, sessionSummary } from "./body.js";
import { streamedTurn } from "./streamed-turn.js";

/** What the door needs to know of sessions. */
export interface BuildingDoor {
  readonly builder: GuideBuilder;
  /** What this person may know of, directories of groups asked. Rejects with `TurnFailure`. */
  access(identity: Identity, signal: AbortSignal): Promise<Access>;
  /** What somebody's chat remembers that they may read now; without `session`, the one that they have with the relays. */
  remembered(
    access: Access,
    session: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly HistoryEntry[]>;
}

interface BuildingDoorDeps extends ApiDeps {
  readonly building: BuildingDoor;
}

/** Of a message, in UTF-16 units: a finished conversation can be handed over too. */
const SAID_CHARS_MAX = 20_000;
const NAME_CHARS_MAX = 200;

const idField = z.string({ error: "expected an id" }).min(1).max(NAME_CHARS_MAX);
const saidField = textField.max(SAID_CHARS_MAX, { error: `expected at most ${SAID_CHARS_MAX} characters` });
const onVersion = whoFields.extend({
  version: z.int({ error: "expected the version of the session that you have seen" }).min(1),
});
const listed = whoFields.extend({ to_review: z.enum(["true", "false"]).optional() });
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `expected one of ${values.join(", ")}` });
const begun = whoFields.extend({
  name: textField.max(NAME_CHARS_MAX).optional(),
  flow_type: oneOf(FLOW_TYPES).default("procedural"),
  language: oneOf(LANGUAGES).default("en"),
  from: idField.optional(),
  prompt: saidField.optional(),
  chat: z.union([z.literal(true), idField], { error: "expected true, or a session_id" }).optional(),
});
const messaged = onVersion.extend({
  text: saidField,
  action_type: oneOf(BUILDER_ACTIONS).default("open_chat"),
  focal_step_id: idField.optional(),
  guide: z.record(z.string(), z.unknown(), { error: "expected the guide as the editor has it" }).optional(),
});
const patched = onVersion.extend({ patches: patchesSchema.min(1, { error: "expected at least one patch" }) });
const resolved = onVersion.extend({
  resolution: z.enum(["accepted", "dismissed"], { error: "expected accepted or dismissed" }),
});

export function guideSessionsDoor(deps: BuildingDoorDeps) {
  const at = (operation: (exchange: ApiExchange, deps: BuildingDoorDeps) => Promise<void>): Operation => {
    return (exchange) => operation(exchange, deps).catch(refused);
  };
  const root = "/api/v1/guide_sessions";
  return new ApiRouter(deps, "guides", plainError)
    .get(root, at(list))
    .post(root, at(begin))
    .get(`${root}/:id`, at(show))
    .post(`${root}/:id/messages`, at(say))
    .post(`${root}/:id/patches`, at(patch))
    .post(`${root}/:id/suggestions/:suggestion`, at(resolve))
    .post(`${root}/:id/undo`, at(undo))
    .post(`${root}/:id/review`, at(review))
    .post(`${root}/:id/approve`, at(approve))
    .post(`${root}/:id/publish`, at(publish))
    .post(`${root}/:id/withdraw`, at(withdraw))
    .routes();
}

export function refused(error: unknown): never {
  if (error instanceof SessionRefused || error instanceof TurnFailure)
    throw new Rejection(error.code, error.message);
  if (error instanceof UsageProblem) throw new Rejection("bad_parameter", error.message, "guide");
  if (error instanceof StoreUnusable)
    throw new Rejection(
      "assistant_unavailable",
      "Sessions cannot be kept now, so nothing has changed. Try again in a moment.",
    );
  throw error;
}

/** What is asked for, by a caller with this role, and what the person may know of whom it speaks for. */
export async function taken<S extends typeof whoFields>(
  { body, caller, request, signal }: ApiExchange,
  { building }: Pick<BuildingDoorDeps, "building">,
  role: Role,
  schema: S,
) {
  assertRole(caller, role);
  const asked = parsed(schema, request.method === "GET" ? request.query : body);
  const { groups, network, username } = asked;
  const access = await building.access(identityOf(caller, { groups, network, username }), signal);
  return { access, asked, builder: building.builder, signal };
}

export function idIn({ request }: ApiExchange): string {
  return parsed(idField, request.params.id);
}

function send({ response }: ApiExchange, builder: GuideBuilder, session: BuilderSession, more: object = {}) {
  response.json({ ...sessionBody(session, builder.messagesLeft(session)), ...more });
}

async function list(exchange: ApiExchange, deps: BuildingDoorDeps): Promise<void> {
  const reviews = exchange.request.query.to_review === "true";
  const { access, builder, signal } = await taken(exchange, deps, reviews ? "approve" : "author", listed);
  const sessions = await builder.list(access, signal, reviews);
  exchange.response.json({ guide_sessions: sessions.map(sessionSummary) });
}

/**
 * With a `prompt` all of the guide is drafted at once, as far as a model can; without a model it answers the first question. Of
 * a `chat` the steps that documents say come first, then what a model makes of what the person said there.
 */
async function begin(exchange: ApiExchange, deps: BuildingDoorDeps): Promise<void> {
  const { access, asked, builder, signal } = await taken(exchange, deps, "author", begun);
  const { chat: of, flow_type: flowType, from, language } = asked;
  const session_id = of === true ? undefined : of;
  const chat = of === undefined ? undefined : await deps.building.remembered(access, session_id, signal);
  if (chat?.length === 0)
    throw new Rejection(
      "not_found",
      "There is no such chat of this person, or nothing is left of it.",
      "chat",
    );
  const people = chat?.flatMap(({ role, text }) => (role === "user" ? text : [])).join("\n");
  const prompt = asked.prompt ?? (builder.drafts ? people?.slice(0, SAID_CHARS_MAX) : undefined);
  const [firstWords = ""] = asked.prompt?.trim().split(/[\n.!?]/) ?? [];
  const name = asked.name ?? firstWords.slice(0, NAME_CHARS_MAX);
  if (from === undefined && name === "")
    throw new Rejection(
      "missing_parameter",
      '"name" is missing: expected what people call the guide.',
      "name",
    );
  const session = await builder.create({ name, flowType, language, from, chat }, access, signal);
  exchange.response.status(201).location(`/api/v1/guide_sessions/${session.id}`);
  if (prompt === undefined) return send(exchange, builder, session);
  await answer(exchange, deps, { ...session, access, signal }, { text: prompt, action: "generate_full" });
}

async function show(exchange: ApiExchange, deps: BuildingDoorDeps): Promise<void> {
  const reviews = hasRole(exchange.caller, "approve");
  const { access, builder, signal } = await taken(exchange, deps, reviews ? "approve" : "author", whoFields);
  send(exchange, builder, await builder.get(idIn(exchange), access, signal, reviews));
}

/** The guide as the editor has it comes first: what differs is a change of this person. */
async function say(exchange: ApiExchange, deps: BuildingDoorDeps): Promise<void> {
  const { access, asked, builder, signal } = await taken(exchange, deps, "author", messaged);
  const { action_type: action, focal_step_id: focal, guide: live, text, version } = asked;
  const seen = { id: idIn(exchange), version, access, signal };
  const edit: EventFor = (session, by) => patchedBy(by, live ? livePatches(live, session) : []);
  const { version: now } = live ? await builder.change(seen, edit) : seen;
  await answer(exchange, deps, { ...seen, version: now }, { text, action, focal });
}

/** Tells what came of a message: while it is written, where that is wanted. */
async function answer(
  exchange: ApiExchange,
  { building: { builder }, clock }: BuildingDoorDeps,
  seen: Seen,
  said: SaidMessage,
): Promise<void> {
  const told = async (onWritten?: SaidMessage["onWritten"]) => {
    const { errors, session } = await builder.say(seen, { ...said, onWritten }).catch(refused);
    return { ...sessionBody(session, builder.messagesLeft(session)), errors };
  };
  const { request, response } = exchange;
  const streams = request.accepts("application/json", "text/event-stream") === "text/event-stream";
  if (streams) await streamedTurn(exchange, clock, told);
  else response.json(await told());
}

function livePatches(live: Fields, { guide }: BuilderSession): readonly Patch[] {
  const file = guideFile(guideOrFlow(live));
  const had = guideFile(guide);
  const differs = (name: string) => JSON.stringify(file[name]) !== JSON.stringify(had[name]);
  const changed = DESCRIBED_BY_MODEL.filter((name) => file[name] !== undefined && differs(name));
  const fields = Object.fromEntries(changed.map((name) => [name, file[name]]));
  return [
    ...(changed.length > 0 ? [{ op: "describe", fields } as const] : []),
    ...(differs("steps") ? [{ op: "replace", steps: file.steps as Fields[] } as const] : []),
  ];
}

function patchedBy(name: string, patches: readonly Patch[]): readonly SessionEvent[] {
  return patches.length === 0 ? [] : [{ type: "patched", author: { type: "person", name }, patches }];
}

/** Work on a session on the version that its caller has seen, for which they need a role; what it is then is sent. */
function onSession<S extends typeof onVersion>(
  role: Role,
  schema: S,
  work: (
    builder: GuideBuilder,
    seen: Seen,
    asked: z.output<S>,
    exchange: ApiExchange,
  ) => Promise<BuilderSession>,
  more: (session: BuilderSession) => object = () => ({}),
) {
  return async (exchange: ApiExchange, deps: BuildingDoorDeps): Promise<void> => {
    const { access, asked, builder, signal } = await taken(exchange, deps, role, schema);
    const { version } = asked;
    const seen = { id: idIn(exchange), version, access, signal, reviews: role === "approve" };
    const session = await work(builder, seen, asked, exchange);
    send(exchange, builder, session, more(session));
  };
}

const patch = onSession("author", patched, (builder, seen, { patches }) =>
  builder.change(seen, (_, by) => patchedBy(by, patches)),
);

const resolve = onSession("author", resolved, (builder, seen, { resolution }, { request }) => {
  const suggestion = parsed(idField, request.params.suggestion);
  return builder.change(seen, (_, by) => ({ type: "resolved", suggestion, by, resolution }));
});

const undo = onSession("author", onVersion, (builder, seen) =>
  builder.change(seen, (_, by) => ({ type: "undone", by })),
);

/** Opens the guide to a second person: the session is in review then. */
const review = onSession(
  "author",
  onVersion,
  (builder, seen) =>
    builder.change(seen, ({ phase }, by) => [
      ...movesTo("enrichment", phase, by),
      { type: "moved", by, phase: "review" },
    ]),
  (session) => ({ review: reviewOf(session) }),
);

/** Somebody else, with a key of their own: whoever holds an unbound key, or stands at a kiosk, could be both of the two. */
const approve = onSession("approve", onVersion, async (builder, seen, _asked, { caller }) => {
  if (caller.username === undefined || seen.access.kiosk)
    throw new Rejection(
      "forbidden",
      "A second person approves with a key of their own: bind this key to a `username`.",
    );
  return builder.change(seen, (_, by) => ({ type: "approved", by }));
});

const publish = onSession("author", onVersion, (builder, seen) => builder.publish(seen));
const withdraw = onSession("author", onVersion, (builder, seen) => builder.withdraw(seen));
