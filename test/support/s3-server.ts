/**
 * A local server that speaks the part of the S3 API that we use, path-style: ListObjectsV2 and GetObject over stored
 * objects, with signatures checked (AWS Signature Version 4, computed here from its specification), pages, ETags and
 * S3's own XML. Faults are injected by operation; a request that S3 would not know fails `verify()`.
 */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type S3Operation = "list" | "get";

export type S3Fault =
  | { readonly type: "status"; readonly status: number; readonly code: string }
  /** No answer at all. */
  | { readonly type: "hang" }
  /** The connection ends before an answer, or after half of the body. */
  | { readonly type: "drop" }
  | { readonly type: "half" }
  /** Half of the body, and then nothing more. */
  | { readonly type: "stall" }
  /** Happens just before the answer. */
  | { readonly type: "change"; readonly change: () => void };

export interface S3ServerOptions {
  readonly bucket?: string;
  readonly region?: string;
  /** Keys on a page at the most, whatever is asked for. */
  readonly pageKeysMax?: number;
}

interface StoredObject {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

const KEYS_MAX = 1_000;
const CLOCK_SKEW_MS_MAX = 15 * 60_000;

export class S3Server {
  readonly accessKeyId = "AKIATESTTESTTESTTEST";
  readonly secretAccessKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  readonly bucket: string;
  readonly region: string;
  /** What was asked, in order: `list <prefix>` and `get <key>`. */
  readonly requests: string[] = [];
  readonly #pageKeysMax: number;
  readonly #objects = new Map<string, StoredObject>();
  readonly #faults: { readonly operation: S3Operation; readonly key?: string; readonly fault: S3Fault }[] =
    [];
  readonly #failures: string[] = [];
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  readonly #server = createServer((request, response) => this.#serve(request, response));

  private constructor({ bucket, region, pageKeysMax }: S3ServerOptions) {
    this.bucket = bucket ?? "documents";
    this.region = region ?? "eu-central-1";
    this.#pageKeysMax = pageKeysMax ?? KEYS_MAX;
  }

  static async start(options: S3ServerOptions = {}): Promise<S3Server> {
    const server = new S3Server(options);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  put(key: string, content: string | Uint8Array): void {
    const bytes = Buffer.from(content);
    const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
    this.#objects.set(key, { bytes, etag });
  }

  delete(key: string): void {
    this.#objects.delete(key);
  }

  /** The next request of this operation, and on this key where one is given, meets the fault. */
  failNext(operation: S3Operation, fault: S3Fault, key?: string): void {
    this.#faults.push({ operation, fault, ...(key === undefined ? {} : { key }) });
  }

  /** Resolves when `count` requests have come since the start. */
  async received(count: number): Promise<void> {
    if (this.requests.length >= count) return;
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
  }

  /** Throws when something came that S3 would not understand, or an injected fault met nobody. */
  verify(): void {
    const unused = this.#faults.map(({ operation, fault }) => `no ${operation} met the fault ${fault.type}`);
    const problems = [...this.#failures, ...unused];
    if (problems.length > 0) throw new Error(`S3 was not used as it should be:\n- ${problems.join("\n- ")}`);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const [path, query = ""] = request.url!.split("?", 2) as [string, string?];
    const parameters = new URLSearchParams(query);
    const refusal = refusalOf(request, this);
    if (refusal !== undefined) return sendError(response, 403, refusal);
    const [bucket, key] = splitPath(path);
    if (request.method !== "GET") return this.#unexpected(request, response);
    if (key === "" && parameters.get("list-type") === "2") {
      this.#record(`list ${parameters.get("prefix") ?? ""}`);
      if (bucket !== this.bucket) return sendError(response, 404, "NoSuchBucket");
      this.#meet("list", undefined, response, () => this.#list(parameters, response));
    } else if (key !== "" && [...parameters.keys()].every((name) => name === "x-id")) {
      this.#record(`get ${key}`);
      if (bucket !== this.bucket) return sendError(response, 404, "NoSuchBucket");
      this.#meet("get", key, response, (cut) => this.#get(key, request, response, cut));
    } else {
      this.#unexpected(request, response);
    }
  }

  #unexpected(request: IncomingMessage, response: ServerResponse): void {
    this.#failures.push(`${request.method} ${request.url}`);
    sendError(response, 501, "NotImplemented");
  }

  #record(request: string): void {
    this.requests.push(request);
    for (const { count, resolve } of this.#waiting) if (this.requests.length >= count) resolve();
  }

  /** Runs `answer`, unless a fault is due. */
  #meet(
    operation: S3Operation,
    key: string | undefined,
    response: ServerResponse,
    answer: (cut: "half" | "stall" | undefined) => void,
  ): void {
    const due = this.#faults.findIndex(
      (planned) => planned.operation === operation && (planned.key === undefined || planned.key === key),
    );
    if (due < 0) return answer(undefined);
    const { fault } = this.#faults[due]!;
    this.#faults.splice(due, 1);
    switch (fault.type) {
      case "status":
        return sendError(response, fault.status, fault.code);
      case "hang":
        return;
      case "drop":
        response.destroy();
        return;
      case "half":
      case "stall":
        return answer(fault.type);
      case "change":
        fault.change();
        return answer(undefined);
    }
  }

