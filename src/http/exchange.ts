/**
 * One request to the API: who sent it, what it says, and when its sender is gone. Every door of the API is a list of
 * operations on exchanges; what they have in common (keys, bodies, errors in the door's own shape, telling how it went)
 * is here.
 */
import { finished } from "node:stream";
import express, { type Request, type RequestHandler, type Response, Router } from "express";
import { assertRole, type Caller, type Doorkeeper, presentedKey } from "../api/api-keys.js";
import type { Visitor } from "../api/neighbour.js";
import { workForCaller } from "../api/origin.js";
import { Rejection, type RejectionCode } from "../api/rejection.js";
import { assertNotCrossSite, isFromBrowser, namesProxy } from "../api/signs.js";
import { TurnFailure } from "../domain/failure.js";
import type { Clock } from "../lib/clock.js";
import type { Role } from "../lib/role.js";
import type { DoorName, Telemetry } from "../telemetry/events.js";
import { jsonBody } from "./json-body.js";

/** Longest body that is read. */
export const BODY_BYTES_MAX = 1_048_576;

export interface ApiDeps<C extends Caller = Caller> {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly keys: Doorkeeper<C>;
}

export interface ApiExchange<C extends Caller = Caller> {
  readonly request: Request;
  readonly response: Response;
  readonly caller: C;
  /** The JSON body of a POST; bytes where the operation takes those. */
  readonly body: unknown;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Notes how it ended where the status does not say so, such as in a stream that has begun. */
  ended(code: RejectionCode): void;
}

export type Operation<C extends Caller = Caller> = (exchange: ApiExchange<C>) => Promise<void>;

/** A body that is bytes: its media types, and how a refusal names them. */
export interface BytesBody {
  readonly types: readonly string[];
  readonly what: string;
}

/**
 * Which bodies are taken as JSON: those whose media type says so, or, where the protocol's own server does not look at
 * it, any from a client that is no browser. What a browser's page sends without asking first never is.
 */
export type JsonTypes = "declared" | "any but a browser's";

/** An error as a door's protocol has it. */
export type ErrorBody = (rejection: Rejection, status: number) => object;

type Method = "get" | "post" | "delete";

/** One door of the API: the operations under its paths, with its protocol's own errors. */
export class ApiRouter<C extends Caller = Caller> {
  readonly #router = Router();
  readonly #methods = new Map<string, Set<Method>>();
  readonly #json = jsonBody(BODY_BYTES_MAX);
  readonly #bytes = express.raw({ limit: BODY_BYTES_MAX, type: () => true });

  constructor(
    private readonly deps: ApiDeps<C>,
    private readonly door: DoorName,
    private readonly errorBody: ErrorBody,
    /** Of bodies that are JSON; default: such as say so. */
    private readonly jsonTypes: JsonTypes = "declared",
    /** What its callers have to be allowed. */
    private readonly role: Role = "ask",
  ) {}

  get(path: string, operation: Operation<C>): this {
    return this.#add("get", path, operation);
  }

  post(path: string, operation: Operation<C>): this {
    return this.#add("post", path, operation);
  }

  /** The same, where the body is no JSON: the operation is handed a `Uint8Array`. */
  postBytes(path: string, body: BytesBody, operation: Operation<C>): this {
    return this.#add("post", path, operation, body);
  }

  delete(path: string, operation: Operation<C>): this {
    return this.#add("delete", path, operation);
  }

  /** The routes, complete: other methods on the same paths are refused. */
  routes(): Router {
    for (const [path, methods] of this.#methods) {
      const allowed = [...methods].map((method) => method.toUpperCase());
      this.#router.all(path, this.#handler(refuseMethod(allowed)));
    }
    return this.#router;
  }

  /** Refuses everything else below `prefix` in the door's own words. */
  routesWithin(prefix: string): Router {
    const router = this.routes();
    const unknown: Operation<C> = async ({ request }) => {
      throw new Rejection("not_found", `There is no ${request.method} ${request.path} here.`);
    };
    return router.all(`${prefix}/*rest`, this.#handler(unknown));
  }

  #add(method: Method, path: string, operation: Operation<C>, bytes?: BytesBody): this {
    const methods = this.#methods.get(path) ?? new Set<Method>();
    this.#methods.set(path, methods.add(method));
    this.#router[method](path, this.#handler(operation, bytes));
    return this;
  }

