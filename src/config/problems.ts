/** What is wrong with settings, told to the person who wrote them: name, value, origin, and what is expected instead. */
import type { z } from "zod";
import { nearest } from "../lib/edit-distance.js";
import { REDACTED } from "../lib/secrets.js";
import {
  holdsSecrets,
  isUnknownVariable,
  listsSecrets,
  SETTINGS,
  type Setting,
  VARIABLES,
  withoutSecrets,
} from "./settings.js";

export interface Origins {
  /** By the name of the setting, such as `relay.port`. */
  readonly origins: ReadonlyMap<string, string>;
  /** Where everything else came from. */
  readonly file: string | undefined;
}

const VALUE_CHARACTERS_MAX = 200;

/** Letters by which the name that was meant may differ from what was written. */
const MISSPELT_LETTERS_MAX = 4;

/** The message about problems, each in a line. */
export function explained(problems: readonly string[]): string {
  return [
    "The configuration cannot be used. Correct these settings and start again:",
    ...problems.map((line) => `  ${line}`),
  ].join("\n");
}

/** One line for each problem. Tells no secret, and no value of a name that is not known. */
export function problemsOf({ issues }: z.ZodError, values: unknown, origins: Origins): readonly string[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => unknownSetting([...issue.path, key], origins))
      : [badSetting(issue.path, issue.message, values, origins)],
  );
}

/** One line for each variable of the environment that looks like a setting and is none. */
export function unknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.entries(environment)
    .filter(([name, text]) => text !== undefined && text !== "" && isUnknownVariable(name, text))
    .map(([name]) => {
      const meant = nearest(name, VARIABLES, MISSPELT_LETTERS_MAX);
      const remedy = meant === undefined ? "See: readback config --reference" : `Did you mean ${meant}?`;
      return `${name} is no setting (from the environment). ${remedy}`;
    });
}

function unknownSetting(path: readonly PropertyKey[], origins: Origins): string {
  const depth = path.length - 1;
  const section = nameOf(path.slice(0, depth));
  const known = SETTINGS.filter((setting) => nameOf(setting.path.slice(0, depth)) === section);
  const names = new Set(known.map((setting) => setting.path[depth]));
  const told = `${nameOf(path)} is no setting (from ${originOf(path, origins)}).`;
  // An item of a list has no settings of its own; the list says what it takes.
  if (names.size === 0) return [told, meaningOf(section)].filter(Boolean).join(" ");
  return `${told} Known here: ${[...names].join(", ")}.`;
}

function badSetting(
  path: readonly PropertyKey[],
  problem: string,
  values: unknown,
  origins: Origins,
): string {
  const name = nameOf(path);
  const meaning = meaningOf(name);
  const told = `${name} is ${shown(path, values)} (from ${originOf(path, origins)}): ${problem}.`;
  return meaning === undefined ? told : `${told} ${meaning}`;
}

/** Of the setting, or of the one that it is a part of. */
function meaningOf(name: string): string | undefined {
  return settingOf(name)?.schema.description;
}

function settingOf(name: string): Setting | undefined {
  return SETTINGS.find((one) => isWithin(name, nameOf(one.path)));
}

/** The value at `path` as JSON, cut and without secrets. */
function shown(path: readonly PropertyKey[], values: unknown): string {
  const value = path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PropertyKey, unknown>)[name] : undefined,
    values,
  );
  const setting = settingOf(nameOf(path));
  // A list that is still a text, for it is no JSON, hides the names that tell secrets.
  if (typeof value === "string" && setting !== undefined && listsSecrets(setting.schema)) return REDACTED;
  if (path.some((name) => holdsSecrets(String(name)))) return REDACTED;
  const json = JSON.stringify(withoutSecrets(String(path.at(-1)), value), withoutSecrets) ?? "not set";
  return json.length <= VALUE_CHARACTERS_MAX ? json : `${json.slice(0, VALUE_CHARACTERS_MAX)}…`;
}

function originOf(path: readonly PropertyKey[], { origins, file }: Origins): string {
  const name = nameOf(path);
  const origin = [...origins].find(([setting]) => isWithin(name, setting));
  return origin?.[1] ?? file ?? "the caller";
}

/** Whether `name` is the setting of that name, or a part of its value. */
function isWithin(name: string, setting: string): boolean {
  return name === setting || name.startsWith(`${setting}.`);
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.join(".");
}