  #list(parameters: URLSearchParams, response: ServerResponse): void {
    const known = ["list-type", "prefix", "encoding-type", "max-keys", "continuation-token"];
    for (const name of parameters.keys()) if (!known.includes(name)) this.#failures.push(`list with ${name}`);
    const prefix = parameters.get("prefix") ?? "";
    const encoding = parameters.get("encoding-type");
    const token = parameters.get("continuation-token");
    const asked = Number(parameters.get("max-keys") ?? KEYS_MAX);
    const pageKeys = Math.min(asked, this.#pageKeysMax, KEYS_MAX);
    const after = token === null ? undefined : Buffer.from(token, "base64").toString("utf8");
    const keys = [...this.#objects.keys()]
      .filter((key) => key.startsWith(prefix))
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .filter((key) => after === undefined || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0);
    const page = keys.slice(0, pageKeys);
    const isTruncated = page.length < keys.length;
    const shown = (text: string) => xmlEscaped(encoding === "url" ? urlEncoded(text) : text);
    const contents = page.map((key) => {
      const { bytes, etag } = this.#objects.get(key)!;
      return (
        `<Contents><Key>${shown(key)}</Key><LastModified>2026-03-01T10:00:00.000Z</LastModified>` +
        `<ETag>${xmlEscaped(etag)}</ETag><Size>${bytes.byteLength}</Size><StorageClass>STANDARD</StorageClass></Contents>`
      );
    });
    const next = isTruncated
      ? `<NextContinuationToken>${Buffer.from(page.at(-1)!).toString("base64")}</NextContinuationToken>`
      : "";
    sendXml(
      response,
      200,
      `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${this.bucket}</Name>` +
        `<Prefix>${shown(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${asked}</MaxKeys>` +
        `${encoding === null ? "" : `<EncodingType>${encoding}</EncodingType>`}` +
        `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
    );
  }

  #get(
    key: string,
    request: IncomingMessage,
    response: ServerResponse,
    cut: "half" | "stall" | undefined,
  ): void {
    const object = this.#objects.get(key);
    if (object === undefined) return sendError(response, 404, "NoSuchKey");
    const condition = request.headers["if-match"];
    if (condition !== undefined && condition !== object.etag)
      return sendError(response, 412, "PreconditionFailed");
    const { bytes, etag } = object;
    response.writeHead(200, {
      "Content-Type": "binary/octet-stream",
      "Content-Length": bytes.byteLength,
      "Accept-Ranges": "bytes",
      "Last-Modified": "Sun, 01 Mar 2026 10:00:00 GMT",
      ETag: etag,
      "x-amz-request-id": "TESTREQUEST",
    });
    if (cut === undefined) response.end(bytes);
    else
      response.write(bytes.subarray(0, bytes.byteLength >> 1), () => {
        if (cut === "half") response.destroy();
      });
  }
}

function splitPath(path: string): [bucket: string, key: string] {
  const [, bucket = "", ...rest] = path.split("/");
  return [decodeURIComponent(bucket), decodeURIComponent(rest.join("/"))];
}

/** As S3 does for `encoding-type=url`: like a form, but for the slashes. */
function urlEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%20", "+");
}

function xmlEscaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { "Content-Type": "application/xml", "x-amz-request-id": "TESTREQUEST" });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}

function sendError(response: ServerResponse, status: number, code: string): void {
  sendXml(response, status, `<Error><Code>${code}</Code><Message>said by the test</Message></Error>`);
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/** Why the request is not let in. See "Authenticating Requests: Using the Authorization Header" of the S3 API. */
function refusalOf(request: IncomingMessage, server: S3Server): string | undefined {
  const parts = AUTHORIZATION.exec(request.headers.authorization ?? "");
  if (parts === null) return "AccessDenied";
  const [, keyId, day, region, signedHeaders, signature] = parts as unknown as string[];
  const date = String(request.headers["x-amz-date"]);
  if (keyId !== server.accessKeyId) return "InvalidAccessKeyId";
  if (region !== server.region) return "AuthorizationHeaderMalformed";
  const names = signedHeaders!.split(";");
  if (!date.startsWith(day!) || !names.includes("host") || !names.includes("x-amz-date"))
    return "AccessDenied";
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - at) < CLOCK_SKEW_MS_MAX)) return "RequestTimeTooSkewed";
  const [path, query = ""] = request.url!.split("?", 2) as [string, string?];
  const canonical = [
    request.method,
    path,
    query.split("&").sort().join("&"),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    "",
    signedHeaders,
    request.headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", date, scope, createHash("sha256").update(canonical).digest("hex")].join(
    "\n",
  );
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const signingKey = [region!, "s3", "aws4_request"].reduce(
    hmac,
    hmac(`AWS4${server.secretAccessKey}`, day!),
  );
  return hmac(signingKey, toSign).toString("hex") === signature ? undefined : "SignatureDoesNotMatch";
}
