/**
 * Readings taken apart into single facts: each value with its key, the names of the things that it belongs to, its age,
 * and the lists that things are members of. Results of tools have any shape; what is bounded is how deep and how much.
 */

import type { EvidenceType } from "../../domain/answer.js";
import { grouped } from "../../lib/grouped.js";
import { pattern } from "../../lib/pattern.js";
import type { Steps } from "../../lib/steps.js";
import { unitIn } from "../../words/quantity/unit-at.js";
import { READING_CHARS_MAX, READING_VALUES_MAX } from "../limits.js";
import { keyWords, kindOf, type StateTerm, stateOf } from "./vocabulary.js";

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
  readonly ageMs: number | undefined;
  /** Read by a tool, recently enough for what changes at any time. */
  readonly isFresh: boolean;
}

/** A thing that has a name. */
export interface Thing {
  readonly names: readonly string[];
  readonly kind: string | undefined;
}

export type Scalar = string | number | boolean;

export interface Fact {
  readonly origin: FactOrigin;
  /** Keys from the outermost; places in lists are left out. */
  readonly path: readonly string[];
  /** The words of the path's last key. */
  readonly words: readonly string[];
  /** Innermost first. */
  readonly things: readonly Thing[];
  readonly value: Scalar;
  /** Which object it is a field of: fields of one object belong together. */
  readonly parent: number;
}

/** A list of things. */
export interface MemberList {
  readonly origin: FactOrigin;
  readonly path: readonly string[];
  readonly kind: string | undefined;
  readonly members: readonly Thing[];
  /** Which object describes each member; undefined where only its name is given. */
  readonly parents: readonly (number | undefined)[];
  /** What is not among the members is not there. */
  readonly isComplete: boolean;
  /** What the list says of its members by its own key, such as `running`. */
  readonly state: StateTerm | undefined;
}

export interface Facts {
  readonly facts: readonly Fact[];
  readonly listings: readonly MemberList[];
  /** There is more in the readings than is looked at, so that nothing can be told from them. Absent: all is known. */
  readonly excess?: string;
}

const byParent = new WeakMap<Facts, ReadonlyMap<number, readonly Fact[]>>();

/** The facts of one object. */
export function factsOf(parent: number | undefined, facts: Facts): readonly Fact[] {
  let known = byParent.get(facts);
  if (known === undefined) {
    known = grouped(facts.facts, (fact) => fact.parent);
    byParent.set(facts, known);
  }
  return parent === undefined ? [] : (known.get(parent) ?? []);
}

/** A reading of what changes at any time is believed for so long. */
export const FRESH_AGE_MAX_MS = 300_000;

const DEPTH_MAX = 12;
/** Names of one thing. */
const NAMES_MAX = 64;

/** Facts, or things, that are looked at in one step of the work. */
export const FACTS_PER_STEP = 100;

/** What is read; its fields are those of `Readings`. */
interface Sources {
  readonly state?: SystemState | undefined;
  readonly tools: readonly ToolReading[];
  readonly nowMs?: number | undefined;
  readonly sinceMs?: (() => number) | undefined;
}

export function* readFacts({ nowMs, sinceMs = () => 0, state, tools }: Sources): Steps<Facts> {
  const reader = new FactReader();
  if (state !== undefined) {
    const { collectedAt, collected_at, ...values } = state;
    const atMs = timeMs(collectedAt ?? collected_at);
    const ageMs = nowMs === undefined || atMs === undefined ? undefined : Math.max(0, nowMs - atMs);
    yield* reader.read(values, new ReadingOrigin("system_state", "state", ageMs, sinceMs));
  }
  for (const { tool, args, result, ageMs } of tools) {
    yield;
    const read = structured(result);
    yield;
    yield* reader.read(read, new ReadingOrigin("tool_output", tool, ageMs, sinceMs), args);
  }
  return reader;
}

class ReadingOrigin implements FactOrigin {
  constructor(
    readonly type: FactOrigin["type"],
    readonly name: string,
    private readonly givenMs: number | undefined,
    private readonly sinceMs: () => number,
  ) {}

  get ageMs(): number | undefined {
    return this.givenMs === undefined ? undefined : this.givenMs + this.sinceMs();
  }

  get isFresh(): boolean {
    const { ageMs = -1, type } = this;
    return type === "tool_output" && ageMs >= 0 && ageMs <= FRESH_AGE_MAX_MS;
  }
}

function timeMs(value: unknown): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : value;
  return typeof ms === "number" && Number.isFinite(ms) ? ms : undefined;
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

class FactReader implements Facts {
  readonly facts: Fact[] = [];
  readonly listings: MemberList[] = [];
  #objects = 0;
  #values = 0;
  excess?: string;

