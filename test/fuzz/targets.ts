/** Everything that is fuzzed by texts and bytes, by name. */
import type { Target } from "./target.js";
import { chunking, frontMatter, json, manifest, marks } from "./targets/documents.js";
import { extractive, grounding, question, readings } from "./targets/evidence.js";
import { routing } from "./targets/routing.js";
import { shell, targets } from "./targets/sites.js";
import { sentences, speakable } from "./targets/speech.js";
import { commands, decoder, ogg } from "./targets/wire.js";

const TARGETS: readonly Target[] = [
  decoder,
  commands,
  ogg,
  grounding,
  readings,
  question,
  extractive,
  speakable,
  sentences,
  chunking,
  frontMatter,
  manifest,
  json,
  marks,
];

/** Those that have to load something first. */
const LOADED: Readonly<Record<string, () => Promise<Target>>> = { routing, shell, targets };

export const TARGET_NAMES: readonly string[] = [...TARGETS.map(({ name }) => name), ...Object.keys(LOADED)];

/** Rejects when there is none of that name. */
export async function targetNamed(name: string): Promise<Target> {
  const found = (await LOADED[name]?.()) ?? TARGETS.find((target) => target.name === name);
  if (found === undefined)
    throw new Error(`There is no target ${name}; there are: ${TARGET_NAMES.join(", ")}`);
  return found;
}
