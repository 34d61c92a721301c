/**
 * A bucket of S3, or of a store that speaks its API, as a source of documents. Keys are names and nothing more: none of
 * them is ever a path of this machine.
 */
import {
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  S3Client,
} from "@aws-sdk/client-s3";
import { Deadline, DeadlineExceeded, untilAborted, withDeadline } from "../lib/deadline.js";
import type { Key } from "../lib/secret.js";
import { DocumentProblem } from "./problem.js";
import { formatOf } from "./read/read-file.js";
import { type ReadRetryDeps, withRetry } from "./retry.js";
import {
  EntryGone,
  EntryUnreadable,
  isManifestName,
  type Listing,
  PathProblem,
  type Source,
  type SourceEntry,
  type SourceProblem,
  tooLarge,
} from "./source.js";

export interface S3Options {
  /** Address of an S3-compatible store; absent: that of AWS. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Absent: what the machine's role gives. */
  readonly accessKeyId?: Key | undefined;
  readonly secretAccessKey?: Key | undefined;
}

export interface S3Address {
  readonly bucket: string;
  /** Only keys that begin with this; a folder's ends with `/`. */
  readonly prefix: string;
}

/** Keys of one source. */
export const S3_KEYS_MAX = 2_000_000;
/** Time for one page of a listing. */
export const S3_LIST_MS_MAX = 30_000;
/** Time without a byte of an object, and for all of it. */
export const S3_IDLE_MS_MAX = 15_000;
export const S3_READ_MS_MAX = 120_000;

/** For one page of a listing and one look for a manifest; whoever ingests tries to read an object again. */
const LIST_RETRY = { attemptsMax: 5, delayMs: 500 };

const SCHEME = "s3://";

/** `s3://bucket/prefix`. Throws `PathProblem`. */
export function parseS3Address(address: string): S3Address {
  const parts = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/su.exec(address);
  if (parts === null)
    throw new PathProblem(`${address} is no address of a bucket: s3://bucket or s3://bucket/prefix`);
  return { bucket: parts[1]!, prefix: parts[2] ?? "" };
}

export class S3Source implements Source {
  readonly name: string;
  readonly #client: S3Client;
  /** The folder that names are below. */
  readonly #folder: string;

