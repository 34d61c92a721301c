/** What the tests of the doors have in common: a service that knows a little, and a client for each protocol. */

import { fileURLToPath } from "node:url";
import { credentials, type GrpcObject, loadPackageDefinition, Metadata } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { onTestFinished } from "vitest";
import { LOCKOUT, PAYROLL, SPILL } from "../documents.js";
import { World, type WorldOptions } from "../world.js";

/** Plain statements: each may be told as soon as it is checked. */
export const CANTEEN = `---
title: The canteen
---
# Canteen

The canteen is on the second floor of building C. It seats 120 people. Its kitchen belongs to the caterer Hansen.
`;

/** What it says, sentence by sentence. */
export const CANTEEN_SAYS = [
  "The canteen is on the second floor of building C.",
  "It seats 120 people.",
  "Its kitchen belongs to the caterer Hansen.",
] as const;

export const documents = {
  acme: { "lockout.md": LOCKOUT, "spill.md": SPILL, "payroll.md": PAYROLL, "canteen.md": CANTEEN },
} as const;

export const WHO = { network: "acme", username: "ann" } as const;
/** The route of a question that is about the conversation, not about the router. */
export const ROUTE = "knowledge";
export const QUESTION = "How is press 4 locked out?";

/** A service without a model: sentences of the documents. */
export function offline(options: WorldOptions = {}): Promise<World> {
  const config = { "llm.provider": "offline", "speech.provider": "offline", ...options.config };
  return World.start({ documents, ...options, config });
}

export function address(world: World, path: string): string {
  return `http://127.0.0.1:${world.ports.http}${path}`;
}

/** A POST of JSON. */
export function post(
  world: World,
  path: string,
  body: unknown,
  init: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(address(world, path), {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close", ...init.headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
}

export function openai(world: World, apiKey = "unused-here"): OpenAI {
  return new OpenAI({ baseURL: address(world, "/v1"), apiKey, maxRetries: 0 });
}

export function ollama(world: World, headers: Record<string, string> = {}): Ollama {
  return new Ollama({ host: address(world, ""), headers });
}

/** What a client with the protocol's file knows. */
export interface GrpcReply {
  readonly text: string;
  readonly is_final: boolean;
  readonly outcome?: string;
  readonly confidence?: number;
  readonly sources?: readonly { readonly title: string; readonly source_file: string }[];
}

export type GrpcStream = AsyncIterable<GrpcReply> & { cancel(): void };

export interface GrpcClient {
  AskAgent(request: object, metadata?: Metadata): GrpcStream;
  AskAgentStream(request: object, metadata?: Metadata): GrpcStream;
  EvaluateRAG(request: object, done: (error: GrpcError | null, reply: unknown) => void): void;
  close(): void;
}

export type GrpcError = Error & {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
};

const PROTO = fileURLToPath(new URL("../../../proto/brunix.proto", import.meta.url));

/** `port`: of what stands before the door, if anything does. */
export function grpc(
  world: World,
  port = world.ports.grpc,
  channel = credentials.createInsecure(),
): GrpcClient {
  const loaded = loadPackageDefinition(loadSync(PROTO, { keepCase: true })) as GrpcObject;
  const { AssistanceEngine } = loaded.brunix as unknown as {
    AssistanceEngine: new (address: string, credentials: object) => GrpcClient;
  };
  const client = new AssistanceEngine(`127.0.0.1:${port}`, channel);
  onTestFinished(() => client.close());
  return client;
}

export function metadata(values: Readonly<Record<string, string>>): Metadata {
  const result = new Metadata();
  for (const [name, value] of Object.entries(values)) result.set(name, value);
  return result;
}

export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** An event of a stream of server-sent events. */
export interface Told {
  readonly name: string;
  readonly data: Record<string, unknown>;
}

export function eventsIn(text: string): Told[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [, name = "", data = ""] = /^event: (\S+)\ndata: (.*)$/.exec(block) ?? [];
      return { name, data: JSON.parse(data) as Record<string, unknown> };
    });
}

/** The same, one by one as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<Told, void, undefined> {
  let text = "";
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(bytes).toString("utf8");
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      yield* eventsIn(text.slice(0, end + 2));
      text = text.slice(end + 2);
    }
  }
}
