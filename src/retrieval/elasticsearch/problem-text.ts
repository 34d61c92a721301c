/** Elasticsearch's error answers in words that say what to do. Pure: an answer in, a kind and a text out. */
import { z } from "zod";

/**
 * `busy`: refused for the moment, nothing was done. `unreachable`: no answer, so that it may have been done. `missing`:
 * the index or document is not there. `conflict`: somebody else changed it first. `denied`: the credentials do not
 * suffice. `refused`: the request or a document is at fault. `unsupported`: this server cannot be worked with.
 * `invalid`: the answer makes no sense.
 */
export type ProblemKind =
  | "busy"
  | "unreachable"
  | "timeout"
  | "missing"
  | "conflict"
  | "denied"
  | "refused"
  | "unsupported"
  | "invalid"
  | "closed";

/** Characters of Elasticsearch's own words that are quoted. */
const REASON_CHARS_MAX = 300;

const cause = z.object({ type: z.string().default(""), reason: z.string().nullish() });
const errorBody = z.object({
  error: z.union([
    z.string(),
    cause.extend({ root_cause: z.array(cause).default([]), caused_by: cause.optional() }),
  ]),
});

export interface FailureText {
  readonly kind: ProblemKind;
  readonly message: string;
  readonly type?: string;
}

/** What an answer with a status of 400 or more means. */
export function explainFailure(what: string, status: number, body: unknown): FailureText {
  const { type, reason } = errorOf(body);
  const kind = kindOf(status, type);
  const said = quoted(reason);
  const words = [type, said].filter((word) => word !== "").join(": ");
  const detail = words === "" ? "" : ` (${words})`;
  return {
    kind,
    message: `Elasticsearch ${phrase(kind, status, type)} while asked to ${what}${detail}.${advice(kind, type)}`,
    ...(type === "" ? {} : { type }),
  };
}

/** After these words Elasticsearch and Lucene quote what a document says. */
const QUOTING =
  /(?:(?<!\s)\s+)?(?:Preview of field's value|The prefix of the first immense term is|For input string|Current token|at \[Source).*/su;

/** Elasticsearch's words, without what it quotes of documents, and no longer than needed. */
export function quoted(reason: string): string {
  const withoutQuotes = reason.replace(QUOTING, "").replace(/\s+/gu, " ");
  return withoutQuotes.length > REASON_CHARS_MAX
    ? `${withoutQuotes.slice(0, REASON_CHARS_MAX)}…`
    : withoutQuotes.replace(/\.$/u, "");
}

function errorOf(body: unknown): { readonly type: string; readonly reason: string } {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return { type: "", reason: "" };
  const { error } = parsed.data;
  if (typeof error === "string") return { type: "", reason: error };
  // "all shards failed" says nothing; what is below it does.
  const deepest = error.root_cause[0] ?? error.caused_by ?? error;
  const told = error.type === "search_phase_execution_exception" && deepest.type !== "" ? deepest : error;
  return { type: told.type, reason: told.reason ?? "" };
}

function kindOf(status: number, type: string): ProblemKind {
  if (type === "media_type_header_exception") return "unsupported";
  if (status === 401 || status === 403) return "denied";
  if (status === 404) return "missing";
  if (status === 406) return "unsupported";
  if (status === 409) return "conflict";
  if (status === 408 || status === 429 || status === 503) return "busy";
  if (status === 502 || status === 504) return "unreachable";
  return status >= 500 ? "invalid" : "refused";
}

function phrase(kind: ProblemKind, status: number, type: string): string {
  switch (kind) {
    case "busy":
      if (/no_shard_available|all_shards|unavailable_shards|search_phase/.test(type)) {
        return `has parts of the index offline (${status})`;
      }
      return status === 429 ? "is overloaded (429)" : `is not available (${status})`;
    case "denied":
      return `refused the credentials (${status})`;
    case "missing":
      return type === "index_not_found_exception" ? "has no such index" : `did not find it (${status})`;
    case "conflict":
      return "found that somebody else changed it (409)";
    case "unsupported":
      return `does not take this client's requests (${status})`;
    default:
      return `answered with an error (${status})`;
  }
}

function advice(kind: ProblemKind, type: string): string {
  if (type === "index_not_found_exception") return " Run `readback index create`.";
  if (kind === "denied") {
    return " Check `elasticsearch.api_key`, or the user in `elasticsearch.url`, and its privileges on the indices.";
  }
  return kind === "unsupported" ? " Elasticsearch 8.15 or later is needed." : "";
}
