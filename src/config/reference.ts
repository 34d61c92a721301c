/** Every setting with its environment variable, default and meaning, as a Markdown table. */
import { configSchema } from "./schema.js";
import { SETTINGS, type Setting } from "./settings.js";

export function settingsReference(): string {
  const defaults = configSchema.parse({});
  const rows = SETTINGS.map((setting) => {
    const cells = [`\`${setting.path.join(".")}\``, `\`${setting.variable}\``, defaultOf(setting, defaults)];
    return `| ${[...cells, setting.schema.description ?? ""].join(" | ")} |`;
  });
  return ["| setting | variable | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

function defaultOf({ path }: Setting, defaults: unknown): string {
  const value = path.reduce<unknown>((section, name) => (section as Record<string, unknown>)[name], defaults);
  return value === undefined ? "" : `\`${JSON.stringify(value)}\``;
}
