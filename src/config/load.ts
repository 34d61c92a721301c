/**
 * Reads the settings: one JSON file, and the environment, which comes first. The only place that reads the
 * environment. A bad setting stops the start, with its name, its value, where it came from and what is expected.
 */
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { type Config, type ConfigFile, configSchema } from "./schema.js";
import { environmentValue, isSecret, SETTINGS, type Setting, toCamelCase } from "./settings.js";

/** The settings cannot be used; the message is for the person who wrote them. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export interface LoadedConfig {
  readonly config: Config;
  /** As the file would write it, every default filled in. */
  readonly file: ConfigFile;
}

const FILE_VARIABLE = "READBACK_CONFIG";
const MASK = "********";

/** Loads the file that `READBACK_CONFIG` names, if it names one, and the environment over it. */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  overrides: Readonly<Record<string, unknown>> = {},
): LoadedConfig {
  const path = environment[FILE_VARIABLE];
  const values = path === undefined || path === "" ? {} : readFile(path);
  const origins = new Map<string, string>();
  for (const setting of SETTINGS) applyEnvironment(setting, environment, values, origins);
  for (const [name, value] of Object.entries(overrides)) assign(values, name.split("."), value);
  const parsed = configSchema.safeParse(values);
  if (!parsed.success) throw new ConfigError(explain(parsed.error, values, origins, path));
  return { config: toCamelCase(configSchema, parsed.data) as Config, file: parsed.data };
}

/** The effective settings as JSON text, secrets masked. */
export function printableConfig(file: ConfigFile): string {
  const mask = (name: string, value: unknown) => {
    if (typeof value !== "string") return value;
    return isSecret(name) ? MASK : maskCredentials(value);
  };
  return JSON.stringify(file, mask, 2);
}

/** Every secret among the settings, for the log to leave out. */
export function secretsOf(file: ConfigFile): readonly string[] {
  const secrets: string[] = [];
  JSON.stringify(file, (name, value: unknown) => {
    if (typeof value === "string" && isSecret(name)) secrets.push(value);
    return value;
  });
  return secrets;
}

function readFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(
      `${FILE_VARIABLE} names ${path}, which cannot be read: ${(error as Error).message}`,
    );
  }
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === "object" && values !== null && !Array.isArray(values))
      return values as Record<string, unknown>;
  } catch (error) {
    throw new ConfigError(`${path} is not JSON: ${(error as Error).message}`);
  }
  throw new ConfigError(`${path} holds JSON but no object; expected {"relay": {...}, ...}`);
}

function applyEnvironment(
  setting: Setting,
  environment: Readonly<Record<string, string | undefined>>,
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
  const readings = [text, asJson(text), text.split(",").map((item) => item.trim())];
  return readings.find((reading) => schema.safeParse(reading).success) ?? text;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: another reading may fit.
  }
}

function assign(values: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    values[name] = value;
    return;
  }
  const inner = values[name];
  const section = typeof inner === "object" && inner !== null ? { ...inner } : {};
  values[name] = section;
  assign(section as Record<string, unknown>, rest, value);
}

function explain(
  error: z.ZodError,
  values: unknown,
  origins: ReadonlyMap<string, string>,
  path: string | undefined,
): string {
  const lines = error.issues.map((issue) => {
    const name = issue.path.join(".");
    const value = valueAt(values, issue.path);
    const shown = isSecret(String(issue.path.at(-1))) ? MASK : JSON.stringify(value);
    const origin = origins.get(name) ?? path ?? "the defaults";
    const subject = name === "" ? "The configuration" : `${name} is ${shown ?? "not set"}`;
    return `  ${subject} (from ${origin}): ${issue.message}.`;
  });
  return ["The configuration cannot be used. Correct these settings and start again:", ...lines].join("\n");
}

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PropertyKey, unknown>)[name] : undefined,
    values,
  );
}

/** `https://user:password@host` without the password. */
function maskCredentials(value: string): string {
  return value.replace(/(\/\/[^/:@\s]+):[^/@\s]+@/, `$1:${MASK}@`);
}
