/** What tests let the model and the speech server say: answers that a test releases bit by bit, and a small librarian. */
import { Channel } from "../../src/lib/channel.js";
import { oggOpus, tonePackets } from "../support/naive-ogg.js";
import {
  type ChatReply,
  type Ending,
  type SpeechReply,
  searchReply,
  speechReply,
  textReply,
} from "../support/openai-replies.js";
import type { ChatBody } from "../support/openai-requests.js";
import type { ReceivedRequest } from "../support/openai-server.js";

const PIECES_MAX = 10_000;

/** Pieces that leave when the test puts them in. */
export class Drip<T> extends Channel<T> {
  constructor() {
    super(PIECES_MAX);
  }
}

/** `count` packets, no two alike as long as the numbers of all of a test stay below 500. */
export function packets(count: number, from = 0, packetMs: 20 | 40 | 60 = 20): Uint8Array[] {
  return tonePackets(from + count, packetMs).slice(from);
}

export interface BodyOptions {
  readonly packetMs?: 20 | 40 | 60;
  readonly ending?: Ending;
  readonly contentType?: string;
  readonly channels?: number;
}

/** A body that holds these packets, all at once. */
export function spoken(audio: readonly Uint8Array[], options: BodyOptions = {}): SpeechReply {
  return inPieces(pages(audio, options), options);
}

/** A body that leaves page by page, as the test puts the pages in. */
export function inPieces(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { ending = "complete", contentType = "audio/opus" }: BodyOptions = {},
): SpeechReply {
  return { type: "audio", contentType, chunks, intervalMs: 0, ending };
}

/** The pages of an Ogg file: two of headers, then one a packet. */
export function pages(
  audio: readonly Uint8Array[],
  { packetMs = 20, channels = 1 }: BodyOptions = {},
): Buffer[] {
  const file = Buffer.from(oggOpus(audio, { packetsPerPage: 1, packetMs, channels }));
  const result: Buffer[] = [];
  for (let from = 0; from < file.length; ) {
    const next = file.indexOf("OggS", from + 4, "latin1");
    const end = next < 0 ? file.length : next;
    result.push(file.subarray(from, end));
    from = end;
  }
  return result;
}

/** A body whose packets leave one by one: `drip.put(page)`; the headers are in already. */
export function drippedSpeech(audio: readonly Uint8Array[]): {
  readonly reply: SpeechReply;
  /** Lets packets `from` to `to` (exclusive) go; the last of all ends the body. */
  release(from: number, to: number): void;
} {
  const [head, tags, ...rest] = pages(audio);
  const drip = new Drip<Uint8Array>();
  drip.put(head!);
  drip.put(tags!);
  return {
    reply: inPieces(drip),
    release(from, to) {
      for (const page of rest.slice(from, to)) drip.put(page);
      if (to >= rest.length) drip.close();
    },
  };
}

/**
 * A model that searches for the question itself and repeats the first passage, or says what it was told to say. Where
 * it is told to quote, it quotes the whole passage.
 */
export const librarian = {
  chat: ({ body }: ReceivedRequest<ChatBody>): ChatReply => {
    if (body.tool_choice === "required") return searchReply(lastContent(body, "user"));
    const text = retell(body);
    const quotes = body.response_format?.type === "json_schema";
    return textReply(
      quotes ? JSON.stringify({ claims: [{ text, passage: 1, quote: text }], question: "" }) : text,
    );
  },
  speech: (): SpeechReply => speechReply({ packets: 2 }),
};

/** The content of the last message of this role. */
export function lastContent(body: ChatBody, role: ChatBody["messages"][number]["role"]): string {
  return body.messages.findLast((message) => message.role === role)?.content ?? "";
}

/** The contents of all messages of this role. */
export function contents(body: ChatBody, role: ChatBody["messages"][number]["role"]): string[] {
  return body.messages.filter((message) => message.role === role).map(({ content }) => content ?? "");
}

function retell(body: ChatBody): string {
  const result = lastContent(body, "tool");
  const told = /nothing else: (.+)/.exec(result) ?? /nothing else: (.+)/.exec(lastContent(body, "system"));
  const passage = /Text:\n([\s\S]*?)\n\[End/.exec(result);
  return passage?.[1] ?? told?.[1] ?? "";
}
