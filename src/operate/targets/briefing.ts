/** What a model is told of the resources that were resolved before it was called. Names are data, in quotation marks. */
import type { Resource } from "../../domain/resource.js";
import type { KnownResources } from "./registry.js";
import { quoted } from "./routing.js";

/** Resources of one turn that a model is told of. */
const TOLD_MAX = 16;

/** Lines for a prompt; empty where no resource is spoken of. */
export function targetBriefing(resources: readonly Resource[], known: KnownResources): string {
  return resources
    .slice(0, TOLD_MAX)
    .flatMap((resource) => linesOf(resource, known))
    .join("\n");
}

function linesOf(resource: Resource, known: KnownResources): readonly string[] {
  const { address, id, kind, names, paths } = resource;
  const outer = known.chainOf(resource).slice(1);
  const area = known.areaOf(resource);
  return [
    `${quoted([names[0]])} (${kind}), id ${quoted([id])}, target ${quoted([address])}`,
    ...(area === undefined ? [] : [`  place: ${quoted([area])}`]),
    ...(outer.length === 0 ? [] : [`  runs on or is part of: ${quoted(outer.map((one) => one.names[0]))}`]),
    ...paths.map(
      ({ inside, outside }) => `  path inside ${quoted([inside])}, on its parent ${quoted([outside])}`,
    ),
  ];
}
