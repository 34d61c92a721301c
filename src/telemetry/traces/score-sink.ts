/** Scores of evaluated turns on their way to Langfuse, one after the other: spans carry none. */
import { type Clock, sleep } from "../../lib/clock.js";
import { JsonClient, type RequestFailure } from "../../lib/json-client.js";
import type { EventOf } from "../events.js";
import type { SinkReport } from "./sink-report.js";
import { traceIdOf } from "./turn-spans.js";

/** Further ones are dropped. */
export const SCORES_WAITING_MAX = 1_000;
const LIMITS = { timeoutMs: 5_000, bodyBytesMax: 65_536 };
/** Attempts at one score, and the pause before each but the first, unless the server asks for another. */
const ATTEMPTS_MAX = 3;
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;

export class ScoreSink {
  readonly #client: JsonClient;
  readonly #closing = new AbortController();
  #waiting = 0;
  #work = Promise.resolve();

  constructor(
    baseUrl: string,
    authorization: () => string,
    private readonly clock: Clock,
    private readonly report: SinkReport,
  ) {
    this.#client = new JsonClient(clock, { server: "Langfuse", baseUrl, authorization, ...LIMITS });
  }

  /** With ids that make them the same scores when a row is measured again. */
  add({ scores, turn }: EventOf<"turn_scored">): void {
    const traceId = traceIdOf(turn);
    for (const [name, value] of Object.entries(scores)) {
      if (this.#waiting >= SCORES_WAITING_MAX) this.report(1, "crowded_out");
      else this.#queue({ id: `${traceId}-${name}`, traceId, name, value, dataType: "NUMERIC" });
    }
  }

  /** Sends what waits until `signal` aborts. */
  async close(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#closing.abort(signal.reason), { once: true });
    await this.#work;
  }

  #queue(score: object): void {
    this.#waiting += 1;
    this.#work = this.#work.then(async () => {
      const error = await this.#send(score);
      this.#waiting -= 1;
      this.report(1, error === undefined ? "taken" : "not_taken", error);
    });
  }

  /** Why it was not taken, if it was not. */
  async #send(score: object): Promise<string | undefined> {
    const { signal } = this.#closing;
    for (let attempt = 1, pauseMs = 0; ; attempt++) {
      try {
        await sleep(this.clock, pauseMs, signal);
        await this.#client.post("/api/public/scores", score, signal);
        return undefined;
      } catch (error) {
        const { message, passing, retryAfterMs = PAUSE_MS } = error as Partial<RequestFailure>;
        if (passing !== true || attempt === ATTEMPTS_MAX) return message;
        pauseMs = Math.min(retryAfterMs, PAUSE_MS_MAX);
      }
    }
  }
}
