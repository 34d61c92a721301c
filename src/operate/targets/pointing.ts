/**
 * What only the conversation explains: "is it on", "the other one", "what about three", "and on line two". What is left
 * out is filled in from what was spoken of before, and then resolved like any name. Pure.
 */
import type { Resource } from "../../domain/resource.js";
import type { Steps } from "../../lib/steps.js";
import type { NamedResource, NameForm, NameIndex } from "./forms.js";
import { type Resolution, resourcesOf } from "./resolution.js";
import type { SaidWords } from "./sentence.js";

interface PointedDeps {
  readonly index: NameIndex;
  /** Between what the user may choose. */
  readonly offered: readonly Resource[];
  /** What was spoken of before. */
  readonly spoken: readonly Resource[];
  /** By the names in a text, without a conversation. */
  readonly resolve: (text: string, target?: string) => Steps<Resolution>;
  /** The words of the `target` argument. */
  readonly target?: string | undefined;
}

/** What a sentence means, by what was spoken of or else by the names in it. */
export function* pointedAt(sentence: SaidWords, deps: PointedDeps): Steps<Resolution> {
  const completed = deps.spoken.length === 0 ? undefined : yield* ofContext(sentence, deps);
  if (completed !== undefined) return completed.type === "one" ? { ...completed, how: "context" } : completed;
  const found = yield* deps.resolve(sentence.text, deps.target);
  return found.type === "none" ? (again(sentence, deps.spoken) ?? found) : found;
}

function* ofContext(
  sentence: SaidWords,
  { index, offered, resolve, spoken }: PointedDeps,
): Steps<Resolution | undefined> {
  const form = formOf(index.named.find(({ resource }) => resource === spoken[0])!);
  const open = [...sentence.words.keys()].filter((i) => !sentence.isFrame(i));
  const [first] = open;
  if (first === undefined) {
    const place = sentence.entryOf("place")?.value;
    if (place !== undefined && offered.length < 2)
      return yield* resolve(named(form, place === "last" ? undefined : String(place)));
    if (place !== undefined)
      return oneOf(offered.slice(place === "last" ? -1 : Number(place) - 1).slice(0, 1), offered);
    if (sentence.entryOf("other") === undefined) return again(sentence, spoken);
    const all = yield* resolve(named(form, undefined));
    const family = all.type === "ask" ? all.between : resourcesOf(all);
    return oneOf(offered.length > 1 ? offered : family.filter((one) => !spoken.includes(one)), spoken);
  }
  const number = sentence.ids(first).find(({ to }) => to - first === open.length);
  if (number !== undefined && sentence.words[first]!.kind === "number")
    return yield* resolve(named(form, number.id));
  const near = sentence.entryOf("near");
  if (near === undefined || first < near.to) return undefined;
  const elsewhere = yield* resolve(`${headOf(form)} ${sentence.text}`);
  return elsewhere.type === "one" || elsewhere.type === "ask" ? elsewhere : undefined;
}

/** "It", "they"; undefined where nothing points at what was spoken of. */
function again(sentence: SaidWords, spoken: readonly Resource[]): Resolution | undefined {
  const entry = sentence.entryOf("pronoun");
  if (entry === undefined || spoken.length === 0) return undefined;
  return entry.value === "several" && spoken.length > 1
    ? { type: "several", resources: spoken, words: sentence.text }
    : oneOf(spoken, spoken);
}

function oneOf(resources: readonly Resource[], otherwise: readonly Resource[]): Resolution {
  const [resource] = resources;
  if (resource === undefined) return { type: "ask", between: otherwise };
  return resources.length === 1
    ? { type: "one", resource, how: "context" }
    : { type: "ask", between: resources };
}

/** What the thing is called that was spoken of, where it is called by a number or letter, or else its kind. */
function formOf({ forms }: NamedResource): NameForm {
  return forms.find(({ items }) => items.some(({ id }) => id !== undefined)) ?? forms.at(-1)!;
}

/** The name with another number; without one that of its whole family. */
function named({ items }: NameForm, number: string | undefined): string {
  const counted = items.findLast(({ id }) => id !== undefined) ?? items.at(-1);
  return items.map((item) => `${item.word.text} ${(item === counted ? number : item.id) ?? ""}`).join(" ");
}

/** What says what it is: "label printer". */
function headOf({ head, items }: NameForm): string {
  const words = items.slice(head.from, head.to).map(({ word }) => word.text);
  return words.join(" ");
}
