/** The service as the page knows it: what can be asked of it, and what it tells of an answer. */

import { ServerSentReader } from "./server-sent-events.js";
import type { Failure, GuideStep, Operation, Source } from "./state.js";

/** Whose the screen is. */
export interface Brand {
  readonly name?: string;
  /** Address of a picture. */
  readonly logo?: string;
  /** Values of the custom properties of the style sheet, by name; absent: its own. */
  readonly palette?: { readonly scheme: string; readonly tones: Readonly<Record<string, string>> };
  /** By language tag. */
  readonly welcome: Readonly<Record<string, string>>;
}

export interface KioskConfig {
  /** What it speaks until somebody chooses another. */
  readonly language?: string;
  /** Those that can be chosen. */
  readonly languages: readonly string[];
  /** Silence after which it forgets. */
  readonly idle_ms: number;
  /** Whether the page has a keyboard of its own. */
  readonly keyboard: boolean;
  /** Percent, until somebody chooses another. */
  readonly volume: number;
  readonly brand: Brand;
  /** How a colleague is reached: a text by language tag, and whether a call reaches one. Absent: not from here. */
  readonly call?: { readonly text: Readonly<Record<string, string>>; readonly reaches: boolean };
}

/** What is told of an answer, as it comes. */
export type AnswerEvent =
  | { readonly type: "understood"; readonly text: string; readonly heard?: string }
  | {
      readonly type: "step";
      readonly target?: string;
      readonly ok: boolean;
      readonly evidence: readonly { readonly text: string; readonly age_ms: number }[];
    }
  | ({ readonly type: "operation" } & Operation)
  | ({ readonly type: "guide" } & GuideStep)
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "rewound" }
  | { readonly type: "voice"; readonly packet_ms: number }
  | { readonly type: "packet"; readonly data: string }
  | {
      readonly type: "finished";
      readonly outcome: string;
      readonly text: string;
      readonly sources: readonly Source[];
    }
  | { readonly type: "failed"; readonly error: { readonly code: string } };

/** The service cannot be reached. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/** The token is not known. */
export class LockedOut extends Error {
  override readonly name = "LockedOut";
}

/** The service turned a request down; `code` says why. */
export class TurnedDown extends Error {
  override readonly name = "TurnedDown";
  constructor(readonly code: string) {
    super(`the service said ${code}`);
  }
}

/** How long a short request may take. */
const SHORT_MS_MAX = 5_000;
/** The service gives up after five seconds, and says so. */
const CALL_MS_MAX = 8_000;
/** A stream shows at least every ten seconds that it is alive. */
const SILENCE_MS_MAX = 25_000;

const HTTP_UNAUTHORIZED = 401;

export class Service {
  constructor(private readonly token: string) {}

  async config(): Promise<KioskConfig> {
    return (await this.#short("config")).json() as Promise<KioskConfig>;
  }

  async suggestions(language: string): Promise<readonly string[]> {
    const response = await this.#short(`suggestions?language=${encodeURIComponent(language)}`);
    return ((await response.json()) as { readonly questions: readonly string[] }).questions;
  }

  /** Calls a colleague; false where the call did not get through. */
  async callColleague(): Promise<boolean> {
    const response = await this.#fetch("call", { ...json({}), signal: AbortSignal.timeout(CALL_MS_MAX) });
    return ((await response.json()) as { readonly reached: boolean }).reached;
  }

  /** Has the service forget a session, even where the page is being left. */
  async forget(session: string): Promise<void> {
    await this.#short("forget", { ...json({ session }), keepalive: true });
  }

  /** Whether the service can be reached: by the one address that is this page's wherever it is served. */
  async isThere(): Promise<boolean> {
    const signal = AbortSignal.timeout(SHORT_MS_MAX);
    try {
      return (await fetch("/kiosk", { method: "HEAD", signal, cache: "no-store" })).ok;
    } catch {
      return false;
    }
  }

  ask(text: string, session: string, language: string | undefined, signal: AbortSignal) {
    const body = { text, session, ...(language === undefined ? {} : { language }) };
    return this.#answer("ask", json(body), signal);
  }

  /** Asks with a recording: Ogg Opus. */
  say(recording: Blob, session: string, language: string | undefined, signal: AbortSignal) {
    const query = new URLSearchParams({ session, ...(language === undefined ? {} : { language }) });
    const init = { method: "POST", headers: { "content-type": "audio/ogg" }, body: recording };
    return this.#answer(`voice?${query}`, init, signal);
  }

  async *#answer(path: string, init: Init, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    const silence = new AbortController();
    const both = AbortSignal.any([signal, silence.signal]);
    const waited = () => silence.abort(new ConnectionLost("nothing was heard for too long"));
    let timer = setTimeout(waited, SILENCE_MS_MAX);
    try {
      const { body } = await this.#fetch(path, { ...init, signal: both });
      const reader = new ServerSentReader();
      if (body === null) throw new ConnectionLost("there is no reply");
      for await (const text of body.pipeThrough(new TextDecoderStream())) {
        clearTimeout(timer);
        timer = setTimeout(waited, SILENCE_MS_MAX);
        for (const { data, name } of reader.push(text)) {
          yield { type: name, ...(JSON.parse(data) as object) } as AnswerEvent;
        }
      }
    } catch (error) {
      if (error instanceof LockedOut || error instanceof TurnedDown || signal.aborted) throw error;
      throw new ConnectionLost(String(error));
    } finally {
      clearTimeout(timer);
    }
  }

  #short(path: string, init: Init = {}): Promise<Response> {
    return this.#fetch(path, { ...init, signal: AbortSignal.timeout(SHORT_MS_MAX) });
  }

  async #fetch(path: string, init: Init): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${this.token}` };
    let response: Response;
    try {
      response = await fetch(`/kiosk/api/${path}`, { ...init, headers, cache: "no-store" });
    } catch (error) {
      throw new ConnectionLost(String(error));
    }
    if (response.ok) return response;
    if (response.status === HTTP_UNAUTHORIZED) throw new LockedOut();
    const said = (await response.json()) as { readonly error?: { readonly code?: string } };
    throw new TurnedDown(said.error?.code ?? `http_${response.status}`);
  }
}

type Init = RequestInit & { readonly headers?: Readonly<Record<string, string>> };

function json(body: object): Init {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

const BUSY: readonly string[] = ["chat_busy", "rate_limited", "assistant_unavailable", "overloaded"];

/** What the page says where the service turned a question down. */
export function failureOf(code: string): Failure {
  if (BUSY.includes(code)) return "busy";
  return code === "unsupported_audio" || code === "transcription_unavailable" ? "unheard" : "again";
}
