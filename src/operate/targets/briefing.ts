/** What a model is told of the resources that were resolved before it was called. Names are data, in quotation marks. */
import type { Resource } from "../../domain/resource.js";
import type { KnownResources } from "./registry.js";
import type { Resolution } from "./resolution.js";
import { quoted } from "./routing.js";

/** Resources of one turn that a model is told of. */
const TOLD_MAX = 16;

/** Lines for a prompt; empty where no resource is spoken of. */
export function targetBriefing(resolution: Resolution, known: KnownResources): string {
  switch (resolution.type) {
    case "none":
      return "";
    case "unknown":
      return (
        `${quoted([resolution.words])} was NOT found: no such resource is known to this user. This is final. ` +
        "Do not search for it and do not use another resource in its place."
      );
    case "ask":
      return `The user has to choose first: ${quoted(firstNames(resolution.between))}. Read nothing yet.`;
    default: {
      const resources = resolution.type === "one" ? [resolution.resource] : resolution.resources;
      return resources
        .slice(0, TOLD_MAX)
        .map((resource) => {
          const [own, ...outer] = known.chainOf(resource);
          const area = known.areaOf(resource);
          return [
            `${quoted([own.names[0]])} (${own.kind}), id ${quoted([own.id])}, target ${quoted([own.address])}`,
            ...(area === undefined ? [] : [`  place: ${quoted([area])}`]),
            ...(outer.length === 0
              ? []
              : [`  runs on or is part of: ${quoted(outer.map(({ names }) => names[0]))}`]),
            ...own.paths.map(
              ({ inside, outside }) =>
                `  path inside ${quoted([inside])}, on its parent ${quoted([outside])}`,
            ),
          ].join("\n");
        })
        .join("\n");
    }
  }
}

function firstNames(resources: readonly Resource[]): readonly string[] {
  return resources.slice(0, TOLD_MAX).map(({ names }) => names[0]);
}
