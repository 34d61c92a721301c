/**
 * The one door to Elasticsearch: every call has a deadline on our clock, is tried again where that is safe, and fails
 * with an `ElasticsearchProblem` that a person can read. Nothing else imports the vendor's client; what it can do is
 * handed to `call` as a function, so that requests stay checked by the client's own types.
 */
import { createRequire } from "node:module";
import type { Client, ClientOptions, estypes } from "@elastic/elasticsearch";
import { type BackoffLimits, backoffMs } from "../../lib/backoff.js";
import { type Clock, sleep } from "../../lib/clock.js";
import { abortable, Deadline, DeadlineExceeded } from "../../lib/deadline.js";
import type { Random } from "../../lib/random.js";
import { decoded, redactShapes } from "../../lib/secrets.js";
import type { ElasticsearchOptions } from "./options.js";
import { explainFailure, type ProblemKind } from "./problem-text.js";

export type { estypes };

const require = createRequire(import.meta.url);
/** Loaded with the first client: most services have no cluster, and it is a fifth of the modules of their start. */
const vendor = (): typeof import("@elastic/elasticsearch") => require("@elastic/elasticsearch");

/** The vendor's client, for the functions that are handed to `call`. */
export type ElasticsearchApi = Client;
/** To be passed on as the last argument of every method of the vendor's client. */
export type CallOptions = {
  readonly signal: AbortSignal;
  readonly headers?: { readonly authorization: string };
};

export interface ElasticsearchClientDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/** How one call is made; what is left out comes from the settings. */
export interface CallPolicy {
  /** Attempts at the most. */
  readonly attemptsMax?: number;
  /** Time for each attempt. */
  readonly timeoutMs?: number;
  /** Whether doing it twice does no harm, so that it may be tried again when the connection broke. Default: yes. */
  readonly repeatable?: boolean;
}

/** Why Elasticsearch could not do what it was asked; the message says so to a person and holds no secret. */
export class ElasticsearchProblem extends Error {
  override readonly name = "ElasticsearchProblem";
  constructor(
    readonly kind: ProblemKind,
    message: string,
    /** The HTTP status, where there was an answer. */
    readonly status?: number,
    /** Elasticsearch's name of the error, such as `index_not_found_exception`. */
    readonly type?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The oldest server that has `semantic_text` as it is used here. */
export const SERVER_VERSION_MIN: readonly [major: number, minor: number] = [8, 15];

const BACKOFF: BackoffLimits = { delayMs: 300, delayMaxMs: 10_000 };

/** An answer larger than that is cut off and counts as failed. */
const RESPONSE_BYTES_MAX = 67_108_864;

export class ElasticsearchClient {
  readonly #api: Client;
  readonly #closing = new AbortController();
  #supported: Promise<void> | undefined;

  /** Connects to nothing yet. Throws `ElasticsearchProblem` when the settings name no cluster. */
  constructor(
    private readonly options: ElasticsearchOptions,
    private readonly deps: ElasticsearchClientDeps,
  ) {
    try {
      this.#api = new (vendor().Client)(clientOptions(options));
    } catch (error) {
      if (!(error instanceof vendor().errors.ConfigurationError)) throw error;
      throw new Error(`elasticsearch.cloud_id cannot be used: ${error.message}`, { cause: error });
    }
  }

  /**
   * Makes one call: `run` gets the vendor's client and the options to pass on. `what` names the call in errors
   * ("search"). Rejects with `ElasticsearchProblem`, or with the signal's reason.
   */
  async call<T>(
    what: string,
    run: (api: ElasticsearchApi, options: CallOptions) => Promise<T>,
    signal: AbortSignal,
    policy: CallPolicy = {},
  ): Promise<T> {
    signal.throwIfAborted();
    await this.#checkServer(signal, policy);
    return this.#retried(what, run, signal, policy);
  }

  /** The pause before attempt `attempt` (from 2 on), for those who try again what `call` did not. */
  pauseBefore(attempt: number, signal: AbortSignal): Promise<void> {
    return sleep(this.deps.clock, backoffMs(attempt - 1, BACKOFF, this.deps.random), signal);
  }

  /** Ends the calls under way; closing twice does nothing. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new ElasticsearchProblem("closed", "The connection to Elasticsearch is closed."));
    await this.#api.close();
  }

  /** Once per client, and again until it has succeeded: whether this server can be worked with. */
  async #checkServer(signal: AbortSignal, policy: CallPolicy): Promise<void> {
    this.#supported ??= this.#retried("version", checkVersion, signal, policy);
    const check = this.#supported;
    try {
      await abortable(check, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (this.#supported === check) this.#supported = undefined;
      // Somebody else's signal ended the check that both waited for.
      if (!(error instanceof ElasticsearchProblem)) return this.#checkServer(signal, policy);
      throw error;
    }
  }

  async #retried<T>(
    what: string,
    run: (api: ElasticsearchApi, options: CallOptions) => Promise<T>,
    signal: AbortSignal,
    {
      attemptsMax = this.options.attemptsMax,
      timeoutMs = this.options.requestTimeoutMs,
      repeatable = true,
    }: CallPolicy,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(what, run, signal, timeoutMs);
      } catch (error) {
        signal.throwIfAborted();
        const problem = problemOf(what, error);
        if (attempt >= attemptsMax || !mayRepeat(problem, repeatable)) throw problem;
        await this.pauseBefore(attempt + 1, signal);
      }
    }
  }

