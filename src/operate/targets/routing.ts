/**
 * The way to a resource, and what is wrong about a call: paths as they are called outside, the check that a call goes to
 * what the user spoke of, and the look-up of what a model calls a resource. Pure.
 */
import { posix } from "node:path";
import type { Resource } from "../../domain/resource.js";
import type { TargetContext } from "../../domain/target-context.js";
import { spokenOf } from "./context.js";
import type { KnownResources } from "./registry.js";
import { placeWords } from "./spoken-words.js";

/** Names that are suggested at most. */
const SUGGESTIONS_MAX = 3;

/** Why a call is not made: the reference's envelope. Nothing in it is about a resource that the user may not know of. */
export interface TargetFault {
  readonly code: "ROUTING_MISMATCH" | "STRICT_RESOLUTION";
  readonly message: string;
  readonly blocked: true;
  readonly details: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Refuses a call to what the resource of the conversation runs on, or to a sibling of it, as long as the conversation
 * has not moved on and the user did not speak of it.
 */
export function routingFault(
  target: Resource,
  known: KnownResources,
  context: TargetContext,
  nowMs: number,
): TargetFault | undefined {
  const spoken = spokenOf(context, nowMs).flatMap((id) => known.byId(id) ?? []);
  if (spoken.some(({ id }) => id === target.id)) return undefined;
  const within = spoken.filter((one) => known.chainOf(one).some(({ id }) => id === target.id));
  const beside = spoken.filter((one) => areSiblings(one, target, known));
  const meant = within.length > 0 ? within : beside;
  if (meant.length === 0) return undefined;
  const names = meant.map((one) => one.names[0]);
  return {
    code: "ROUTING_MISMATCH",
    message:
      within.length > 0
        ? `"${target.names[0]}" is what ${quoted(names)} runs on or is part of, and the user spoke of ${quoted(names)}.`
        : `"${target.names[0]}" is a sibling of ${quoted(names)}, and the user spoke of ${quoted(names)}.`,
    blocked: true,
    details: {
      target_host: target.names[0],
      target_resource_id: target.id,
      [within.length > 0 ? "more_specific_resources" : "sibling_resources"]: names,
      [within.length > 0 ? "more_specific_resource_ids" : "sibling_resource_ids"]: meant.map(({ id }) => id),
      policy_boundary: "the resource that the user spoke of",
      recovery_hint: `Retry with target_host='${meant[0]!.address}', or ask the user which one is meant.`,
    },
  };
}

/** Of one kind, and together in the same place or on the same parent. */
function areSiblings(one: Resource, other: Resource, known: KnownResources): boolean {
  return (
    one !== other &&
    one.kind === other.kind &&
    one.site === other.site &&
    one.parent === other.parent &&
    (one.parent !== undefined || areaKey(one, known) === areaKey(other, known))
  );
}

function areaKey(resource: Resource, known: KnownResources): string {
  return placeWords(known.areaOf(resource) ?? "");
}

/**
 * What a model names as a target: an id, an address or a name, word for word and nothing near it, since what a model
 * writes is no speech. The user has to be able to know of it.
 */
export function strictTarget(
  name: string,
  known: KnownResources,
): { readonly resource: Resource } | { readonly fault: TargetFault } {
  const byId = known.byId(name);
  if (byId !== undefined) return { resource: byId };
  const key = placeWords(name);
  const named = known.all.filter(
    (one) => one.address === name || one.names.some((own) => placeWords(own) === key),
  );
  if (named.length === 1) return { resource: named[0]! };
  const near = (named.length > 0 ? named : known.all.filter((one) => sharesWord(one, key))).slice(
    0,
    SUGGESTIONS_MAX,
  );
  return {
    fault: {
      code: "STRICT_RESOLUTION",
      message: named.length > 1 ? "Several resources have this name." : "No resource has this name.",
      blocked: true,
      details: {
        suggestions: near.map(({ id, names }) => `${names[0]} (${id})`),
        recovery_hint: "Use an id of the resources that you were told of. Do not search for others.",
      },
    },
  };
}

function sharesWord({ names }: Resource, key: string): boolean {
  const words = key.split(" ").filter((word) => /\p{L}/u.test(word));
  return names.some((name) =>
    placeWords(name)
      .split(" ")
      .some((word) => words.includes(word)),
  );
}

/**
 * How a path inside a resource is called on its parent: by the mapping with the longest prefix. Undefined where no
 * mapping covers it, so that nobody takes the path itself for one of the parent.
 */
export function pathOutside(path: string, { paths }: Resource): string | undefined {
  const plain = posix.normalize(path);
  if (!plain.startsWith("/")) return undefined;
  const mapping = paths.find(({ inside }) => isWithin(plain, posix.normalize(inside)));
  if (mapping === undefined) return undefined;
  return posix.join(mapping.outside, posix.relative(posix.normalize(mapping.inside), plain));
}

function isWithin(path: string, folder: string): boolean {
  const plain = folder.endsWith("/") ? folder : `${folder}/`;
  return path === plain.slice(0, -1) || path.startsWith(plain);
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