  #handler(operation: Operation<C>, bytes?: BytesBody): RequestHandler {
    return async (request, response) => {
      const { clock, telemetry } = this.deps;
      const startMs = clock.monotonic();
      const gone = new AbortController();
      let result: RejectionCode | "ok" | undefined;
      let caller: C | undefined;
      response.once("close", () => {
        const whole = response.writableFinished;
        if (!whole) gone.abort(new Error("the client is gone"));
        telemetry.emit({
          type: "door_request_finished",
          door: this.door,
          result: whole ? (result ?? "ok") : "disconnected",
          ms: clock.monotonic() - startMs,
          ...(caller?.name === undefined ? {} : { caller: caller.name }),
        });
      });
      try {
        const admitted = await admit(request, this.deps.keys);
        caller = admitted;
        assertRole(admitted, this.role);
        const body = request.method === "POST" ? await this.#body(request, response, bytes) : undefined;
        const ended = (code: RejectionCode) => {
          result = code;
        };
        const exchange = { request, response, caller: admitted, body, signal: gone.signal, ended };
        await workForCaller(admitted, request.socket, () => operation(exchange));
      } catch (error) {
        // Nobody is left to be told.
        if (gone.signal.aborted || response.destroyed) return;
        result = this.#refuse(response, error);
      }
    };
  }

  async #body(request: Request, response: Response, bytes?: BytesBody): Promise<unknown> {
    const { types, what } = bytes ?? JSON_BODY;
    const untyped = bytes === undefined && this.jsonTypes !== "declared";
    const mayBeAny = untyped && !isFromBrowser((name) => request.get(name));
    if (!mayBeAny && !request.is([...types])) {
      throw new Rejection("unsupported_media_type", `Send ${what}, with Content-Type: ${types[0]}.`);
    }
    const read = bytes === undefined ? this.#json : this.#bytes;
    await new Promise<void>((resolve, reject) => {
      read(request, response, (error?: unknown) =>
        error === undefined ? resolve() : reject(bodyRejection(error)),
      );
    });
    return request.body as unknown;
  }

  #refuse(response: Response, error: unknown): RejectionCode {
    const known = error instanceof TurnFailure ? new Rejection(error.code, error.message) : error;
    const rejection = known instanceof Rejection ? known : this.#fault(error);
    if (response.headersSent) {
      response.destroy();
      return rejection.code;
    }
    const status = STATUS[rejection.code];
    refused(response, rejection).json(this.errorBody(rejection, status));
    return rejection.code;
  }

  #fault(error: unknown): Rejection {
    this.deps.telemetry.emit({ type: "service_fault", where: `the ${this.door} door`, error: String(error) });
    return new Rejection("internal", "Something went wrong here. Try again in a moment.");
  }
}

const MS_PER_SECOND = 1_000;

/** The response with the status and the headers of a refusal. */
export function refused(response: Response, { code, retryAfterMs = MS_PER_SECOND }: Rejection): Response {
  const status = STATUS[code];
  if (status === 503 || status === 429)
    response.set("retry-after", `${Math.ceil(retryAfterMs / MS_PER_SECOND)}`);
  if (status === 401) response.set("www-authenticate", "Bearer");
  return response.status(status);
}

const JSON_BODY: BytesBody = { types: ["application/json", "application/*+json"], what: "JSON" };

function refuseMethod(allowed: readonly string[]): Operation {
  return async ({ request, response }) => {
    response.set("allow", allowed.join(", "));
    throw new Rejection("method_not_allowed", `${request.path} takes ${allowed.join(" or ")} only.`);
  };
}

/** Who sent a request. Rejects with `Rejection` for who may not, and for pages of other sites whatever they show. */
export async function admit<C extends Caller>(request: Request, keys: Doorkeeper<C>): Promise<C> {
  assertNotCrossSite(request.get("sec-fetch-site"));
  const whenOver = (listener: () => void) => void finished(request.res!, listener);
  return keys.admit({ ...visitorOf(request), whenOver });
}

/** What a request shows of where it comes from. */
function visitorOf(request: Request): Visitor {
  const { headers, httpVersion, socket } = request;
  return {
    key: presentedKey(request.get("authorization"), request.get("x-api-key")),
    connection: socket,
    host: headers.host,
    webOrigin: headers.origin,
    // A default nginx adds no header; it speaks HTTP/1.0, which no client of today does.
    forwarded: httpVersion === "1.0" || namesProxy(Object.keys(headers)),
  };
}

/** What express's own reader says of a body that it cannot take. */
function bodyRejection(error: unknown): unknown {
  const { type } = error as { readonly type?: unknown };
  switch (type) {
    case "entity.too.large":
      return new Rejection("payload_too_large", `The body is over the limit of ${BODY_BYTES_MAX} bytes.`);
    case "encoding.unsupported":
    case "charset.unsupported":
      return new Rejection("unsupported_media_type", "Send the body as plain UTF-8, gzip, deflate or br.");
    case "request.aborted":
    case "request.size.invalid":
      return new Rejection("bad_json", "The body broke off.");
    default:
      return error instanceof Error && "code" in error && String(error.code).startsWith("Z_")
        ? new Rejection("bad_json", "The body cannot be decompressed.")
        : error;
  }
}

/** HTTP's status for each reason. */
export const STATUS: Readonly<Record<RejectionCode, number>> = {
  bad_json: 400,
  missing_parameter: 400,
  bad_parameter: 400,
  unauthorized: 401,
  forbidden: 403,
  blocked: 403,
  not_found: 404,
  model_not_found: 404,
  method_not_allowed: 405,
  cancelled: 409,
  conflict: 409,
  gone: 410,
  message_too_long: 413,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unsupported_audio: 415,
  chat_busy: 429,
  rate_limited: 429,
  internal: 500,
  not_implemented: 501,
  assistant_unavailable: 503,
  overloaded: 503,
  transcription_unavailable: 503,
  shutting_down: 503,
  timeout: 504,
};
