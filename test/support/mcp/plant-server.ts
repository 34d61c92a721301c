/** A plant as an MCP server, written with the library: of both generations, over pipes and over HTTP. */
import { inputRequired, McpServer, type ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";

const reads: ToolAnnotations = { readOnlyHint: true };

export function createPlantServer(): McpServer {
  const server = new McpServer({ name: "plant", version: "1.0.0" });
  server.registerTool(
    "get_temperature",
    {
      inputSchema: z.object({ sensor: z.string() }),
      outputSchema: z.object({ value: z.number(), unit: z.string(), at: z.iso.datetime() }),
      annotations: reads,
    },
    async ({ sensor }) => {
      if (sensor === "none") throw new Error("there is no such sensor");
      const output = { value: 8.6, unit: "degrees Celsius", at: new Date(Date.now() - 12_000).toISOString() };
      return { content: [{ type: "text", text: JSON.stringify(output) }], structuredContent: output };
    },
  );
  server.registerTool("large", { annotations: reads }, async () => ({
    content: [{ type: "text", text: "x".repeat(10 * 1_048_576) }],
  }));
  server.registerTool("asks", { annotations: reads }, async () =>
    inputRequired({
      inputRequests: {
        password: inputRequired.elicit({
          message: "Your password?",
          requestedSchema: { type: "object", properties: { password: { type: "string" } } },
        }),
      },
    }),
  );
  const pump = server.registerTool(
    "get_pump",
    { inputSchema: z.object({ pump: z.string() }), annotations: reads },
    async () => ({ content: [{ type: "text", text: '{"state": "running"}' }] }),
  );
  server.registerTool("change", { annotations: reads }, async () => {
    pump.update({ paramsSchema: z.object({ pump: z.string(), force: z.boolean().optional() }) });
    return { content: [{ type: "text", text: "changed" }] };
  });
  return server;
}
