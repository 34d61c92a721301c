/** Whether a model's call goes to what the user spoke of, and the look-up of what a model calls a resource. Pure. */
import type { Resource } from "../../domain/resource.js";
import type { TargetContext } from "../../domain/target-context.js";
import type { LoopError } from "../loop/envelope.js";
import type { KnownResources } from "./registry.js";
import { spokenOf } from "./resolution.js";
import { placeWords } from "./spoken-words.js";

const SUGGESTIONS_MAX = 3;

/** Refuses a call to what the thing that the user speaks of runs on, or to a sibling of it, which nobody spoke of. */
export function routingFault(target: Resource, known: KnownResources, context: TargetContext, nowMs: number) {
  const spoken = spokenOf(context, nowMs).flatMap((id) => known.byId(id) ?? []);
  if (spoken.includes(target)) return undefined;
  const within = spoken.filter((one) => known.chainOf(one).includes(target));
  const meant = within.length > 0 ? within : spoken.filter((one) => areSiblings(one, target, known));
  if (meant.length === 0) return undefined;
  const [what, how] =
    within.length > 0
      ? ["more_specific", "what they run on or are part of"]
      : ["sibling", "a sibling of them"];
  const names = meant.map((one) => one.names[0]);
  return {
    code: "ROUTING_MISMATCH" as const,
    message: `The user spoke of ${quoted(names)}, and "${target.names[0]}" is ${how}.`,
    blocked: true,
    /** Of the call's target, and of what the user spoke of. */
    kinds: { targetKind: target.kind, childKind: meant[0]!.kind },
    details: {
      target_host: target.names[0],
      target_resource_id: target.id,
      [`${what}_resources`]: names,
      [`${what}_resource_ids`]: meant.map(({ id }) => id),
      policy_boundary: "the resource that the user spoke of",
      recovery_hint: `Retry with target_host='${meant[0]!.address}', or ask the user which one is meant.`,
    },
  };
}

/** Of one kind, and together in the same place or on the same parent. */
function areSiblings(one: Resource, other: Resource, known: KnownResources): boolean {
  const [here, there] = [one, other].map((each) => placeWords(known.areaOf(each) ?? ""));
  return (
    one.kind === other.kind &&
    one.site === other.site &&
    one.parent === other.parent &&
    (one.parent !== undefined || here === there)
  );
}

/** What a model names as a target: an id, an address or a name, word for word, of what the user may know of. */
export function strictTarget(
  name: string,
  known: KnownResources,
): { readonly resource: Resource } | { readonly fault: LoopError } {
  const byId = known.byId(name);
  if (byId !== undefined) return { resource: byId };
  const key = placeWords(name);
  const named = known.all.filter(
    (one) => one.address === name || one.names.some((own) => placeWords(own) === key),
  );
  if (named.length === 1) return { resource: named[0]! };
  const near = named.length > 0 ? named : known.all.filter((one) => sharesWord(one, key));
  return {
    fault: {
      code: "STRICT_RESOLUTION",
      message: named.length > 1 ? "Several resources have this name." : "No resource has this name.",
      blocked: true,
      details: {
        suggestions: near.slice(0, SUGGESTIONS_MAX).map(({ id, names }) => `${names[0]} (${id})`),
        recovery_hint: "Use an id of the resources that you were told of. Do not search for others.",
      },
    },
  };
}

function sharesWord({ names }: Resource, key: string): boolean {
  const words = key.split(" ").filter((word) => /\p{L}/u.test(word));
  return names.some((name) => words.some((word) => placeWords(name).split(" ").includes(word)));
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
