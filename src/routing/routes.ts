/** The configured routes as the router sees them, and the first layer: what the caller declares. */
import type { RouteDecision } from "../domain/answer.js";
import type { CamelCased } from "../lib/camel-case.js";
import type { RouteKind, RouteOptions } from "./options.js";

export type Route = CamelCased<RouteOptions>;

/** A route by its name; capitals do not count. */
export function routeNamed(routes: readonly Route[], name: string): Route | undefined {
  const wanted = name.toLowerCase();
  return routes.find((route) => route.name.toLowerCase() === wanted);
}

/** Why a declared route cannot be taken, for the caller; `undefined` when it can. Doors refuse the request with it. */
export function declaredRouteProblem(routes: readonly Route[], name: string): string | undefined {
  if (routeNamed(routes, name) !== undefined) return undefined;
  return `there is no such route; there are ${routes.map((route) => route.name).join(", ")}`;
}

/** Layer 1: the caller knows. */
export function declaredDecision(
  routes: readonly Route[],
  name: string | undefined,
): RouteDecision | undefined {
  const route = name === undefined ? undefined : routeNamed(routes, name);
  return route && { route: route.name, layer: "declared", confidence: 1 };
}

/** The first route that answers from documents: taken when nothing else fits. The settings make sure of one. */
export function defaultRoute(routes: readonly Route[]): Route {
  return routes.find(({ capability }) => capability === "knowledge") ?? routes[0]!;
}

/**
 * The route that a capability stands for: the one of that name, else the only one of that capability. `undefined`
 * when there is none, or when several share it and only more knowledge can tell them apart.
 */
export function routeOf(routes: readonly Route[], capability: RouteKind): Route | undefined {
  const sharing = routes.filter((route) => route.capability === capability);
  return sharing.find(({ name }) => name === capability) ?? (sharing.length === 1 ? sharing[0] : undefined);
}
