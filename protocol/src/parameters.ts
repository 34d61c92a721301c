/**
 * Reads the parameters of one command out of its JSON object, each with one rule ([LT-42]). What breaks a rule throws
 * a Refusal, whose text names the parameter, what came and what is expected; the parsers turn it into their result.
 */
import type { ErrorCode } from "./errors.js";
import { MID_MAX, NAME_BYTES_MAX, REQUEST_ID_BYTES_MAX } from "./limits.js";
import { fitsUtf8, isWellFormed, nameProblem } from "./utf8.js";

/** A JSON object, its values not looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Why a command is refused; thrown and caught inside this package only. */
export class Refusal extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Characters of an offending value that an error text repeats. */
const PREVIEW_CHARACTERS_MAX = 40;

export class Parameters {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    this.#object = object;
  }

  /** The raw value; null and a missing key are the same ([LT-42]). Inherited properties are not parameters. */
  raw(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? (this.#object[name] ?? undefined) : undefined;
  }

  /** Any text, also an empty one. */
  string(name: string, expected = "a string"): string {
    const value = this.#required(name, expected);
    if (typeof value !== "string") throw bad(name, value, expected);
    if (!isWellFormed(value)) throw bad(name, value, "a string without unpaired surrogates");
    return value;
  }

  /** Text that says something. */
  text(name: string, expected: string): string {
    const value = this.string(name, expected);
    if (value.trim() === "") throw bad(name, value, expected);
    return value;
  }

  optionalText(name: string, expected: string): string | undefined {
    return this.raw(name) === undefined ? undefined : this.text(name, expected);
  }

  /** A name of 1 to `bytesMax` bytes without control characters ([LT-31]). */
  optionalName(name: string, bytesMax = NAME_BYTES_MAX): string | undefined {
    const expected = `a string of 1 to ${bytesMax} bytes without control characters`;
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string") throw bad(name, value, expected);
    const problem = nameProblem(value, bytesMax);
    if (problem !== undefined) throw refuse(name, problem, expected);
    return value;
  }

  /** A text that errors must not repeat: 1 to `bytesMax` bytes without control characters. */
  optionalSecret(name: string, bytesMax: number): string | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value === "string" && nameProblem(value, bytesMax) === undefined) return value;
    const expected = `a string of 1 to ${bytesMax} bytes without control characters`;
    throw refuse(name, "is not one", expected);
  }

  /** `request_id` ([LT-41]). */
  requestId(): string | undefined {
    const expected = `a string of at most ${REQUEST_ID_BYTES_MAX} bytes`;
    if (this.raw("request_id") === undefined) return undefined;
    const value = this.string("request_id", expected);
    if (!fitsUtf8(value, REQUEST_ID_BYTES_MAX)) throw bad("request_id", value, expected);
    return value;
  }

  oneOf<T extends string>(name: string, words: readonly T[]): T {
    const expected = words.map((word) => JSON.stringify(word)).join(" or ");
    const value = this.#required(name, expected);
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw bad(name, value, expected);
    return word;
  }

  optionalOneOf<T extends string>(name: string, words: readonly T[], otherwise: T): T {
    return this.raw(name) === undefined ? otherwise : this.oneOf(name, words);
  }

  integer(name: string, max: number = MID_MAX): number {
    const expected = `an integer from 0 to ${max}`;
    const value = this.#required(name, expected);
    if (!isIntegerIn(value, 0, max)) throw bad(name, value, expected);
    return value;
  }

  optionalInteger(name: string, max: number = MID_MAX): number | undefined {
    return this.raw(name) === undefined ? undefined : this.integer(name, max);
  }

  boolean(name: string): boolean {
    const value = this.#required(name, "true or false");
    if (typeof value !== "boolean") throw bad(name, value, "true or false");
    return value;
  }

  optionalBoolean(name: string): boolean {
    return this.raw(name) === undefined ? false : this.boolean(name);
  }

  /** The parameters of an object. */
  object(name: string, expected: string): Parameters {
    const value = this.#required(name, expected);
    if (!isJsonObject(value)) throw bad(name, value, expected);
    return new Parameters(value);
  }

  /** A list of at most `countMax` entries; `expected` describes the list, `read` checks one entry. */
  optionalList<T>(
    name: string,
    countMax: number,
    expected: string,
    read: (entry: unknown, entryName: string) => T,
  ): readonly T[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw bad(name, value, expected);
    if (value.length > countMax) throw refuse(name, `has ${value.length} entries`, `at most ${countMax}`);
    return value.map((entry, index) => read(entry, `${name}[${index}]`));
  }

  #required(name: string, expected: string): unknown {
    const value = this.raw(name);
    if (value === undefined) {
      throw new Refusal(
        "missing_parameter",
        `parameter ${JSON.stringify(name)} is missing; expected ${expected}`,
      );
    }
    return value;
  }
}

export function isIntegerIn(value: unknown, min: number, max: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The refusal of `value` for parameter `name`. */
export function bad(name: string, value: unknown, expected: string): Refusal {
  return refuse(name, `is ${preview(value)}`, expected);
}

/** The refusal of parameter `name` for what `problem` says. */
export function refuse(name: string, problem: string, expected: string): Refusal {
  return new Refusal("bad_parameter", `parameter ${JSON.stringify(name)} ${problem}; expected ${expected}`);
}

/** A value as an error text shows it: short, and never the inside of an object. */
export function preview(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  const characters = Array.from(value.slice(0, 2 * PREVIEW_CHARACTERS_MAX));
  const shown = characters.slice(0, PREVIEW_CHARACTERS_MAX).join("");
  return shown.length < value.length ? `${JSON.stringify(shown)} and more` : JSON.stringify(value);
}