  constructor(
    private readonly address: S3Address,
    { endpoint, region, accessKeyId, secretAccessKey }: S3Options,
    private readonly deps: ReadRetryDeps,
  ) {
    this.name = `${SCHEME}${address.bucket}/${address.prefix}`;
    this.#folder = address.prefix.slice(0, address.prefix.lastIndexOf("/") + 1);
    this.#client = new S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      ...(accessKeyId === undefined || secretAccessKey === undefined
        ? {}
        : { credentials: { accessKeyId: String(accessKeyId), secretAccessKey: String(secretAccessKey) } }),
      // Tried again on our clock.
      maxAttempts: 1,
      // Other stores than AWS's know no checksums of this kind.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    });
  }

  covers(path: string): boolean {
    return path.startsWith(this.name);
  }

  async list(signal: AbortSignal): Promise<Listing> {
    const listing = new KeyListing(this.#folder, (key) => this.#path(key));
    let token: string | undefined;
    do {
      const page = await this.#page(token, signal);
      for (const { Key, ETag } of page.Contents ?? []) if (Key !== undefined) listing.add(Key, ETag);
      if (listing.keyCount > S3_KEYS_MAX)
        throw new PathProblem(`${this.name} holds more than ${S3_KEYS_MAX} objects; ingest its folders`);
      const next = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      if (next !== undefined && (page.Contents ?? []).length === 0)
        throw new PathProblem(`${this.name} cannot be listed: the store sends empty pages`);
      token = next;
    } while (token !== undefined);
    return listing.end();
  }

  async read({ path, version }: SourceEntry, bytesMax: number, signal: AbortSignal): Promise<Uint8Array> {
    const key = path.slice(this.#path("").length);
    try {
      return await this.#get(key, version, bytesMax, signal);
    } catch (error) {
      if (statusOf(error) !== PRECONDITION_FAILED) throw unreadable(error, signal);
    }
    // It changed since it was listed: what there is now is as good.
    return this.#readNow(key, bytesMax, signal);
  }

  readNamed(name: string, bytesMax: number, signal: AbortSignal): Promise<Uint8Array> {
    return this.#readNow(this.#folder + name, bytesMax, signal);
  }

  /** In the folders that the prefix lies in, up to the bucket itself. Rejects with `PathProblem`. */
  async above(names: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const folders = this.#folder.split("/").slice(0, -1);
    for (let depth = folders.length - 1; depth >= 0; depth--) {
      for (const name of names) {
        const key = [...folders.slice(0, depth), name].join("/");
        if (await this.#isThere(key, signal)) return this.#path(key);
      }
    }
    return undefined;
  }

  #path(key: string): string {
    return `${SCHEME}${this.address.bucket}/${key}`;
  }

  async #page(token: string | undefined, signal: AbortSignal): Promise<ListObjectsV2CommandOutput> {
    const command = new ListObjectsV2Command({
      Bucket: this.address.bucket,
      Prefix: this.address.prefix,
      ContinuationToken: token,
      // Keys may hold what XML cannot.
      EncodingType: "url",
    });
    const send = () =>
      withDeadline(this.deps.clock, "listing a bucket", S3_LIST_MS_MAX, signal, (abortSignal) =>
        this.#client.send(command, { abortSignal }),
      );
    try {
      return await withRetry(this.deps, LIST_RETRY, mayPass, send, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new PathProblem(`${this.name} cannot be listed: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** An access key that was made for the prefix alone may not look: for it there is nothing above. */
  async #isThere(key: string, signal: AbortSignal): Promise<boolean> {
    const isLater = (error: unknown) => !(error instanceof DocumentProblem) && mayPass(error);
    try {
      await withRetry(this.deps, LIST_RETRY, isLater, () => this.#get(key, undefined, 0, signal), signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DocumentProblem) return true;
      const status = statusOf(error);
      if (status === NOT_FOUND || status === FORBIDDEN) return false;
      throw new PathProblem(`${this.#path(key)} cannot be looked for: ${reasonOf(error)}`, { cause: error });
    }
  }

  async #readNow(key: string, bytesMax: number, signal: AbortSignal): Promise<Uint8Array> {
    try {
      return await this.#get(key, undefined, bytesMax, signal);
    } catch (error) {
      throw unreadable(error, signal);
    }
  }

  #get(key: string, version: string | undefined, bytesMax: number, signal: AbortSignal): Promise<Uint8Array> {
    const { clock } = this.deps;
    return withDeadline(clock, "reading an object", S3_READ_MS_MAX, signal, async (whole) => {
      const idle = new Deadline(clock, "waiting for an object", S3_IDLE_MS_MAX, whole);
      try {
        return await this.#receive(key, version, bytesMax, idle);
      } finally {
        // Ends the connection, where the object was not read to its end.
        idle.end(new Error("the object is not wanted any more"));
      }
    });
  }

  async #receive(
    key: string,
    version: string | undefined,
    bytesMax: number,
    idle: Deadline,
  ): Promise<Uint8Array> {
    const { signal } = idle;
    const command = new GetObjectCommand({ Bucket: this.address.bucket, Key: key, IfMatch: version });
    const { Body, ContentLength } = await this.#client.send(command, { abortSignal: signal });
    const body = Body as (AsyncIterable<Uint8Array> & { destroy(): void }) | undefined;
    if (body === undefined) throw new EntryUnreadable("the store sent no content", true);
    try {
      if (ContentLength !== undefined && ContentLength > bytesMax) throw tooLarge(ContentLength, bytesMax);
      const pieces: Uint8Array[] = [];
      let length = 0;
      for await (const piece of untilAborted(body, signal)) {
        idle.restart(S3_IDLE_MS_MAX);
        length += piece.byteLength;
        if (length > bytesMax) throw tooLarge(length, bytesMax);
        pieces.push(piece);
      }
      if (ContentLength !== undefined && length !== ContentLength)
        throw new EntryUnreadable(`only ${length} of its ${ContentLength} bytes came`, true);
      return Buffer.concat(pieces, length);
    } finally {
      body.destroy();
    }
  }
}

