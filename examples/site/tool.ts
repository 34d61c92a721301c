/** How a tool of the plant becomes one of the server, and where the faults of the server itself happen. */
import { setTimeout } from "node:timers/promises";
import type { CallToolResult, McpServer, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { PlantView } from "./plant-view.js";

const LARGE_CHARS = 10_000_000;
/** Exit code of a server that was told to crash: `EX_SOFTWARE` of sysexits.h. */
const CRASH_CODE = 70;

/** A tool, with what it answers to arguments that fit its schema; what it throws becomes an error reply. */
export interface PlantTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
  readonly answer: (args: Record<string, unknown>) => Record<string, unknown>;
}

/** Offers the tool. Returns what looks at the planted faults once more, and tells the client if its schema changed. */
export function offer(server: McpServer, view: PlantView, tool: PlantTool): () => void {
  const changed = () => view.faults.has("schema", tool.name);
  const schema = () => (changed() ? tool.input.extend({ force: z.boolean().optional() }) : tool.input);
  let isChanged = changed();
  const { annotations, description, name, output } = tool;
  const registered = server.registerTool(
    name,
    { description, inputSchema: schema(), outputSchema: output, annotations },
    (args, { mcpReq }) => answered(view, tool, args, mcpReq.signal),
  );
  return () => {
    if (isChanged === changed()) return;
    isChanged = !isChanged;
    registered.update({ paramsSchema: schema() });
  };
}

async function answered(
  { faults }: PlantView,
  tool: PlantTool,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  if (faults.has("crash", tool.name)) process.exit(CRASH_CODE);
  const delayMs = faults.delayMs(tool.name);
  if (delayMs > 0) await setTimeout(delayMs, undefined, { signal });
  const structuredContent = tool.answer(args);
  if (faults.has("lost_reply", tool.name)) process.exit(CRASH_CODE);
  if (faults.has("denies", tool.name)) throw new Error(`EXECUTION_FAILED: ${tool.name} went wrong`);
  const text = faults.has("large", tool.name) ? "x".repeat(LARGE_CHARS) : JSON.stringify(structuredContent);
  return { content: [{ type: "text", text }], structuredContent };
}
