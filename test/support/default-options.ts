/** The defaults of a folder's settings as the code reads them, for tests that do not load a configuration. */
import type { z } from "zod";
import { toCamelCase } from "../../src/config/settings.js";
import { type IngestOptions, ingestOptions } from "../../src/ingest/options.js";
import type { CamelCased } from "../../src/lib/camel-case.js";

export function defaultsOf<Schema extends z.ZodType>(schema: Schema): CamelCased<z.infer<Schema>> {
  return toCamelCase(schema, schema.parse({})) as CamelCased<z.infer<Schema>>;
}

export function ingestDefaults(rest: Partial<IngestOptions> = {}): IngestOptions {
  return { ...defaultsOf(ingestOptions), ...rest };
}
