/**
 * One call to the gRPC door: who makes it, when its maker is gone, and how it ends. What the methods have in common is
 * here, as `http/exchange.ts` has it for HTTP.
 */
import { once } from "node:events";
import { Metadata, type ServerUnaryCall, type ServerWritableStream, status } from "@grpc/grpc-js";
import { assertRole, type Caller, type Doorkeeper, presentedKey } from "../api/api-keys.js";
import type { Visitor } from "../api/neighbour.js";
import { workForCaller } from "../api/origin.js";
import { Rejection, type RejectionCode } from "../api/rejection.js";
import { namesProxy } from "../api/signs.js";
import type { Clock } from "../lib/clock.js";
import { withDeadline } from "../lib/deadline.js";
import type { Telemetry } from "../telemetry/events.js";
import type { Callers } from "./callers.js";

/** How long a client may leave unread what was sent to it. */
export const STALL_MS_MAX = 30_000;

export interface CallDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly keys: Doorkeeper;
  readonly callers: Callers;
}

type AnyCall = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

/** What gRPC takes as the end of a call that failed. */
export interface CallFailure {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata;
}

/** Runs `work`; what it rejects with is told to the client, and how it ended is told to the telemetry. */
export async function answerCall(
  call: AnyCall,
  { callers, clock, keys, telemetry }: CallDeps,
  work: (caller: Caller, signal: AbortSignal) => Promise<void>,
): Promise<CallFailure | undefined> {
  const startMs = clock.monotonic();
  const gone = new AbortController();
  call.on("cancelled", () => gone.abort(new Error("the client is gone")));
  const ends = [callers.begin(call.getPeer())];
  let caller: Caller = {};
  const finished = (result: string) =>
    telemetry.emit({
      type: "door_request_finished",
      door: "grpc",
      result,
      ms: clock.monotonic() - startMs,
      ...(caller.name === undefined ? {} : { caller: caller.name }),
    });
  try {
    const visitor = visitorOf(call, callers);
    const admitted = await keys.admit({ ...visitor, whenOver: (listener) => ends.push(listener) });
    caller = admitted;
    assertRole(admitted, "ask");
    await workForCaller(admitted, visitor.connection, () => work(admitted, gone.signal));
    finished("ok");
    return undefined;
  } catch (error) {
    const rejection = asRejection(error, gone.signal, telemetry);
    finished(gone.signal.aborted ? "disconnected" : rejection.code);
    return failureOf(rejection);
  } finally {
    for (const end of ends) end();
  }
}

function asRejection(error: unknown, signal: AbortSignal, telemetry: Telemetry): Rejection {
  if (error instanceof Rejection) return error;
  if (signal.aborted) return new Rejection("cancelled", "The call was cancelled.");
  telemetry.emit({ type: "service_fault", where: "the grpc door", error: String(error) });
  return new Rejection("internal", "Something went wrong here. Try again in a moment.");
}

/** Sends one message, no faster than the client reads. Rejects when it is gone, or leaves too much unread. */
export async function send<Message>(
  call: ServerWritableStream<unknown, Message>,
  message: Message,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (call.write(message)) return;
  await withDeadline(clock, "the client's reading", STALL_MS_MAX, signal, async (both) => {
    await once(call, "drain", { signal: both });
  });
}

function visitorOf(call: AnyCall, callers: Callers): Visitor {
  const metadata = (name: string) => call.metadata.get(name)[0]?.toString();
  return {
    key: presentedKey(metadata("authorization"), metadata("x-api-key")),
    connection: callers.connectionOf(call.getPeer()),
    host: call.getHost(),
    webOrigin: metadata("origin"),
    forwarded: namesProxy(Object.keys(call.metadata.getMap())),
  };
}

function failureOf({ code, field, message, retryAfterMs }: Rejection): CallFailure {
  const metadata = new Metadata();
  metadata.set("readback-code", code);
  if (retryAfterMs !== undefined) metadata.set("readback-retry-after-ms", `${Math.ceil(retryAfterMs)}`);
  if (field !== undefined) metadata.set("readback-field", field.replaceAll(/[^\x20-\x7e]/g, "?"));
  return { code: STATUS[code], details: message, metadata };
}

/** gRPC's status for each reason. */
const STATUS: Readonly<Record<RejectionCode, status>> = {
  bad_json: status.INVALID_ARGUMENT,
  missing_parameter: status.INVALID_ARGUMENT,
  bad_parameter: status.INVALID_ARGUMENT,
  message_too_long: status.INVALID_ARGUMENT,
  payload_too_large: status.INVALID_ARGUMENT,
  unsupported_media_type: status.INVALID_ARGUMENT,
  unsupported_audio: status.INVALID_ARGUMENT,
  unauthorized: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  blocked: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  model_not_found: status.NOT_FOUND,
  gone: status.NOT_FOUND,
  method_not_allowed: status.UNIMPLEMENTED,
  not_implemented: status.UNIMPLEMENTED,
  cancelled: status.CANCELLED,
  conflict: status.ABORTED,
  chat_busy: status.RESOURCE_EXHAUSTED,
  rate_limited: status.RESOURCE_EXHAUSTED,
  overloaded: status.RESOURCE_EXHAUSTED,
  internal: status.INTERNAL,
  assistant_unavailable: status.UNAVAILABLE,
  transcription_unavailable: status.UNAVAILABLE,
  shutting_down: status.UNAVAILABLE,
  timeout: status.DEADLINE_EXCEEDED,
};
