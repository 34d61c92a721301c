/** Whether a tool call is one that the tool can take: models invent names, forget arguments and break their JSON. */
import { parseForgivingJson } from "../lib/forgiving-json.js";
import { isRecord } from "../lib/is-record.js";
import { isNestedDeeper } from "../lib/json-depth.js";
import type { ToolCall, ToolSpec } from "./port.js";

/** What is wrong with the call, in words that do not quote it; `undefined` when it is sound. */
export function toolCallFault(call: ToolCall, tools: readonly ToolSpec[]): string | undefined {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return "the model calls a tool that does not exist";
  const values = toolArguments(call);
  if (values === undefined) return "the arguments of the tool call are not a JSON object";
  for (const name of requiredNames(tool)) {
    const value = values[name];
    if (value === undefined || value === null) return `the tool call lacks the argument "${name}"`;
    if (declaredType(tool, name) === "string" && (typeof value !== "string" || value.trim() === "")) {
      return `the argument "${name}" of the tool call is not a text`;
    }
  }
  return undefined;
}

/** The arguments of a call; `undefined` when they are no JSON object, or one that is nested too deeply. */
export function toolArguments(call: ToolCall): Readonly<Record<string, unknown>> | undefined {
  if (isNestedDeeper(call.arguments)) return undefined;
  try {
    const value: unknown = parseForgivingJson(call.arguments);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function requiredNames(tool: ToolSpec): string[] {
  const { required } = tool.parameters;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function declaredType(tool: ToolSpec, name: string): unknown {
  const { properties } = tool.parameters;
  const property = isRecord(properties) ? properties[name] : undefined;
  return isRecord(property) ? property.type : undefined;
}
