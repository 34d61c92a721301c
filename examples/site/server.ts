#!/usr/bin/env node
/**
 * The example of a site: an MCP server that simulates a small plant. `node server.js --state DIR` speaks MCP on its
 * standard input and output, with `--http PORT` over HTTP on the loopback interface. README.md tells the rest.
 */
import { watch } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  type McpHttpHandler,
  McpServer,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { actingTools } from "./acting-tools.js";
import { FAULTS_FILE, Faults } from "./faults.js";
import { PlantView } from "./plant-view.js";
import { readingTools } from "./reading-tools.js";
import { Store } from "./state.js";
import { offer } from "./tool.js";

const RAMP_MS = 5_000;

const { values } = parseArgs({
  options: {
    state: { type: "string" },
    http: { type: "string" },
    seed: { type: "string", default: "1" },
    ramp: { type: "string", default: String(RAMP_MS) },
    frozen: { type: "boolean", default: false },
  },
});
if (values.state === undefined) throw new Error("say where the plant keeps its state: --state DIR");

const complain = (message: string) => console.error(message);
const laws = { seed: Number(values.seed), frozen: values.frozen, rampMs: Number(values.ramp) };
const clock = () => Date.now();
const store = new Store(values.state, clock());
const view = new PlantView(store, new Faults(store.directory, complain), laws, clock);
const tools = [...readingTools(view), ...actingTools(view)];

/** Of the server that was made last: what looks at the planted faults once more. */
let refreshers: readonly (() => void)[] = [];
let tellSubscribers = (): void => undefined;
watch(store.directory, { persistent: false }, (_event, file) => {
  if (file !== FAULTS_FILE) return;
  for (const refresh of refreshers) refresh();
  tellSubscribers();
});

if (values.http === undefined) {
  serveStdio(plantServer);
} else {
  const handler = createMcpHandler(plantServer);
  tellSubscribers = () => handler.notify.toolsChanged();
  const door = createServer((request, response) => {
    serve(handler, request, response).catch((error: unknown) => {
      complain(String(error));
      response.destroy();
    });
  });
  door.listen(Number(values.http), "127.0.0.1", () => {
    complain(`listening on http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`);
  });
}

function plantServer(): McpServer {
  const server = new McpServer({ name: "example-plant", version: "1.0.0" });
  refreshers = tools.map((tool) => offer(server, view, tool));
  return server;
}

async function serve(
  { fetch }: McpHttpHandler,
  asked: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const method = asked.method ?? "GET";
  const headers = Object.entries(asked.headers).map(
    ([name, value]) => [name, String(value)] as [string, string],
  );
  const body =
    method === "POST" ? { body: Readable.toWeb(asked) as ReadableStream, duplex: "half" as const } : {};
  const url = `http://${asked.headers.host}${asked.url}`;
  const request = new Request(url, { method, headers, signal: gone.signal, ...body });
  const answer = hostHeaderValidationResponse(request, localhostAllowedHostnames()) ?? (await fetch(request));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const part of answer.body ?? []) response.write(part);
  response.end();
}
