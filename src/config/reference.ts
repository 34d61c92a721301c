/** Every setting with its environment variable, default and meaning, as a Markdown table. */
import { configSchema } from "./schema.js";
import { REFERENCE_KEYS, SETTINGS, type Setting } from "./settings.js";

export function settingsReference(): string {
  const defaults = configSchema.parse({});
  const rows = SETTINGS.map((setting) => {
    const cells = [`\`${setting.path.join(".")}\``, `\`${setting.variable}\``, defaultOf(setting, defaults)];
    return `| ${[...cells, setting.schema.description ?? ""].join(" | ")} |`;
  });
  const renamed = [...REFERENCE_KEYS].map(([key, path]) => `\`${key}\` is \`${path.join(".")}\``);
  return [
    "| setting | variable | default | meaning |",
    "|---|---|---|---|",
    ...rows,
    "",
    `Keys of the reference system that the file may use as well: ${renamed.join(", ")}.`,
  ].join("\n");
}

function defaultOf({ path }: Setting, defaults: unknown): string {
  const value = path.reduce<unknown>(
    (section, name) => (section as Record<string, unknown> | undefined)?.[name],
    defaults,
  );
  return value === undefined ? "" : `\`${JSON.stringify(value)}\``;
}
