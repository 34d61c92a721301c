/** Consent over HTTP, under the rules of consent by voice, for keys with the role `approve`; each request says for whom it speaks. */
import { z } from "zod";
import { type Identity, identityOf } from "../../api/claims.js";
import { parsed, whoFields } from "../../api/fields.js";
import { Rejection } from "../../api/rejection.js";
import { isWaiting, type OperationView, type Reply, type ReplyVerdict } from "../../domain/operation.js";
import type { Access } from "../../domain/user.js";
import type { Operations } from "../../operate/executor.js";
import { plainError } from "../answers.js";
import { type ApiDeps, type ApiExchange, ApiRouter } from "../exchange.js";
import { operationBody, readbackDigest } from "./body.js";

/** What doors need to know of operations. */
export interface OperatingDoor {
  readonly operations: Pick<Operations, "list" | "readback" | "reply">;
  /** What this person may know of, directories of groups asked. Rejects with `TurnFailure`. */
  access(identity: Identity, signal: AbortSignal): Promise<Access>;
}

export interface ApprovalsDeps extends ApiDeps {
  readonly operating: OperatingDoor;
}

/** Operations of one reply, the newest. */
const OPERATIONS_MAX = 200;
/** Who sends a yes to a readback that they quote has read it before that; how long before, nobody tells us. */
const READ_BEFORE_MS = 1;
const CHALLENGE_CHARS_MAX = 64;

const consent = whoFields.extend({
  readback_heard: z.literal(true, { error: "expected true: the person has read or heard all of it" }),
  readback_digest: z.string({ error: "expected the readback_digest of the proposal that was shown" }),
  challenge: z.string().max(CHALLENGE_CHARS_MAX).nullish(),
});

/** Consent that did not count, or an operation that it came too late for. */
class NotApproved extends Rejection {
  constructor(
    readonly why: string,
    message: string,
    readonly missesLeft?: number,
  ) {
    super("conflict", message);
  }
}

export function approvalsDoor(deps: ApprovalsDeps) {
  const { clock } = deps;
  const list =
    (name: string, isShown = (_: OperationView) => true) =>
    async (exchange: ApiExchange) => {
      const { views } = await asked(exchange, whoFields, deps);
      const shown = views().filter(isShown).slice(-OPERATIONS_MAX);
      exchange.response.json({ [name]: shown.map((view) => operationBody(view, clock.now())) });
    };
  return new ApiRouter(deps, "approvals", errorBody, "declared", "approve")
    .get("/api/ai/approvals", list("approvals", isWaiting))
    .get("/api/v1/operations", list("operations"))
    .get("/api/ai/approvals/:id", async (exchange) => {
      const { now } = await asked(exchange, whoFields, deps);
      exchange.response.json(operationBody(now(), clock.now()));
    })
    .post("/api/ai/approvals/:id/approve", (exchange) => approve(exchange, deps))
    .post("/api/ai/approvals/:id/deny", async (exchange) => {
      const pressedMs = clock.monotonic();
      const { by, now } = await asked(exchange, whoFields, deps);
      await reply(exchange, deps, now, "denied", { by, pressedMs, words: "" });
    })
    .routes();
}

function errorBody(rejection: Rejection): object {
  if (!(rejection instanceof NotApproved)) return plainError(rejection);
  const { code, message, missesLeft, why } = rejection;
  return { error: { code, message, why, misses_left: missesLeft } };
}

/** By whom a request is, and what they may know of: all `views`, and that of the path as it is `now`. Both throw `Rejection`. */
async function asked<S extends typeof whoFields>(
  { body, caller, request, signal }: ApiExchange,
  schema: S,
  { operating }: ApprovalsDeps,
) {
  const fields = parsed(schema, request.method === "GET" ? request.query : body);
  const identity = identityOf(caller, fields);
  const access = await operating.access(identity, signal);
  const views = () => operating.operations.list(access);
  const now = () => {
    const view = views().find(({ proposal }) => proposal.id === request.params.id);
    if (view === undefined) throw unknownOperation();
    return view;
  };
  return { by: identity.user, fields, isKiosk: access.kiosk, views, now };
}

function unknownOperation(): Rejection {
  return new Rejection("not_found", "There is no such operation that this person may know of.");
}

async function approve(exchange: ApiExchange, deps: ApprovalsDeps): Promise<void> {
  const pressedMs = deps.clock.monotonic();
  const { by, fields, isKiosk, now } = await asked(exchange, consent, deps);
  const view = now();
  const { id, challenge = "" } = view.proposal;
  if (!isWaiting(view))
    throw new NotApproved(view.reason ?? view.phase, "It does not wait for consent any more.");
  // Two people take two keys: whoever holds an unbound one could be both, and whoever stands at a kiosk.
  if (view.phase === "waiting_second" && (isKiosk || exchange.caller.username === undefined))
    throw new NotApproved(
      "not_trusted",
      "A second person consents with a key of their own: bind this key to a `username`.",
    );
  if (fields.readback_digest !== readbackDigest(view))
    throw new NotApproved(
      "readback_not_heard",
      "This readback_digest is of another proposal: fetch this one first.",
    );
  const words = fields.challenge?.trim().toLowerCase() ?? "";
  const verdict = challenge === "" || words === challenge.toLowerCase() ? "approved" : "unclear";
  deps.operating.operations.readback(id, by, pressedMs - READ_BEFORE_MS);
  await reply(exchange, deps, now, verdict, { by, pressedMs, words });
}

/** As the door names what came of a reply that counted. */
const RESULTS = {
  accepted: "approved",
  needs_second_person: "needs_second_person",
  ended: "denied",
} as const;

async function reply(
  { response }: ApiExchange,
  { operating: { operations } }: ApprovalsDeps,
  now: () => OperationView,
  verdict: ReplyVerdict,
  given: Pick<Reply, "by" | "pressedMs" | "words">,
): Promise<void> {
  const { id } = now().proposal;
  const how = { via: "http", isRough: false, isTrusted: true } as const;
  const result = await operations.reply(id, { ...given, ...how }, verdict);
  if (verdict === "denied" && (result.type === "accepted" || result.type === "unknown_operation"))
    throw tooLate(now());
  if (result.type === "unknown_operation") throw unknownOperation();
  if (result.type === "not_counted")
    throw new NotApproved(result.why, `This did not count: ${inWords(result.why)}.`, result.missesLeft);
  if (result.type === "ended" && (verdict !== "denied" || result.reason !== "denied"))
    throw new NotApproved(result.reason, `It was not done: ${inWords(result.reason)}.`);
  const number = "number" in result ? result.number : undefined;
  response.json({ approval_id: id, result: RESULTS[result.type], number });
}

/** A no to what was begun already: what is not begun yet is not done any more. */
function tooLate({ outcomes, phase, proposal }: OperationView): NotApproved {
  const became = proposal.calls.map(({ name }, at) => `${name}: ${inWords(outcomes[at] ?? phase)}`);
  return new NotApproved(phase, `This came too late. ${became.join(", ")}.`);
}

const inWords = (why: string): string => why.replaceAll("_", " ");
