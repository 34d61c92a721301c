/**
 * Reads the settings: one JSON file, and the environment, which comes first. The only place that reads the
 * environment. A bad setting stops the start, with its name, its value, where it came from and what is expected.
 */
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { credentialsOf } from "../lib/secrets.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { explained, problemsOf, unknownVariables } from "./problems.js";
import { type Config, type ConfigFile, configSchema } from "./schema.js";
import {
  environmentValue,
  FILE_VARIABLE,
  holdsSecrets,
  IN_FILE,
  isSecret,
  MAY_BE_IN_FILE,
  REFERENCE_KEYS,
  SETTINGS,
  type Setting,
  toCamelCase,
  withoutSecrets,
} from "./settings.js";

/** The settings cannot be used; the message is for the person who wrote them. */
export class ConfigError extends UsageProblem {
  override readonly name = "ConfigError";
}

export interface LoadedConfig {
  readonly config: Config;
  /** As the file would write it, every default filled in. */
  readonly file: ConfigFile;
  /** The files that settings came from. */
  readonly paths: readonly string[];
  /** Reads them again. Throws `ConfigError`. */
  reload(): LoadedConfig;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Loads the file that `READBACK_CONFIG` names, if it names one, the environment over it, and over both what the caller
 * says, by names such as `relay.port`. Throws `ConfigError`.
 */
export function loadConfig(
  environment: Environment = process.env,
  overrides: Readonly<Record<string, unknown>> = {},
): LoadedConfig {
  const path = environment[FILE_VARIABLE];
  const values = path === undefined || path === "" ? {} : readFile(path);
  /** Where settings came from that are not the file's, by name. */
  const origins = new Map<string, string>();
  adoptReferenceKeys(values, path, origins);
  const files = filesOf(environment);
  for (const setting of SETTINGS)
    applyEnvironment(setting, { ...environment, ...files.texts }, values, origins);
  for (const [name, value] of Object.entries(overrides)) {
    assign(values, name.split("."), value);
    origins.set(name, "the caller");
  }
  const parsed = configSchema.safeParse(values);
  const unknown = unknownVariables(environment);
  if (!parsed.success || unknown.length > 0) {
    const bad = parsed.success ? [] : problemsOf(parsed.error, values, { origins, file: path });
    throw new ConfigError(explained([...unknown, ...bad]));
  }
  return {
    config: toCamelCase(configSchema, parsed.data) as Config,
    file: parsed.data,
    paths: path === undefined || path === "" ? files.paths : [path, ...files.paths],
    reload: () => loadConfig(environment, overrides),
  };
}

/** All that processes of strangers are given of the environment. */
export function childEnvironment(
  { HOME, PATH }: Environment = process.env,
): Readonly<Record<string, string>> {
  return { ...(HOME !== undefined && { HOME }), ...(PATH !== undefined && { PATH }) };
}

/** The effective settings as JSON text, secrets masked. */
export function printableConfig(file: ConfigFile): string {
  return JSON.stringify(file, withoutSecrets, 2);
}

/** Every secret among the settings, for the log to leave out. */
export function secretsOf(file: ConfigFile): readonly string[] {
  const secrets: string[] = [];
  JSON.stringify(file, (name, value: unknown) => {
    if (typeof value === "string") secrets.push(...(isSecret(name) ? [value] : credentialsOf(value)));
    if (holdsSecrets(name)) secrets.push(...Object.values(value as object).map(String));
    return value;
  });
  return secrets;
}

function readFile(path: string): Record<string, unknown> {
  const values = asJson(textOf(FILE_VARIABLE, path));
  if (values === undefined) throw new ConfigError(`${path} is not JSON; expected {"relay": {...}, ...}`);
  if (!isSection(values.value))
    throw new ConfigError(`${path} holds JSON but no object; expected {"relay": {...}, ...}`);
  return values.value;
}

/** What stands in files that the environment names, but for white space at their end, by the variables that it is the value of. */
function filesOf(environment: Environment) {
  const [texts, paths]: [Record<string, string>, string[]] = [{}, []];
  for (const variable of MAY_BE_IN_FILE) {
    const path = environment[variable + IN_FILE] ?? "";
    if (path === "") continue;
    if ((environment[variable] ?? "") !== "")
      throw new ConfigError(`${variable} and ${variable + IN_FILE} are both set; keep one of them.`);
    const text = textOf(variable + IN_FILE, path).trimEnd();
    if (text === "") throw new ConfigError(`${variable + IN_FILE} names ${path}, which is empty.`);
    texts[variable] = text;
    paths.push(path);
  }
  return { texts, paths };
}

function textOf(variable: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`${variable} names ${path}, which cannot be read: ${(error as Error).message}`);
  }
}

/** Settings under the reference system's names go where they belong here. */
function adoptReferenceKeys(
  values: Record<string, unknown>,
  file: string | undefined,
  origins: Map<string, string>,
): void {
  for (const [key, path] of REFERENCE_KEYS) {
    if (!Object.hasOwn(values, key)) continue;
    const [section, name] = path as [string, string];
    const given = values[section];
    if (isSection(given) && Object.hasOwn(given, name)) {
      throw new ConfigError(
        `${file} sets both ${key} and ${path.join(".")}, which is its name here; keep one.`,
      );
    }
    assign(values, path, values[key]);
    origins.set(path.join("."), `${key} in ${file}`);
    delete values[key];
  }
}

function applyEnvironment(
  setting: Setting,
  environment: Environment,
  values: Record<string, unknown>,
  origins: Map<string, string>,
): void {
  const found = environmentValue(setting, environment);
  if (found === undefined) return;
  assign(values, setting.path, meant(setting.schema, found.text));
  origins.set(setting.path.join("."), found.variable);
}

/** What a variable's text means: itself where the setting takes a text, else JSON, else a list by commas. */
function meant(schema: z.ZodType, text: string): unknown {
  const json = asJson(text);
  const readings: unknown[] = [text];
  if (json !== undefined) readings.push(json.value);
  if (!Array.isArray(json?.value)) readings.push(itemsOf(text));
  const fitting = readings.findIndex((reading) => schema.safeParse(reading).success);
  return fitting >= 0 ? readings[fitting] : (json?.value ?? text);
}

function itemsOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** The JSON value of a text, which may well be null; undefined where the text is not JSON. */
function asJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Sets the value at `path`. What stands where a section belongs is left alone: validation will complain of it. */
function assign(values: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    values[name] = value;
    return;
  }
  const section = values[name] ?? {};
  if (!isSection(section)) return;
  values[name] = section;
  assign(section, rest, value);
}

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
