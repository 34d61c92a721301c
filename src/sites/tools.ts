/** The tools of the settings against those that a system offers: which may be called, and why each other one may not. */
import { valueAt } from "./json-pointer.js";
import type { ToolOptions } from "./options.js";
import type { ToolStatus } from "./port.js";
import { type OfferedTool, schemaDigest } from "./schema-digest.js";

/**
 * A status for every tool of the settings, in their order, and then for every other one that is offered. `isOwn`: the
 * tools are part of the service itself, and need no declaration.
 */
export function toolStatuses(
  configured: Readonly<Record<string, ToolOptions>>,
  offered: readonly OfferedTool[],
  { isOwn = false }: { readonly isOwn?: boolean } = {},
): readonly ToolStatus[] {
  const others = offered.map(({ name }) => name).filter((name) => !Object.hasOwn(configured, name));
  const names = new Set([...Object.keys(configured), ...others.sort()]);
  return [...names].map((name) => {
    const [tool, second] = offered.filter((one) => one.name === name);
    if (tool === undefined) return { name, isOn: false, reason: "its system does not offer it" };
    const schema = schemaDigest(tool);
    if (schema === undefined)
      return { name, isOn: false, reason: "its schema is too long, or nested too deeply" };
    const options = Object.hasOwn(configured, name) ? configured[name] : undefined;
    const reason =
      second === undefined ? reasonOf(tool, options, schema, isOwn) : "its system offers two of this name";
    return reason === undefined ? { name, isOn: true, schema } : { name, isOn: false, reason, schema };
  });
}

/** Why it is off, and what to do; undefined: it is on. */
function reasonOf(
  { annotations = {}, inputSchema }: OfferedTool,
  options: ToolOptions | undefined,
  schema: string,
  isOwn: boolean,
): string | undefined {
  if (options === undefined)
    return "it is not in the settings: write it under `tools` of its site, with its effect";
  const { effect, schema: declared = isOwn ? schema : undefined, target } = options;
  if (declared === undefined)
    return `it is not declared: write \`"schema": "${schema}"\` for it, once you know what it does`;
  if (declared !== schema)
    return `it is not what was declared any more: look at it again, and write \`"schema": "${schema}"\``;
  if (effect === "read" && annotations.readOnlyHint === false)
    return "the settings say that it reads; its system says that it does not (readOnlyHint: false)";
  if (effect === "read" && annotations.destructiveHint === true)
    return "the settings say that it reads; its system says that it destroys (destructiveHint: true)";
  if (target !== undefined && !Object.hasOwn(Object(valueAt(inputSchema, "/properties")), target))
    return `it takes no argument ${target}: correct its \`target\``;
  return undefined;
}
