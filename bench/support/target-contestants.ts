/** Who resolves targets in the benchmark: Readback's resolver, and a fuzzy search of names with the same frame around it. */
import Fuse from "fuse.js";
import type { Resource } from "../../src/domain/resource.js";
import { NO_TARGETS, type TargetContext } from "../../src/domain/target-context.js";
import { atOnce } from "../../src/lib/steps.js";
import type { Grammar } from "../../src/locale/commands/file.js";
import { afterResolution, type KnownResources, resourcesOf } from "../../src/operate/targets/registry.js";
import { resolveTarget } from "../../src/operate/targets/resolve.js";
import type { Language } from "../../src/words/polarity.js";

/** An utterance as a turn has it: with what the templates of commands made of it, and what was spoken of before. */
export interface TargetTask {
  readonly text: string;
  readonly language: Language;
  readonly target: string | undefined;
  readonly before: readonly string[];
}

export interface TargetAnswer {
  readonly type: "one" | "several" | "ask" | "unknown" | "none";
  readonly ids: readonly string[];
}

export interface TargetContestant {
  readonly name: string;
  resolve(task: TargetTask): TargetAnswer;
}

export function readbackContestant(known: KnownResources, grammars: readonly Grammar[]): TargetContestant {
  return {
    name: "readback",
    resolve: ({ before, language, target, text }) => {
      const context = contextOf(before, known);
      const found = atOnce(
        resolveTarget({ utterance: text, target, language }, { known, context, grammars, nowMs: 1 }),
      );
      const resources = found.type === "ask" ? found.between : resourcesOf(found);
      return { type: found.type, ids: resources.map(({ id }) => id) };
    },
  };
}

function contextOf(before: readonly string[], known: KnownResources): TargetContext {
  const resources = before.flatMap((id) => known.byId(id) ?? []);
  if (resources.length === 0) return NO_TARGETS;
  return afterResolution(NO_TARGETS, { type: "several", resources }, 0);
}

/** Of two results this near in score neither is taken. */
const FUSE_MARGIN = 0.02;

/**
 * The names in fuse.js, searched for the words of the argument or else for the whole utterance. The nearest is taken;
 * several as near are asked; nothing within the threshold is unknown, or none where no argument was found.
 */
export function fuseContestant(resources: readonly Resource[], threshold: number): TargetContestant {
  const rows = resources.map(({ id, kind, names }) => ({ id, names: [...names, kind] }));
  const fuse = new Fuse(rows, { keys: ["names"], threshold, includeScore: true, ignoreLocation: true });
  return {
    name: `fuse.js ${threshold}`,
    resolve: ({ target, text }) => {
      const found = fuse.search(target ?? text);
      const best = found[0]?.score;
      if (best === undefined) return { type: target === undefined ? "none" : "unknown", ids: [] };
      const near = found.filter(({ score }) => score! - best <= FUSE_MARGIN).map(({ item }) => item.id);
      return { type: near.length === 1 ? "one" : "ask", ids: near };
    },
  };
}
