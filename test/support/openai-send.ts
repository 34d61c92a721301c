/** How the local OpenAI-shaped server puts scripted replies on the wire: whole, streamed, dripped, cut or as an error. */
import type { ServerResponse } from "node:http";
import type { Clock } from "../../src/lib/clock.js";
import type { ChatReply, Ending, Fault, JsonReply, Pieces, SpeechReply } from "./openai-replies.js";
import type { ChatBody } from "./openai-requests.js";
import { chunk, completion, errorBody, sse, toolCalls, usageChunk } from "./openai-shapes.js";

export async function sendChat(response: ServerResponse, request: ChatBody, reply: ChatReply): Promise<void> {
  if (reply.type === "text") {
    if (request.stream === true) await streamText(response, request, reply);
    else await sendText(response, request, reply);
  } else if (reply.type === "tool_calls" || reply.type === "refusal") {
    sendWhole(response, request, reply);
  } else {
    sendFault(response, reply);
  }
}

/** A text answer in one JSON body; a fault strikes in the middle of that body. */
async function sendText(
  response: ServerResponse,
  request: ChatBody,
  reply: ChatReply & { type: "text" },
): Promise<void> {
  let content = "";
  for await (const piece of reply.pieces) content += piece;
  const message = { role: "assistant", content, refusal: null };
  await sendEnding(response, completion(request, message, reply.finishReason, reply.usage), reply.ending);
}

export async function sendObject<Body>(
  response: ServerResponse,
  request: Body,
  reply: JsonReply<Body> | Fault,
): Promise<void> {
  if (reply.type === "json") await sendEnding(response, reply.body(request), reply.ending);
  else sendFault(response, reply);
}

/** The whole body, or half of it and then what the ending says. */
export async function sendEnding(response: ServerResponse, value: object, ending: Ending): Promise<void> {
  const body = JSON.stringify(value);
  response.writeHead(200, { "content-type": "application/json" });
  if (ending === "complete") {
    response.end(body);
    return;
  }
  await written(response, body.slice(0, body.length / 2));
  if (ending === "cut") response.destroy();
}

/** Tool calls or a refusal, in the shape that was asked for. */
function sendWhole(
  response: ServerResponse,
  request: ChatBody,
  reply: ChatReply & { type: "tool_calls" | "refusal" },
): void {
  const calls = reply.type === "tool_calls" ? { tool_calls: toolCalls(reply.calls) } : {};
  const message = {
    role: "assistant",
    content: null,
    refusal: reply.type === "refusal" ? reply.text : null,
    ...calls,
  };
  const finishReason = reply.type === "tool_calls" ? "tool_calls" : "stop";
  if (request.stream !== true) {
    sendJson(response, 200, completion(request, message, finishReason, reply.usage));
    return;
  }
  const indexed =
    reply.type === "tool_calls"
      ? { tool_calls: calls.tool_calls?.map((call, index) => ({ index, ...call })) }
      : {};
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  for (const event of [
    chunk(request, { ...message, ...indexed }, null),
    chunk(request, {}, finishReason),
    ...usageChunk(request, reply.usage),
  ]) {
    response.write(sse(event));
  }
  response.end("data: [DONE]\n\n");
}

/** Server-sent events: the role, the pieces, the finish reason, the usage when asked for, `[DONE]`. */
async function streamText(
  response: ServerResponse,
  request: ChatBody,
  reply: ChatReply & { type: "text" },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  await written(response, sse(chunk(request, { role: "assistant", content: "", refusal: null }, null)));
  await eachPiece(response, reply.pieces, (piece) =>
    written(response, sse(chunk(request, { content: piece }, null))),
  );
  if (reply.ending === "hang" || response.destroyed) return;
  if (reply.ending === "cut") {
    response.destroy();
    return;
  }
  if (reply.refusal !== undefined) {
    await written(response, sse(chunk(request, { refusal: reply.refusal }, null)));
  }
  await written(response, sse(chunk(request, {}, reply.finishReason)));
  for (const event of usageChunk(request, reply.usage)) await written(response, sse(event));
  response.end("data: [DONE]\n\n");
}

export async function sendSpeech(response: ServerResponse, reply: SpeechReply, clock: Clock): Promise<void> {
  if (reply.type !== "audio") {
    sendFault(response, reply);
    return;
  }
  response.writeHead(200, { "content-type": reply.contentType });
  let first = true;
  await eachPiece(response, reply.chunks, async (piece) => {
    if (!first && reply.intervalMs > 0)
      await new Promise<void>((resolve) => clock.after(reply.intervalMs, resolve));
    first = false;
    await written(response, piece);
  });
  if (reply.ending === "cut") response.destroy();
  else if (reply.ending === "complete") response.end();
}

export function sendFault(response: ServerResponse, fault: Fault): void {
  switch (fault.type) {
    case "error": {
      if (fault.retryAfterS !== undefined) response.setHeader("retry-after", String(fault.retryAfterS));
      const type =
        fault.status === 429
          ? "rate_limit_error"
          : fault.status >= 500
            ? "server_error"
            : "invalid_request_error";
      sendJson(response, fault.status, errorBody(fault.message, type, null, fault.code));
      return;
    }
    case "raw":
      response.writeHead(fault.status, { "content-type": fault.contentType }).end(fault.body);
      return;
    case "cut":
      response.destroy();
      return;
    case "hang":
      return;
  }
}

/** Hands over each piece until the client is gone. */
export async function eachPiece<T>(
  response: ServerResponse,
  pieces: Pieces<T>,
  send: (piece: T) => Promise<void>,
): Promise<void> {
  for await (const piece of pieces) {
    if (response.destroyed) return;
    await send(piece);
  }
}

/** Resolves when the bytes were handed to the socket, or the connection is gone. */
export function written(response: ServerResponse, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(data, () => resolve()));
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
