/** The service as the page knows it: requests with the key and the name of whoever sits before it. */

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

  /** The reply's JSON. Rejects with `Refused`, and with whatever the browser says. */
  async #call<T>(path: string, msMax: number, init: RequestInit = {}): Promise<T> {
    const authorization = this.key !== "" && { authorization: `Bearer ${this.key}` };
    const headers = { "content-type": "application/json", ...authorization };
    const signal = AbortSignal.timeout(msMax);
    const response = await fetch(`/api/v1/${path}`, { ...init, headers, signal, cache: "no-store" });
    const reply = (await response.json()) as { readonly error?: { readonly message?: string } };
    if (response.ok) return reply as T;
    throw new Refused(response.status, reply.error?.message ?? `HTTP ${response.status}`);
  }
}
