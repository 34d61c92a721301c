/**
 * A faithful local server of LLM Guard's API (0.3.16): its routes, its bearer token, its shapes and error bodies, its
 * risk scores and its strategy `truncate_head_tail`. Where the real one asks a model, this one is told what is an attack:
 * a text scores by the longest run of an attack's words that it holds. Real sockets; faults on demand.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CANARY } from "../../src/guard/text-guard.js";

/** What goes wrong with each scan. `says_yes`: every text is valid, the worst too. */
export const FAULTS = [
  "hang",
  401,
  408,
  422,
  429,
  500,
  "cut",
  "says_yes",
  "no_scanners",
  "garbage",
  "shape",
] as const;
export type GuardFault = (typeof FAULTS)[number];

export const GUARD_TOKEN = "guard-token-0123456789";

/** As `scanners.yml` has them. */
const THRESHOLD = 0.92;
const PROMPT_CHARACTERS_LIMIT = 256;

/** So much of an attack's words in a row, or so many, and a text counts as one. */
const SHARE_MIN = 0.6;
const WORDS_MIN = 12;

const DETAILS: Readonly<Record<number, unknown>> = {
  401: { message: "Invalid API key", details: null },
  408: { message: "Request timeout.", details: null },
  422: { message: "Validation failed", details: [] },
  429: { error: "Rate limit exceeded: 100 per 1 minute" },
  500: "Internal Server Error",
};

export class LlmGuardServer {
  /** Every text that it was asked about, the canary apart, in order of arrival. */
  readonly prompts: string[] = [];
  readonly paths: string[] = [];
  fault: GuardFault | undefined;
  /** The one that is good. */
  token = GUARD_TOKEN;
  /** By their length: runs of words that give an attack away. */
  readonly #runs = new Map<number, Set<string>>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  private constructor(attacks: readonly string[]) {
    for (const words of [CANARY, ...attacks].map(wordsOf)) {
      const length = Math.min(WORDS_MIN, Math.ceil(words.length * SHARE_MIN));
      this.#runs.set(length, new Set([...(this.#runs.get(length) ?? []), ...runsOf(words, length)]));
    }
  }

  static async start(attacks: readonly string[] = []): Promise<LlmGuardServer> {
    const server = new LlmGuardServer(attacks);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The settings that make a service use it. */
  get config(): Readonly<Record<string, unknown>> {
    return { "guard.url": this.url, "guard.token": GUARD_TOKEN };
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "";
    if (request.method === "GET" && path === "/healthz") return send(response, 200, { status: "alive" });
    const [, kind] = /^\/(scan|analyze)\/prompt$/.exec(path) ?? [];
    if (request.method !== "POST" || kind === undefined)
      return send(response, 404, { message: "Not Found", details: null });
    if (request.headers.authorization !== `Bearer ${this.token}`) return send(response, 401, DETAILS[401]);
    const prompt = promptOf(Buffer.concat(chunks).toString());
    if (prompt === undefined) return send(response, 422, DETAILS[422]);
    this.paths.push(path);
    if (prompt !== CANARY) this.prompts.push(prompt);
    this.#answer(prompt, kind, response);
  }

  #answer(prompt: string, kind: string, response: ServerResponse): void {
    const { fault } = this;
    if (fault === "hang") return;
    if (fault === "cut")
      return void response.writeHead(200, { "content-length": 50 }).write("{", () => response.destroy());
    if (fault === "garbage") return void response.end("<html>");
    if (fault === "shape") return send(response, 200, { valid: true });
    if (fault === "no_scanners") return send(response, 200, { is_valid: true, scanners: {} });
    if (typeof fault === "number") return send(response, fault, DETAILS[fault]);
    const score = fault === "says_yes" || prompt.trim() === "" ? 0 : this.#scoreOf(prompt);
    const sanitized = kind === "analyze" ? { sanitized_prompt: prompt } : {};
    const scanners = { PromptInjection: riskScore(score) };
    send(response, 200, { ...sanitized, is_valid: score <= THRESHOLD, scanners });
  }

  /** What a model would say of what it is shown of the text. */
  #scoreOf(prompt: string): number {
    const words = wordsOf(seenOf(prompt));
    const isAttack = [...this.#runs].some(([length, runs]) =>
      runsOf(words, length).some((run) => runs.has(run)),
    );
    return isAttack ? 0.99 : 0.01;
  }
}

/** `truncate_head_tail`: the first and the last 126 characters, as Python counts them. */
function seenOf(prompt: string): string {
  const characters = Array.from(prompt);
  if (characters.length <= PROMPT_CHARACTERS_LIMIT) return prompt;
  const part = Math.floor((PROMPT_CHARACTERS_LIMIT - 3) / 2);
  return `${characters.slice(0, part).join("")}...${characters.slice(-part).join("")}`;
}

/** `calculate_risk_score` of llm_guard/util.py. */
function riskScore(score: number): number {
  const risk = score > THRESHOLD ? (score - THRESHOLD) / (1 - THRESHOLD) : (score - THRESHOLD) / THRESHOLD;
  return Math.min(Math.max(Math.round(risk * 10) / 10, -1), 1);
}

/** Every run of so many words of a text, as one string each. */
function runsOf(words: readonly string[], length: number): readonly string[] {
  return words
    .slice(0, Math.max(0, words.length - length + 1))
    .map((_, i) => words.slice(i, i + length).join(" "));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function promptOf(body: string): string | undefined {
  try {
    const { prompt } = JSON.parse(body) as { readonly prompt?: unknown };
    return typeof prompt === "string" ? prompt : undefined;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
