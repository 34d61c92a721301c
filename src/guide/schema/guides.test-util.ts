/** Guides for tests, as files write them. */
import type { Guide } from "./guide.js";
import { parseGuide } from "./read-guide.js";

type Fields = Readonly<Record<string, unknown>>;

/** A procedure of these steps, behind which its end is put. */
export function procedureOf(steps: readonly Fields[], fields: Fields = {}): Guide {
  return guideOf([...steps, { id: "z", kind: "end", title: "Done" }], { flow_type: "procedural", ...fields });
}

/** A guide of these steps alone; a tree unless `fields` say otherwise. */
export function guideOf(steps: readonly Fields[], fields: Fields = {}): Guide {
  return parseGuide({ ...BASE, steps, ...fields });
}

export const BASE: Fields = { readback_guide: 1, id: "g", name: "Guide", flow_type: "troubleshooting" };

export function instruct(id: string, fields: Fields = {}): Fields {
  return { id, kind: "instruct", title: `Step ${id}`, text: `Close valve ${id}.`, ...fields };
}

/** A question whose options lead to these steps. */
export function question(id: string, leads: Readonly<Record<string, string>>, fields: Fields = {}): Fields {
  const options = Object.entries(leads).map(([label, next], at) => ({ id: `${at}`, label, next }));
  return { id, kind: "question", text: "Is the light on?", options, ...fields };
}
