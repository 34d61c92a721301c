/** Requests, answers, and which endpoint a request is for. */
import type { Cluster } from "./cluster.js";
import { type Json, type JsonObject, parseBody } from "./json.js";

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly text: string;
  /** The parts of the path that the template names. */
  readonly params: Readonly<Record<string, string>>;
  /** The body as an object; throws what the server answers for anything else. */
  readonly body: () => JsonObject;
}

export interface Reply {
  readonly status: number;
  readonly body: Json;
}

export type Handler = (request: ApiRequest, cluster: Cluster) => Reply | Promise<Reply>;

/** An endpoint. Its name is the client's, such as `indices.create`; its schema has the same name. */
export interface Route {
  readonly name: string;
  readonly method: string;
  /** Such as `/{index}/_doc/{id}`. */
  readonly template: string;
  readonly handle: Handler;
}

/** Declares an endpoint with all its methods and paths, each written as `GET /{index}/_count`. */
export function endpoint(name: string, places: readonly string[], handle: Handler): Route[] {
  return places.map((place) => {
    const [method = "", template = ""] = place.split(" ");
    return { name, method, template, handle };
  });
}

export function ok(body: Json, status = 200): Reply {
  return { status, body };
}

/** What a request is routed by. */
export type Place = Pick<Route, "method" | "template">;

export interface Routed<R extends Place> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

/** The endpoint for a method and a path; `undefined` when there is none. A fixed segment goes before a named one. */
export function routeOf<R extends Place>(
  routes: readonly R[],
  method: string,
  path: string,
): Routed<R> | undefined {
  const segments = path.split("/").slice(1);
  const found = routes.flatMap((route) => {
    const params = route.method === method ? matched(route.template, segments) : undefined;
    return params === undefined ? [] : [{ route, params }];
  });
  return found.sort((one, other) => named(one.route) - named(other.route))[0];
}

function named({ template }: Place): number {
  return template.split("{").length;
}

function matched(template: string, segments: readonly string[]): Record<string, string> | undefined {
  const wanted = template.split("/").slice(1);
  if (wanted.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = decodeURIComponent(segments[index]!);
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      if (part !== segment) return undefined;
    } else {
      const isIndexName = index === 0 && segment.startsWith("_") && segment !== "_all";
      if (segment === "" || isIndexName) return undefined;
      params[name] = segment;
    }
  }
  return params;
}

export function apiRequest(
  method: string,
  url: URL,
  text: string,
  params: Readonly<Record<string, string>>,
): ApiRequest {
  return { method, path: url.pathname, query: url.searchParams, text, params, body: () => parseBody(text) };
}

/** A switch in the query string: present without a value means on. */
export function flag(query: URLSearchParams, name: string, otherwise: boolean): boolean {
  const value = query.get(name);
  return value === null ? otherwise : value !== "false";
}

export function optionalNumber(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  return value === null ? undefined : Number(value);
}