/** Keys as a listing brings them, sorted into what is read and what is not. */
class KeyListing {
  readonly #entries: SourceEntry[] = [];
  readonly #problems: SourceProblem[] = [];
  #ignoredCount = 0;
  keyCount = 0;

  constructor(
    private readonly folder: string,
    private readonly pathOf: (key: string) => string,
  ) {}

  add(encodedKey: string, version: string | undefined): void {
    this.keyCount += 1;
    const key = decodedKey(encodedKey);
    if (key === undefined) {
      this.#problem(encodedKey, "its key is not UTF-8 text; give it another one");
      return;
    }
    const name = key.slice(this.folder.length);
    const segments = name.split("/");
    // A key that ends with a slash stands for a folder, as some tools make them.
    if (segments.at(-1) === "") return;
    if (segments.some((segment) => segment === "." || segment === "..")) {
      this.#problem(key, 'its key has "." or ".." for the name of a folder; give it another one');
    } else if (!segments.some((segment) => segment.startsWith("."))) {
      if (formatOf(name) === undefined && !isManifestName(name)) this.#ignoredCount += 1;
      else
        this.#entries.push({ path: this.pathOf(key), name, ...(version === undefined ? {} : { version }) });
    }
  }

  end(): Listing {
    this.#entries.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { entries: this.#entries, ignoredCount: this.#ignoredCount, problems: this.#problems };
  }

  #problem(key: string, message: string): void {
    const name = key.slice(this.folder.length);
    this.#problems.push({ type: "invalid", path: this.pathOf(key), name, message });
  }
}

/** Undoes `encoding-type=url`: as in a form, where a space is a plus sign. */
function decodedKey(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll("+", " "));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const FORBIDDEN = 403;
const NOT_FOUND = 404;
const PRECONDITION_FAILED = 412;
/** Of the statuses below 500, those that pass. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 429]);

function statusOf(error: unknown): number | undefined {
  const metadata = (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata;
  return metadata?.httpStatusCode;
}

/** Whether it is the connection or the store that failed, rather than the request. */
function mayPass(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || PASSING_STATUSES.has(status);
  return !(error instanceof Error && error.name === "CredentialsProviderError");
}

function unreadable(error: unknown, signal: AbortSignal): unknown {
  signal.throwIfAborted();
  const isNamed = error instanceof EntryUnreadable || (error as Error).name === "DocumentProblem";
  if (isNamed) return error;
  const message = `the object cannot be read: ${reasonOf(error)}`;
  if (statusOf(error) === NOT_FOUND) return new EntryGone(message, { cause: error });
  return new EntryUnreadable(message, mayPass(error), { cause: error });
}

/** What went wrong, in words; never what the store wrote, which may quote the request. */
function reasonOf(error: unknown): string {
  if (error instanceof DeadlineExceeded) return error.message;
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  const status = statusOf(error);
  const reason = REASONS[name ?? ""] ?? (status === undefined ? (code ?? name ?? "unknown error") : name);
  return status === undefined ? `${reason}` : `${reason} (status ${status})`;
}

const REASONS: Readonly<Record<string, string>> = {
  AccessDenied: "the access key may not do that",
  AuthorizationHeaderMalformed: "the bucket lies in another region",
  CredentialsProviderError: "there is no access key; set sync.s3_access_key_id and sync.s3_secret_access_key",
  InvalidAccessKeyId: "the access key is not known",
  NoSuchBucket: "there is no such bucket",
  NoSuchKey: "there is no such object",
  PermanentRedirect: "the bucket lies in another region",
  SignatureDoesNotMatch: "the secret does not fit the access key",
  SlowDown: "the store is busy",
};
