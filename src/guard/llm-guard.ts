/**
 * LLM Guard's API as it is (0.3.16): a prompt is posted to `/scan/prompt` or `/analyze/prompt`, and the answer is
 * `{is_valid, scanners: {name: score}}`, with the cleaned text in the latter. Scores run from -1 to 1 and are above 0
 * where that scanner's own threshold is passed.
 */
import { z } from "zod";
import type { Clock } from "../lib/clock.js";
import { idleFetch } from "../lib/idle-fetch.js";
import { JsonClient, RequestFailure } from "../lib/json-client.js";
import { wellFormed } from "../lib/well-formed.js";
import type { GuardOptions } from "./options.js";

const ANSWER_BYTES_MAX = 65_536;

const answerSchema = z.object({ is_valid: z.boolean(), scanners: z.record(z.string(), z.number()) });

export class LlmGuard {
  readonly #client: JsonClient;

  constructor(
    private readonly clock: Clock,
    private readonly options: GuardOptions & { readonly url: string },
  ) {
    const { timeoutMs, token: apiKey, url: baseUrl } = options;
    const settings = { server: "the guard", baseUrl, apiKey, timeoutMs, bodyBytesMax: ANSWER_BYTES_MAX };
    this.#client = new JsonClient(clock, settings);
  }

  /** The scanner that refuses the text, if one does. Rejects with `RequestFailure` or the signal's reason. */
  async refusalOf(text: string, signal: AbortSignal): Promise<string | undefined> {
    const { endpoint, threshold } = this.options;
    const prompt = wellFormed(text, text.length);
    const answer = answerSchema.safeParse(await this.#client.post(`/${endpoint}/prompt`, { prompt }, signal));
    if (!answer.success) throw new RequestFailure("the guard answers in another shape than LLM Guard", true);
    const { is_valid: isValid, scanners } = answer.data;
    const [[name, score] = ["unknown", -1]] = Object.entries(scanners).sort(([, a], [, b]) => b - a);
    return isValid && score < threshold ? undefined : name;
  }

  /** Rejects unless the server says that it lives. */
  async live(signal: AbortSignal): Promise<void> {
    const { timeoutMs, url } = this.options;
    const limits = { firstByteMs: timeoutMs, idleMs: timeoutMs, bodyBytesMax: ANSWER_BYTES_MAX };
    const { ok, status } = await idleFetch(this.clock, limits)(new URL("healthz", `${url}/`), { signal });
    if (!ok) throw new RequestFailure(`the guard answers ${status}`, true);
  }
}
