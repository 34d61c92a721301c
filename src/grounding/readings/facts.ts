/**
 * Readings taken apart into single facts: each value with its key, the names of the things that it belongs to, its age,
 * and the lists that things are members of. Results of tools have any shape; what is bounded is how deep and how much.
 */
import type { EvidenceType } from "../../domain/answer.js";
import { isRecord } from "../../lib/is-record.js";
import { pattern } from "../../lib/pattern.js";
import type { Steps } from "../../lib/steps.js";
import { unitIn } from "../../words/quantity/unit-at.js";
import { READING_CHARS_MAX, READING_VALUES_MAX } from "../limits.js";
import { canonicalName, tokensOf } from "./text.js";
import { keyWords, kindOf, resourceOf, type StateTerm, stateOf } from "./vocabulary.js";

/** What a tool answered, and how long ago. */
export interface ToolReading {
  readonly tool: string;
  /** What the tool was called with, such as `{ service: "nginx" }`: names what the result is about. */
  readonly args?: unknown;
  readonly result: unknown;
  readonly ageMs: number;
}

/** A snapshot of what changes rarely; `collectedAt` in Unix milliseconds, or as ISO 8601 text. */
export type SystemState = Readonly<Record<string, unknown>> & { readonly collectedAt?: unknown };

/** Where a fact comes from. */
export interface FactOrigin {
  readonly type: Extract<EvidenceType, "system_state" | "tool_output">;
  /** The tool's name, or `state`. */
  readonly name: string;
  /** In Unix milliseconds. */
  readonly takenAtMs: number | undefined;
  /** Now, in milliseconds. */
  readonly ageMs: () => number | undefined;
}

/** A thing that has a name. */
export interface Thing {
  /** The name that is shown. */
  readonly label: string;
  /** As names are compared; see `canonicalName`. */
  readonly names: readonly string[];
  readonly kind: string | undefined;
}

export interface Fact {
  readonly origin: FactOrigin;
  /** Keys from the outermost; places in lists are left out. */
  readonly path: readonly string[];
  /** The words of the path's last key, and those of the others. */
  readonly words: readonly string[];
  readonly around: readonly string[];
  /** Innermost first. */
  readonly things: readonly Thing[];
  readonly value: string | number | boolean;
  /** The words of the value, in lower case. */
  readonly said: readonly string[];
  /** All fields of the object that it is a field of. */
  readonly beside: readonly Fact[];
}

/** A list of things. */
export interface MemberList {
  readonly origin: FactOrigin;
  readonly path: readonly string[];
  readonly kind: string | undefined;
  /** `facts`: what describes the member. */
  readonly members: readonly { readonly thing: Thing; readonly facts: readonly Fact[] }[];
  /** What is not among the members is not there. */
  readonly isComplete: boolean;
  /** What the list says of its members by its own key, such as `running`. */
  readonly state: StateTerm | undefined;
}

const DEPTH_MAX = 12;
/** Names of one thing. */
const NAMES_MAX = 64;
/** Facts that are looked at in one step of the work. */
export const FACTS_PER_STEP = 100;

type Fields = Readonly<Record<string, unknown>>;

interface Place {
  readonly origin: FactOrigin;
  readonly path: readonly string[];
  readonly things: readonly Thing[];
  readonly kind: string | undefined;
  readonly depth: number;
  /** Fields of the object around it, as far as they are read, and how many its lists hold where they hold all. */
  readonly beside: Fact[];
  readonly extent: number;
}

/** What is known of a site: readings are added to it as they come. */
export class SiteFacts {
  readonly facts: Fact[] = [];
  readonly lists: MemberList[] = [];
  /** Of all things, as names are compared. */
  readonly names = new Set<string>();
  /** There is more in the readings than is looked at, so that nothing can be told from them. */
  excess: string | undefined;
  #values = 0;

  /** `nowMs`: the wall clock, in Unix milliseconds. */
  constructor(private readonly nowMs: () => number) {}

  /** Adds a snapshot of what changes rarely. */
  *addState({ collectedAt, collected_at, ...values }: SystemState): Steps<void> {
    const taken = collectedAt ?? collected_at;
    const takenAtMs = typeof taken === "string" ? Date.parse(taken) : taken;
    const knownAtMs = Number.isFinite(takenAtMs) ? Number(takenAtMs) : undefined;
    const origin = this.#origin("system_state", "state", knownAtMs);
    // The machine's own name is no name of a thing on it.
    yield* this.#fields(values, placeOf(origin, [], undefined));
  }

  /** Adds what a tool answered. */
  *addTool({ tool, args, result, ageMs }: ToolReading): Steps<void> {
    yield;
    const origin = this.#origin("tool_output", tool, this.nowMs() - ageMs);
    const about = isRecord(args) ? this.#named(thingOf(args, undefined)) : [];
    const read = structured(result);
    yield;
    yield* this.#value(read, placeOf(origin, about, kindIn(tool)));
  }

