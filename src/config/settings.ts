/** What can be said of each setting by looking at the schema: its name in the environment, and how to spell it in code. */
import { z } from "zod";
import { camelCaseName } from "../lib/camel-case.js";
import { REDACTED, redactShapes } from "../lib/secrets.js";
import { configSchema } from "./schema.js";

export interface Setting {
  /** Names from the outermost section inwards, as the file writes them. */
  readonly path: readonly string[];
  /** The environment variable that sets it. */
  readonly variable: string;
  readonly schema: z.ZodType;
}

const PREFIX = "READBACK_";

/** Variables that other programs know too; ours of the same setting comes first. */
const SHARED_VARIABLES: Readonly<Record<string, string>> = {
  READBACK_LLM_API_KEY: "OPENAI_API_KEY",
  READBACK_LLM_BASE_URL: "OPENAI_BASE_URL",
  READBACK_TRACES_LANGFUSE_HOST: "LANGFUSE_HOST",
  READBACK_TRACES_LANGFUSE_PUBLIC_KEY: "LANGFUSE_PUBLIC_KEY",
  READBACK_TRACES_LANGFUSE_SECRET_KEY: "LANGFUSE_SECRET_KEY",
};

/** Keys of the reference system's configuration file, each with the setting that it is here. */
export const REFERENCE_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ["document_sync_enabled", ["sync", "enabled"]],
  ["document_sync_max_batch_size", ["sync", "batch_size"]],
  ["s3_document_bucket", ["sync", "s3_bucket"]],
  ["elastic_s3_connector_id", ["sync", "connector_id"]],
  ["elastic_max_results", ["retrieval", "results_max"]],
]);

export const SETTINGS: readonly Setting[] = settingsOf(configSchema, []);

/** Names the file of the settings. */
export const FILE_VARIABLE = "READBACK_CONFIG";

/** After the name of a variable: the name of a file that holds its value. */
export const IN_FILE = "_FILE";

const OF_SETTINGS = SETTINGS.map(({ variable }) => variable);

/** Variables whose value may stand in a file; `relay.tokens_file` is a setting of its own, beside `relay.tokens`. */
export const MAY_BE_IN_FILE: readonly string[] = [...OF_SETTINGS, ...Object.values(SHARED_VARIABLES)].filter(
  (variable) => !OF_SETTINGS.includes(variable + IN_FILE),
);

/** Every variable of ours that says something to the service. */
export const VARIABLES: readonly string[] = [
  FILE_VARIABLE,
  ...OF_SETTINGS,
  ...MAY_BE_IN_FILE.map((variable) => variable + IN_FILE),
];

/** Variables of ours that are read elsewhere: by the tests, and by deploy/docker-compose.yml. */
const ELSEWHERE = /^READBACK_(?:TEST_.*|CONFIG_FILE|DOCUMENTS|RELAY_ADDRESS)$/;

/** What Docker and Kubernetes tell of a service of the name `readback…`, with an address as the port's value. */
const SERVICE_LINK = /_(?:SERVICE_HOST|SERVICE_PORT|PORT_\d{1,5}_(?:TCP|UDP|SCTP))(?:_|$)/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/** Whether a variable has a name like ours, and nobody reads it. */
export function isUnknownVariable(name: string, text: string): boolean {
  if (!name.startsWith(PREFIX) || VARIABLES.includes(name) || ELSEWHERE.test(name)) return false;
  return !SERVICE_LINK.test(name) && !(name.endsWith("_PORT") && SERVICE_ADDRESS.test(text));
}

/** The environment variable that sets the setting at `path`. */
export function variableOf(path: readonly string[]): string {
  return PREFIX + path.join("_").toUpperCase();
}

/** The environment's word on a setting, and the variable that said it; an empty variable says nothing. */
export function environmentValue(
  setting: Setting,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly variable: string; readonly text: string } | undefined {
  for (const variable of [setting.variable, SHARED_VARIABLES[setting.variable]]) {
    const text = variable === undefined ? undefined : environment[variable];
    if (variable !== undefined && text !== undefined && text !== "") return { variable, text };
  }
  return undefined;
}

/** Whether the value of a setting of this name must not be shown. */
export function isSecret(name: string): boolean {
  return /(?:^|_)(?:(?:api)?(?:key|token|password|secret)|webhook)$/i.test(name);
}

/** Whether all values of a record of this name are secrets, whatever they are called. */
export function holdsSecrets(name: string): boolean {
  return name === "env" || name === "headers";
}

/** Whether a setting is a list of sections with a secret among their settings. */
export function listsSecrets(schema: z.ZodType): boolean {
  const list = unwrap(schema);
  return list instanceof z.ZodArray && hasSecrets(list.element as z.ZodType);
}

function hasSecrets(schema: z.ZodType): boolean {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodDiscriminatedUnion)
    return inner.options.some((option) => hasSecrets(option as z.ZodType));
  if (!(inner instanceof z.ZodObject)) return false;
  return Object.entries(inner.shape).some(
    ([name, field]) => isSecret(name) || holdsSecrets(name) || hasSecrets(field as z.ZodType),
  );
}

/** For `JSON.stringify`: leaves secrets out. */
export function withoutSecrets(name: string, value: unknown): unknown {
  if (isSecret(name) && value !== undefined) return REDACTED;
  if (holdsSecrets(name) && typeof value === "object" && value !== null)
    return Object.fromEntries(Object.keys(value).map((key) => [key, REDACTED]));
  return typeof value === "string" ? redactShapes(value) : value;
}

/** The same values under camelCase names; the keys of free-form records are names of somebody else's and stay. */
export function toCamelCase(schema: z.ZodType, value: unknown): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => toCamelCase(inner.element as z.ZodType, item));
  if (typeof value !== "object" || value === null) return value;
  const values = value as Readonly<Record<string, unknown>>;
  if (inner instanceof z.ZodDiscriminatedUnion) return toCamelCase(optionOf(inner, values), value);
  if (inner instanceof z.ZodRecord)
    return Object.fromEntries(
      Object.entries(values).map(([key, item]) => [key, toCamelCase(inner.valueType as z.ZodType, item)]),
    );
  if (!(inner instanceof z.ZodObject)) return value;
  return Object.fromEntries(
    Object.entries(inner.shape)
      .filter(([name]) => values[name] !== undefined)
      .map(([name, field]) => [camelCaseName(name), toCamelCase(field as z.ZodType, values[name])]),
  );
}

/** Which of the sections that a union may be these values are. */
function optionOf(union: z.ZodDiscriminatedUnion, values: Readonly<Record<string, unknown>>): z.ZodType {
  const name = union.def.discriminator;
  return union.options.find(
    (option) => option instanceof z.ZodObject && option.shape[name].safeParse(values[name]).success,
  ) as z.ZodType;
}

function settingsOf(schema: z.ZodType, path: readonly string[]): Setting[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    return Object.entries(inner.shape).flatMap(([name, field]) =>
      settingsOf(field as z.ZodType, [...path, name]),
    );
  }
  return [{ path, variable: variableOf(path), schema }];
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}
