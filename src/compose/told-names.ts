/** What recognisers, templates and newcomers are told of the things of a site that an access may know of. */
import type { KnownThing } from "../answer/introduction.js";
import type { Resource } from "../domain/resource.js";
import { type KnownWord, tellingNames } from "../hearing/vocabulary.js";
import { gently, type Steps, WorkBudget } from "../lib/steps.js";
import type { Commands } from "../locale/commands/commands.js";
import type { KnownResources } from "../operate/targets/registry.js";
import { commands } from "../routing/commands.js";

/** Names that templates are told, and that are looked at for a recogniser. */
const NAMES_MAX = 5_000;

/** What templates and recognisers are told of known resources, worked out once for each set of them. */
export class ToldNames {
  readonly #commands = new WeakMap<KnownResources, Promise<Commands>>();
  readonly #hints = new WeakMap<KnownResources, readonly KnownWord[]>();

  /** Thousands of names take tens of milliseconds, in which others have their turn. */
  commandsFor(known: KnownResources): Promise<Commands> {
    const told = this.#commands.get(known) ?? allOf(commands.with("equipment", known.names(NAMES_MAX)));
    this.#commands.set(known, told);
    return told;
  }

  hints(known: KnownResources): readonly KnownWord[] {
    const told = this.#hints.get(known) ?? tellingNames(namesOf(known));
    this.#hints.set(known, told);
    return told;
  }
}

async function allOf(steps: Steps<Commands>): Promise<Commands> {
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
