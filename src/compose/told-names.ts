/** What recognisers, templates and newcomers are told of the things of a site that an access may know of. */
import type { KnownThing } from "../answer/introduction.js";
import type { Resource } from "../domain/resource.js";
import { type KnownWord, tellingNames } from "../hearing/vocabulary.js";
import { gently, type Steps, WorkBudget } from "../lib/steps.js";
import type { KnownResources } from "../operate/targets/registry.js";
import { commands } from "../routing/commands.js";

/** Names that templates are told, and that are looked at for a recogniser. */
const NAMES_MAX = 5_000;

/** The templates with the names of known resources. */
export const commandsFor = onceForEach((known) => commands.with("equipment", known.names(NAMES_MAX)));

/** What a recogniser is told of known resources. */
export const hintsFor = onceForEach((known) => tellingNames(namesOf(known)));

/** Worked out once for each set of resources: thousands of names take tens of milliseconds, in which others have their turn. */
function onceForEach<T>(workOf: (known: KnownResources) => Steps<T>) {
  const told = new WeakMap<KnownResources, Promise<T>>();
  return (known: KnownResources): Promise<T> => {
    const of = told.get(known) ?? allOf(workOf(known));
    told.set(known, of);
    return of;
  };
}

async function allOf<T>(steps: Steps<T>): Promise<T> {
  return (await gently(steps, new WorkBudget(Number.POSITIVE_INFINITY)))!;
}

/** Every name with the resource that it is of, and every place with one that is there. */
function namesOf({ all }: KnownResources): readonly KnownWord[] {
  return all
    .flatMap(({ area = [], id, names }) =>
      [...names, area].flat().map((text) => ({ text, source: { type: "resource", id } as const })),
    )
    .slice(0, NAMES_MAX);
}

/** What is named to somebody who asks what can be checked. */
export function oneOfEachKindFirst(resources: readonly Resource[]): readonly KnownThing[] {
  const ofKind = new Map(resources.toReversed().map((one) => [one.kind, one]));
  const ordered = new Set([...[...ofKind.values()].reverse(), ...resources]);
  return [...ordered].map(({ id, names }) => ({ id, name: names[0] }));
}