  #origin(type: FactOrigin["type"], name: string, takenAtMs: number | undefined): FactOrigin {
    const ageMs = () => (takenAtMs === undefined ? undefined : Math.max(0, this.nowMs() - takenAtMs));
    return { type, name, takenAtMs, ageMs };
  }

  /** Counts what is read; false when that was too much. */
  #hasRoom(chars = 0): boolean {
    this.#values += 1;
    if (this.#values > READING_VALUES_MAX) this.excess = `more than ${READING_VALUES_MAX} values`;
    if (chars > READING_CHARS_MAX) this.excess = `a value of more than ${READING_CHARS_MAX} characters`;
    return this.excess === undefined;
  }

  *#value(value: unknown, at: Place): Steps<void> {
    if (at.depth > DEPTH_MAX || !this.#hasRoom(typeof value === "string" ? value.length : 0)) return;
    if (this.facts.length % FACTS_PER_STEP === 0) yield;
    if (Array.isArray(value)) yield* this.#list(value, at);
    else if (!isRecord(value)) this.#scalar(value, at);
    else if (isMapOfThings(at.path.at(-1) ?? "", value)) yield* this.#list(asList(value, at.kind), at);
    else yield* this.#object(value, at);
  }

  /** The thing that an object is, with its fields. */
  *#object(fields: Fields, at: Place): Steps<MemberList["members"][number]> {
    const named = this.#named(thingOf(fields, at.kind));
    const facts = yield* this.#fields(fields, { ...at, things: [...named, ...at.things], beside: [] });
    return { thing: named[0] ?? { label: "?", names: [], kind: at.kind }, facts };
  }

  *#fields(fields: Fields, at: Place): Steps<readonly Fact[]> {
    const extent = extentOf(fields);
    for (const [key, value] of Object.entries(fields)) {
      if (!this.#hasRoom(key.length)) break;
      const [path, kind, depth] = [[...at.path, key], kindIn(key) ?? at.kind, at.depth + 1];
      yield* this.#value(value, { ...at, path, kind, depth, extent });
    }
    return at.beside;
  }

  *#list(values: readonly unknown[], at: Place): Steps<void> {
    const members: MemberList["members"][number][] = [];
    for (const value of values) {
      const inner = { ...at, depth: at.depth + 1, extent: 0, beside: [] as Fact[] };
      if (this.excess !== undefined) break;
      if (isRecord(value) && this.#hasRoom()) members.push(yield* this.#object(value, inner));
      else {
        yield* this.#value(value, inner);
        if (inner.beside.length === 0) continue;
        const [thing] = this.#named(thingNamed([String(value)], at.kind));
        members.push({ thing: thing!, facts: inner.beside });
      }
    }
    const { extent, kind, origin, path } = at;
    const words = path.flatMap(keyWords);
    const state = words.map(stateOf).find((one) => one !== undefined) ?? stateByKind(kind, origin);
    const isComplete = !words.some((word) => PARTIAL.test(word)) && members.length >= extent;
    this.lists.push({ origin, path, kind, members, isComplete, state });
  }

  #scalar(value: unknown, { beside, origin, path, things }: Place): void {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return;
    const key = keyWords(path.at(-1) ?? "");
    const isCount = /^\d/.test(String(value)) && key.some((word) => kindOf(word) ?? resourceOf(word));
    const named = isCount || truthOf(value) === undefined ? undefined : nameIn(key);
    const fact: Fact = {
      ...{ origin, path, value, beside },
      words: named === undefined ? key : [named.state],
      around: path.slice(0, -1).flatMap(keyWords),
      things: [...this.#named(named && thingNamed([named.name], undefined)), ...things],
      said: tokensOf(String(value)).map(({ word }) => word),
    };
    this.facts.push(fact);
    beside.push(fact);
  }

  /** Remembers the names of a thing, where there is one. */
  #named(thing: Thing | undefined): readonly Thing[] {
    for (const name of thing?.names ?? []) if (/[\p{L}/]/u.test(name)) this.names.add(name);
    return thing === undefined ? [] : [thing];
  }
}

function placeOf(origin: FactOrigin, things: readonly Thing[], kind: string | undefined): Place {
  return { origin, things, kind, path: [], depth: 0, beside: [], extent: 0 };
}

/** A result that is text: JSON, or lines of `key: value`. */
function structured(result: unknown): unknown {
  if (typeof result !== "string") return result;
  if (result.length > READING_VALUES_MAX * READING_CHARS_MAX) return { text: result };
  const text = result.trim();
  if (/^[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return { text };
    }
  }
  const pairs = text.split("\n").flatMap((line) => {
    if (line.length > READING_CHARS_MAX) return [];
    const pair = /^\s*([\p{L}][\p{L}\p{N} _-]{0,40}?)\s*[:=]\s*(\S(?:.*\S)?)\s*$/u.exec(line);
    return pair === null ? [] : [[pair[1]!, pair[2]!] as const];
  });
  return pairs.length === 0 ? { text } : Object.fromEntries(pairs);
}

