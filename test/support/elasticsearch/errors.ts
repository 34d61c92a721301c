/** Errors as Elasticsearch answers them: a status, a type and a reason in the server's own words. */
import type { JsonObject } from "./json-value.js";

/** An answer that tells of an error. `details` stand beside type and reason, such as the index's name. */
export class ElasticsearchError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    readonly reason: string,
    readonly details: JsonObject = {},
  ) {
    super(`${type}: ${reason}`);
  }

  /** The error alone, as in an item of a bulk answer. */
  get item(): JsonObject {
    return { type: this.type, reason: this.reason, ...this.details };
  }

  get body(): JsonObject {
    const { caused_by: _, ...root } = this.item;
    return { error: { root_cause: [root], ...this.item }, status: this.status };
  }
}

/** Asks for something that this stand-in does not have: answered with 501, and `verify` fails. */
export class NotSupported extends Error {
  constructor(what: string) {
    super(`the stand-in for Elasticsearch does not support ${what}`);
  }
}

export function illegalArgument(reason: string): ElasticsearchError {
  return new ElasticsearchError(400, "illegal_argument_exception", reason);
}

export function indexNotFound(name: string): ElasticsearchError {
  return new ElasticsearchError(404, "index_not_found_exception", `no such index [${name}]`, {
    "resource.type": "index_or_alias",
    "resource.id": name,
    index_uuid: "_na_",
    index: name,
  });
}

export function indexAlreadyExists(name: string): ElasticsearchError {
  return new ElasticsearchError(400, "resource_already_exists_exception", `index [${name}] already exists`, {
    index_uuid: "_na_",
    index: name,
  });
}

export function resourceNotFound(reason: string): ElasticsearchError {
  return new ElasticsearchError(404, "resource_not_found_exception", reason);
}

export function versionConflict(index: string, id: string, reason: string): ElasticsearchError {
  return new ElasticsearchError(
    409,
    "version_conflict_engine_exception",
    `[${id}]: version conflict, ${reason}`,
    {
      index_uuid: "_na_",
      shard: "0",
      index,
    },
  );
}