  /** Counts what is read; false when that was too much. */
  #hasRoom(chars = 0): boolean {
    this.#values += 1;
    if (this.#values > READING_VALUES_MAX) this.excess = `more than ${READING_VALUES_MAX} values`;
    if (chars > READING_CHARS_MAX) this.excess = `a value of more than ${READING_CHARS_MAX} characters`;
    return this.excess === undefined;
  }

  *read(value: unknown, origin: FactOrigin, args?: unknown): Steps<void> {
    const about = isRecord(args) ? thingOf(args, undefined) : undefined;
    const kind = kindIn(origin.name);
    // The machine's own name is no name of a thing on it.
    if (origin.type === "system_state" && isRecord(value)) yield* this.#fields(value, origin, [], []);
    else
      yield* this.#walk(value, {
        origin,
        path: [],
        things: about === undefined ? [] : [about],
        kind,
        depth: 0,
      });
  }

  *#walk(value: unknown, at: Place): Steps<void> {
    if (at.depth > DEPTH_MAX || !this.#hasRoom()) return;
    if (Array.isArray(value)) yield* this.#list(value, at, undefined);
    else if (isRecord(value)) yield* this.#object(value, at);
    else this.#scalar(value, at, this.#objects++);
  }

  *#object(value: Fields, at: Place): Steps<number> {
    const kind = at.kind;
    const thing = thingOf(value, kind);
    const things = thing === undefined ? at.things : [thing, ...at.things];
    return yield* this.#fields(value, at.origin, at.path, things, kind, at.depth);
  }

  /** Returns the object's number. */
  *#fields(
    fields: Fields,
    origin: FactOrigin,
    path: readonly string[],
    things: readonly Thing[],
    kind?: string,
    depth = 0,
  ): Steps<number> {
    const parent = this.#objects++;
    const entries = Object.entries(fields);
    if (entries.length > READING_VALUES_MAX) this.excess = `more than ${READING_VALUES_MAX} values`;
    for (const [key, value] of entries) {
      if (!this.#hasRoom(key.length)) break;
      if (this.#values % FACTS_PER_STEP === 0) yield;
      const at = { origin, path: [...path, key], things, kind: kindIn(key) ?? kind, depth: depth + 1 };
      if (Array.isArray(value)) yield* this.#list(value, at, fields);
      else if (isRecord(value) && isMapOfThings(key, value)) yield* this.#map(value, at);
      else if (isRecord(value)) yield* this.#walk(value, at);
      else this.#scalar(value, at, parent);
    }
    return parent;
  }

  *#list(values: readonly unknown[], at: Place, around: Fields | undefined): Steps<void> {
    const members: Thing[] = [];
    const parents: (number | undefined)[] = [];
    for (const value of values) {
      if (!this.#hasRoom()) break;
      if (this.#values % FACTS_PER_STEP === 0) yield;
      if (isRecord(value)) {
        const thing = thingOf(value, at.kind);
        members.push(thing ?? { names: [], kind: at.kind });
        parents.push(yield* this.#object(value, at));
      } else if (isScalar(value)) {
        members.push({ names: [String(value)], kind: at.kind });
        parents.push(undefined);
        this.#scalar(value, at, this.#objects++);
      } else yield* this.#walk(value, { ...at, depth: at.depth + 1 });
    }
    this.#listing(members, parents, at, around);
  }

  /** `{ nginx: { status: "running" }, redis: "stopped" }`: the keys are the names. */
  *#map(values: Fields, at: Place): Steps<void> {
    const members: Thing[] = [];
    const parents: (number | undefined)[] = [];
    for (const [name, value] of Object.entries(values)) {
      if (!this.#hasRoom(name.length)) break;
      const thing = { names: [name], kind: at.kind };
      const things = [thing, ...at.things];
      members.push(thing);
      if (isRecord(value)) {
        parents.push(yield* this.#fields(value, at.origin, at.path, things, at.kind, at.depth + 1));
        continue;
      }
      const parent = this.#objects++;
      parents.push(parent);
      const key = at.kind === "package" ? "version" : "status";
      if (Array.isArray(value))
        yield* this.#list(value, { ...at, path: [...at.path, name], things, depth: at.depth + 1 }, undefined);
      else this.#scalar(value, { ...at, path: [...at.path, key], things }, parent);
    }
    this.#listing(members, parents, at, undefined);
  }

  #listing(
    members: readonly Thing[],
    parents: readonly (number | undefined)[],
    { origin, path, kind }: Place,
    around: Fields | undefined,
  ): void {
    const words = path.flatMap(keyWords);
    const state = words.map(stateOf).find((one) => one !== undefined) ?? stateByKind(kind, origin);
    const isComplete = isWhole(words, around, members.length);
    this.listings.push({ origin, path, kind, members, parents, isComplete, state });
  }

  #scalar(value: unknown, { origin, path, things }: Place, parent: number): void {
    if (!isScalar(value) || !this.#hasRoom(typeof value === "string" ? value.length : 0)) return;
    this.facts.push({ origin, path, words: keyWords(path.at(-1) ?? ""), things, value, parent });
  }
}

interface Place {
  readonly origin: FactOrigin;
  readonly path: readonly string[];
  readonly things: readonly Thing[];
  readonly kind: string | undefined;
  readonly depth: number;
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Fields that name the object that they are in, the most telling first. */
const NAME_KEYS = (
  "name names service service_name unit unit_name container container_name process process_name package " +
  "package_name interface iface mount mountpoint mounted_on device filesystem sensor door pump valve tank zone room " +
  "machine asset location site line label title command cmd comm user username"
).split(" ");

const ID_KEYS = ["id", "container_id", "uuid"];

function thingOf(fields: Fields, kindAround: string | undefined): Thing | undefined {
  const byKey = new Map(
    Object.entries(fields).map(([key, value]) => [keyWords(key).join("_"), value] as const),
  );
  const key = NAME_KEYS.find(
    (name) => namesIn(byKey.get(name)).length > 0 && !(name === "unit" && isMeasuredIn(byKey.get(name))),
  );
  if (key === undefined) return undefined;
  const ids = ID_KEYS.flatMap((id) => namesIn(byKey.get(id)));
  const names = namesIn(byKey.get(key)).flatMap((name) =>
    /^(?:command|cmd|comm)$/.test(key) ? [baseName(name)] : [name],
  );
  return { names: [...names, ...ids], kind: kindIn(key) ?? kindAround };
}

/** `{ value: 4.2, unit: "bar" }`: a unit of measurement names nothing. */
function isMeasuredIn(value: unknown): boolean {
  return typeof value === "string" && unitIn(value) !== undefined;
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").slice(0, NAMES_MAX) : [];
}

/** `/usr/sbin/nginx -g daemon` is nginx. */
function baseName(command: string): string {
  return command.split(/\s/)[0]!.split("/").at(-1)!;
}

function kindIn(name: string): string | undefined {
  return keyWords(name)
    .map(kindOf)
    .filter((kind) => kind !== undefined)
    .at(-1);
}

/** A collection of which each key is a name: `services: { nginx: … }`, but not `service: { name: …, active: … }`. */
function isMapOfThings(key: string, value: Fields): boolean {
  const last = keyWords(key).at(-1) ?? "";
  return kindOf(last) !== undefined && last.endsWith("s") && thingOf(value, undefined) === undefined
    ? Object.values(value).every(
        (one) => isRecord(one) || typeof one === "string" || typeof one === "boolean",
      )
    : false;
}

/** Keys of lists that hold only some of what there is. */
const PARTIAL = pattern()`
  ^(?:top|first|last|head|tail|filtered|matches|matching|matched|recent|latest|sample
  |samples|page|results?|examples?|some|selected|largest|biggest|highest|search|found
  |limited)$
`;

/** Whether a list holds all that there is, as far as the object around it tells. */
function isWhole(words: readonly string[], around: Fields | undefined, length: number): boolean {
  if (words.some((word) => PARTIAL.test(word))) return false;
  if (around === undefined) return true;
  return extentFields(around).every(([key, value]) => {
    if (/^(?:truncated|partial|has_more|more|is_partial)$/.test(key)) return value === false || value === 0;
    if (/^(?:complete|is_complete)$/.test(key)) return value !== false;
    if (
      /^(?:filter|filtered|filter_by|pattern|query|grep|match|search|limit|next|next_page|cursor|offset)$/.test(
        key,
      )
    )
      return value === null || value === false || value === "" || value === 0;
    if (
      /^(?:total|total_count|count|total_processes|total_containers)$/.test(key) &&
      typeof value === "number"
    )
      return value <= length;
    return true;
  });
}

const extents = new WeakMap<Fields, readonly (readonly [key: string, value: unknown])[]>();

/** The fields of an object that tell how much of a list it holds: the same for each list in it. */
function extentFields(around: Fields): readonly (readonly [key: string, value: unknown])[] {
  const known = extents.get(around);
  if (known !== undefined) return known;
  const fields = Object.entries(around).map(([key, value]) => [keyWords(key).join("_"), value] as const);
  const telling = fields.filter(([key]) => EXTENT.test(key));
  extents.set(around, telling);
  return telling;
}

const EXTENT =
  /partial|truncated|more|complete|filter|pattern|query|grep|match|search|limit|next|cursor|offset|total|count/;

/** What a list says of its members by what it is a list of. */
function stateByKind(kind: string | undefined, origin: FactOrigin): StateTerm | undefined {
  if (kind === "process" && origin.type === "tool_output") return stateOf("running");
  return kind === "package" ? stateOf("installed") : undefined;
}
