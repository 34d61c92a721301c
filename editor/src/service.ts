/** The service as the page knows it: requests with the key and the name of whoever sits before it. */

import { ServerSentReader } from "/editor/assets/kiosk/server-sent-events.js";

/** How long an answer may take: of most requests, of a message, which a model may answer, and of a voice. */
const REQUEST_MS_MAX = 15_000;
export const MESSAGE_MS_MAX = 150_000;
export const VOICE_MS_MAX = 45_000;

/** The service said no; the message is for the reader. */
export class Refused extends Error {
  override readonly name = "Refused";
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export type Person = Readonly<Record<string, string>>;

export class Service {
  constructor(
    private readonly key: string,
    private readonly person: Person,
  ) {}

  get<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
    return this.#call(`${path}?${new URLSearchParams({ ...this.person, ...query })}`, REQUEST_MS_MAX);
  }

  post<T>(path: string, body: object, msMax = REQUEST_MS_MAX): Promise<T> {
    const sent = JSON.stringify({ ...this.person, ...body });
    return this.#call(path, msMax, { method: "POST", body: sent });
  }

  /** The same, where a model may answer: what it says is told to `onSaid` while it writes. */
  async say<T>(path: string, body: object, onSaid: (text: string) => void): Promise<T> {
    const init = { method: "POST", body: JSON.stringify({ ...this.person, ...body }) };
    const { body: stream } = await this.#fetch(path, MESSAGE_MS_MAX, init, "text/event-stream");
    const reader = new ServerSentReader();
    let said = "";
    for await (const piece of stream!.pipeThrough(new TextDecoderStream()))
      for (const { data, name } of reader.push(piece)) {
        const told = JSON.parse(data) as Refusal & { readonly text?: string };
        if (name === "finished") return told as T;
        if (name === "failed") throw new Refused(IN_STREAM, told.error?.message ?? "");
        said = name === "rewound" ? "" : said + (told.text ?? "");
        onSaid(said);
      }
    throw new Error("the answer broke off");
  }

  /** The reply's JSON. Rejects with `Refused`, and with whatever the browser says. */
  async #call<T>(path: string, msMax: number, init: RequestInit = {}): Promise<T> {
    return (await (await this.#fetch(path, msMax, init, "application/json")).json()) as T;
  }

  async #fetch(path: string, msMax: number, init: RequestInit, accept: string): Promise<Response> {
    const authorization = this.key !== "" && { authorization: `Bearer ${this.key}` };
    const headers = { accept, "content-type": "application/json", ...authorization };
    const signal = AbortSignal.timeout(msMax);
    const response = await fetch(`/api/v1/${path}`, { ...init, headers, signal, cache: "no-store" });
    if (response.ok) return response;
    const { error } = (await response.json()) as Refusal;
    throw new Refused(response.status, error?.message ?? `HTTP ${response.status}`);
  }
}

interface Refusal {
  readonly error?: { readonly message?: string };
}

/** Stands for the status of what failed after its reply had begun. */
const IN_STREAM = 503;