  async #once<T>(
    what: string,
    run: (api: ElasticsearchApi, options: CallOptions) => Promise<T>,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<T> {
    const closing = this.#closing.signal;
    closing.throwIfAborted();
    const deadline = new Deadline(this.deps.clock, `Elasticsearch (${what})`, timeoutMs, signal);
    const { apiKey } = this.options;
    const headers = apiKey === undefined ? {} : { headers: { authorization: `ApiKey ${apiKey}` } };
    const onClose = () => deadline.end(closing.reason);
    closing.addEventListener("abort", onClose, { once: true });
    try {
      return await abortable(run(this.#api, { signal: deadline.signal, ...headers }), deadline.signal);
    } finally {
      closing.removeEventListener("abort", onClose);
      deadline.dispose();
    }
  }
}

function clientOptions({ url, cloudId, apiKey }: ElasticsearchOptions): ClientOptions {
  const shared: ClientOptions = {
    // Retries, deadlines and their clock are ours.
    maxRetries: 0,
    requestTimeout: 0,
    maxResponseSize: RESPONSE_BYTES_MAX,
    maxCompressedResponseSize: RESPONSE_BYTES_MAX,
    // A compressed answer is unpacked without a bound.
    compression: false,
    enableMetaHeader: false,
  };
  if (cloudId !== undefined) return { ...shared, cloud: { id: cloudId } };
  if (url === undefined) {
    const message =
      "No Elasticsearch cluster is configured: set `elasticsearch.url` or `elasticsearch.cloud_id`.";
    throw new ElasticsearchProblem("unsupported", message);
  }
  const address = new URL(url);
  const [username, password] = [decoded(address.username), decoded(address.password)];
  // Kept out of the address, which the vendor's errors quote.
  address.username = "";
  address.password = "";
  const node = { node: address.href };
  const isByName = apiKey === undefined && username !== "";
  return { ...shared, ...node, ...(isByName && { auth: { username, password } }) };
}

async function checkVersion(api: ElasticsearchApi, options: CallOptions): Promise<void> {
  let version: estypes.InfoResponse["version"];
  try {
    ({ version } = await api.info({}, options));
  } catch (error) {
    // A key may be allowed to use the indices and not to ask for the version.
    if (error instanceof vendor().errors.ResponseError && error.statusCode === 403) return;
    throw error;
  }
  const [major = 0, minor = 0] = version.number.split(".").map(Number);
  const [majorMin, minorMin] = SERVER_VERSION_MIN;
  if (version.build_flavor === "serverless" || major > majorMin || (major === majorMin && minor >= minorMin))
    return;
  const message =
    `Elasticsearch ${version.number} is too old: ${majorMin}.${minorMin} or later is needed. ` +
    "Upgrade the cluster, or use the embedded engine.";
  throw new ElasticsearchProblem("unsupported", message);
}

/** Refused for the moment: nothing was done. With a broken connection it may have been done. */
function mayRepeat({ kind }: ElasticsearchProblem, repeatable: boolean): boolean {
  return kind === "busy" || (kind === "unreachable" && repeatable);
}

function problemOf(what: string, error: unknown): ElasticsearchProblem {
  if (error instanceof ElasticsearchProblem) return error;
  // Without the vendor's error as its cause: that holds the whole request, documents and queries included.
  const problem = (kind: ProblemKind, message: string, status?: number, type?: string) =>
    new ElasticsearchProblem(kind, redactShapes(message), status, type);
  if (error instanceof DeadlineExceeded) {
    return problem("timeout", `Elasticsearch did not answer (${what}) within ${error.limitMs} ms.`);
  }
  const { errors } = vendor();
  if (error instanceof errors.ResponseError) {
    const { kind, message, type } = explainFailure(what, error.statusCode ?? 0, error.body);
    return problem(kind, message, error.statusCode, type);
  }
  if (error instanceof errors.ProductNotSupportedError) {
    return problem(
      "unsupported",
      "The server at this address is not Elasticsearch, or something in between hides it.",
    );
  }
  if (error instanceof errors.ConnectionError || error instanceof errors.TimeoutError) {
    return problem("unreachable", `Elasticsearch cannot be reached (${what}): ${error.message}.`);
  }
  // The parser's own words quote the answer, which may be of documents.
  if (error instanceof errors.DeserializationError)
    return problem("invalid", `Elasticsearch's answer (${what}) cannot be used: it is not JSON.`);
  if (error instanceof errors.RequestAbortedError) {
    return problem(
      "invalid",
      `Elasticsearch's answer (${what}) cannot be used: ${error.message.slice(0, 200)}.`,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return problem("invalid", `Elasticsearch could not be asked (${what}): ${reason}.`);
}
