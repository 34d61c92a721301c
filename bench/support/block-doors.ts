/**
 * The doors by which a text comes in, for `blocks`: each sends one request that holds as much of a text as the door
 * takes, as a user who was never here before, and resolves when it is answered or refused.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { EnvelopeDecoder, encodeRelayCommand, parseServiceCommand } from "@readback/protocol";
import type { Ports } from "../../src/compose/doors.js";
import { countTokens } from "../../src/lib/tokens.js";
import { MESSAGE_CHARS_MAX, MESSAGE_TOKENS_MAX } from "../../src/turn/admit.js";
import { NETWORK } from "./relay.js";

/** A text of a hostile family with so many UTF-16 units at the most. */
export type TextOf = (charsMax: number) => string;

export interface Door {
  readonly name: string;
  send(text: TextOf, ports: Ports, username: string): Promise<void>;
}

const CHECKED_CHARS_MAX = 20_000;
const ATTACHED_CHARS_MAX = 200_000;
const LINE_CHARS = 60_000;
const SUMMARIZED_CHARS = 100_000;
/** A line of about this length was the first to freeze the service. */
const SHORT_LINE_CHARS = 2_100;
const READINGS = 60;
const READING_CHARS = 1_900;
const PASSAGES = 4;
const GROUPS_MAX = 256;
const GROUP_CHARS = 60;

const ORDINARY = "How is a machine locked out before work on it?";

export const DOORS: readonly Door[] = [
  {
    name: "an ordinary question, written",
    send: (_, ports, username) => message(ports, { username, text: ORDINARY, responseType: "text" }),
  },
  {
    name: "an ordinary question, spoken",
    send: (_, ports, username) => message(ports, { username, text: ORDINARY, responseType: "audio" }),
  },
  {
    name: "ai_message, written",
    send: (text, ports, username) =>
      message(ports, { username, text: longestQuestion(text), responseType: "text" }),
  },
  {
    name: "ai_message, spoken",
    send: (text, ports, username) =>
      message(ports, { username, text: longestQuestion(text), responseType: "audio" }),
  },
  {
    name: "answers, behind a line of 2 kB",
    send: (text, ports, username) => answer(ports, username, lineBefore(text(SHORT_LINE_CHARS))),
  },
  {
    name: "answers, behind a line of 60 kB",
    send: (text, ports, username) => answer(ports, username, lineBefore(text(LINE_CHARS))),
  },
  {
    name: "answers, extra_context",
    send: (text, ports, username) =>
      answer(ports, username, {
        text: "What is the pressure of pump 7?",
        context: { extra_context: text(ATTACHED_CHARS_MAX) },
      }),
  },
  {
    name: "answers, about selected_text",
    send: (text, ports, username) =>
      answer(ports, username, {
        text: "What does the selected text say about pump 7?",
        context: { selected_text: text(ATTACHED_CHARS_MAX) },
      }),
  },
  {
    name: "answers, about a document",
    send: (text, ports, username) =>
      answer(ports, username, { text: `What does the register say about ${text(40)}?` }),
  },
  {
    name: "checks, of passages",
    send: (text, ports) => {
      const hostile = text(CHECKED_CHARS_MAX);
      const passages = Array.from({ length: PASSAGES }, (_, i) => ({
        id: String(i),
        text: `The valve is open. ${text(CHECKED_CHARS_MAX - 1_000 * (i + 1))}`,
      }));
      return post(ports, "/api/v1/checks", { text: hostile, question: hostile, passages });
    },
  },
  {
    name: "checks, of readings",
    send: (text, ports) => {
      const hostile = text(CHECKED_CHARS_MAX);
      const value = text(READING_CHARS);
      const result = Array.from({ length: READINGS }, (_, i) => ({ name: `${i} ${value}`, [value]: i }));
      const tools = [{ tool: "ps", result, age_s: 1 }];
      return post(ports, "/api/v1/checks", { text: hostile, question: hostile, tools });
    },
  },
  {
    name: "suggested_questions",
    send: (text, ports, username) =>
      relayed(
        ports,
        { command: "suggested_questions", network: NETWORK, username, groups: groupsOf(text) },
        /^suggested_questions$|error/,
      ),
  },
  {
    name: "summarize",
    send: (text, ports, username) =>
      post(ports, "/api/v1/summaries", { network: NETWORK, username, text: text(SUMMARIZED_CHARS) }),
  },
  {
    name: "chat completions",
    send: (text, ports, username) =>
      post(ports, "/v1/chat/completions", {
        model: "readback",
        user: JSON.stringify({ network: NETWORK, username }),
        messages: [
          { role: "user", content: "What are the readings?" },
          { role: "assistant", content: text(LINE_CHARS) },
          { role: "user", content: "And then?" },
        ],
      }),
  },
];

/** As many names of groups as are taken. */
function groupsOf(text: TextOf): string[] {
  const name = text(GROUP_CHARS).replace(/\p{Cc}/gu, " ");
  return Array.from({ length: GROUPS_MAX }, (_, i) => `${i} ${name}`);
}

/** The longest beginning that is admitted as a question. */
function longestQuestion(text: TextOf): string {
  let chars = MESSAGE_CHARS_MAX;
  while (countTokens(text(chars)) > MESSAGE_TOKENS_MAX) chars = Math.floor(chars * 0.9);
  return text(chars);
}

function lineBefore(line: string): object {
  const history = [
    { role: "user", text: "What are the readings?" },
    { role: "assistant", text: line },
  ];
  return { text: "And then?", history };
}

function answer(ports: Ports, username: string, rest: object): Promise<void> {
  return post(ports, "/api/v1/answers", { network: NETWORK, username, ...rest });
}

async function post(ports: Ports, path: string, body: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${ports.http}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const told = await response.text();
  if (response.status >= 500 && response.status !== 503)
    throw new Error(`${path}: ${response.status} ${told}`);
}

function message(
  ports: Ports,
  asked: { readonly username: string; readonly text: string; readonly responseType: "text" | "audio" },
): Promise<void> {
  const command = { command: "ai_message", network: NETWORK, ...asked } as const;
  return relayed(ports, command, /^text_message$|error/);
}

/** Sends a command on a connection of its own, and waits for the one that ends it, or for the first sound. */
async function relayed(
  ports: Ports,
  command: Parameters<typeof encodeRelayCommand>[0],
  ends: RegExp,
): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port: ports.relay, noDelay: true });
  await once(socket, "connect");
  socket.write(encodeRelayCommand(command));
  try {
    await ended(socket, ends);
  } finally {
    socket.destroy();
  }
}

async function ended(socket: Socket, ends: RegExp): Promise<void> {
  const decoder = new EnvelopeDecoder();
  for await (const bytes of socket) {
    decoder.push(bytes as Buffer);
    for (let result = decoder.next(); result.type === "envelope"; result = decoder.next()) {
      if (result.envelope.contentType === "audio") return;
      const parsed = parseServiceCommand(result.envelope);
      if (parsed.type !== "refused" && ends.test(parsed.command.command)) return;
    }
  }
  throw new Error("the service hung up");
}