/** Yes or no, in the ways in which systems write it. */
export function truthOf(value: Fact["value"]): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (/^(?:true|yes|y|1)$/i.test(String(value))) return true;
  return /^(?:false|no|n|0)$/i.test(String(value)) ? false : undefined;
}

/** `docker_installed`: the key names the thing and its state. */
function nameIn(words: readonly string[]): { readonly name: string; readonly state: string } | undefined {
  const state = words.find((word) => stateOf(word) !== undefined);
  const name = words.filter((word) => word !== state && !/^(?:is|are|service|daemon)$/.test(word)).join("-");
  return state === undefined || name === "" ? undefined : { name, state };
}

/** Fields that name the object that they are in, the most telling first. */
const NAME_KEYS = (
  "name names service service_name unit unit_name container container_name process process_name package " +
  "package_name interface iface mount mountpoint mounted_on device filesystem sensor door pump valve tank zone room " +
  "machine asset location site line label title command cmd comm user username"
).split(" ");
const COMMANDS = /^(?:command|cmd|comm)$/;

function thingOf(fields: Fields, kindAround: string | undefined): Thing | undefined {
  const byKey = new Map(Object.entries(fields).map(([key, value]) => [keyWords(key).join("_"), value]));
  const namesBy = (key: string) =>
    // `{ value: 4.2, unit: "bar" }`: a unit of measurement names nothing.
    namesIn(byKey.get(key)).filter((name) => key !== "unit" || unitIn(name) === undefined);
  const key = NAME_KEYS.find((one) => namesBy(one).length > 0);
  if (key === undefined) return undefined;
  const names = namesBy(key).map((name) => (COMMANDS.test(key) ? baseName(name) : name));
  return thingNamed(names, kindIn(key) ?? kindAround);
}

function thingNamed(names: readonly string[], kind: string | undefined): Thing {
  return { label: names[0]!, names: names.map((name) => canonicalName(name, kind)), kind };
}

function namesIn(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value.slice(0, NAMES_MAX) : [value];
  return all.flatMap((one) => (typeof one === "string" && one.trim() !== "" ? [one.trim()] : []));
}

/** `/usr/sbin/nginx -g daemon` is nginx. */
function baseName(command: string): string {
  return command.split(/\s/)[0]!.split("/").at(-1)!;
}

function kindIn(name: string): string | undefined {
  return keyWords(name)
    .flatMap((word) => kindOf(word) ?? [])
    .at(-1);
}

/** A collection of which each key is a name: `services: { nginx: … }`, but not `service: { name: …, active: … }`. */
function isMapOfThings(key: string, value: Fields): boolean {
  const last = keyWords(key).at(-1) ?? "";
  if (kindOf(last) === undefined || !last.endsWith("s")) return false;
  if (thingOf(value, undefined) !== undefined) return false;
  return Object.values(value).every((one) => isRecord(one) || ["string", "boolean"].includes(typeof one));
}

/** `{ nginx: { status: "running" }, redis: "stopped" }` as a list of what has these names. */
function asList(values: Fields, kind: string | undefined): readonly Fields[] {
  const key = kind === "package" ? "version" : "status";
  const fieldsOf = (value: unknown) => (isRecord(value) ? value : { [key]: value });
  return Object.entries(values).map(([name, value]) => ({ ...fieldsOf(value), name }));
}

/** Keys of lists that hold only some of what there is. */
const PARTIAL = pattern()`
  ^(?:top|first|last|head|tail|filtered|matches|matching|matched|recent|latest|sample
  |samples|page|results?|examples?|some|selected|largest|biggest|highest|search|found
  |limited)$
`;

/** Fields of the object around a list that tell, where they say anything, that it holds only some. */
const CUTS = pattern()`
  ^(?:truncated|partial|has_more|more|is_partial|filter|filtered|filter_by|pattern|query
  |grep|match|search|limit|next|next_page|cursor|offset)$
`;

const TOTALS = /^(?:total|total_count|count|total_processes|total_containers)$/;

/** How many the lists of an object hold where they hold all that there is, as far as the object tells. */
function extentOf(fields: Fields): number {
  let extent = 0;
  for (const [key, value] of Object.entries(fields).slice(0, READING_VALUES_MAX)) {
    const name = keyWords(key.slice(0, READING_CHARS_MAX)).join("_");
    const isCut = CUTS.test(name) ? Boolean(value) : /^(?:is_)?complete$/.test(name) && value === false;
    if (isCut) return Number.POSITIVE_INFINITY;
    if (TOTALS.test(name) && typeof value === "number") extent = Math.max(extent, value);
  }
  return extent;
}

/** What a list says of its members by what it is a list of. */
function stateByKind(kind: string | undefined, { type }: FactOrigin): StateTerm | undefined {
  if (kind === "process" && type === "tool_output") return stateOf("running");
  return kind === "package" ? stateOf("installed") : undefined;
}
