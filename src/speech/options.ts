/** Settings of the speech synthesizer, as the configuration file writes them. */
import { z } from "zod";
import { modelServerUrl } from "../lib/model-server-url.js";
import { secret } from "../lib/secret.js";

export const speechOptions = z.strictObject({
  provider: z
    .enum(["auto", "openai", "offline"])
    .default("auto")
    .describe(
      "Who speaks: `openai` (any server that speaks its API), `offline` (the voice that comes with the service, English " +
        "only), or `auto`: openai when a key or a base URL is set here or for the language model, else offline.",
    ),
  model: z.string().min(1).default("tts-1").describe("Name of the speech model, as the server knows it."),
  voice: z.string().min(1).default("shimmer").describe("Name of the server's voice."),
  format: z
    .literal("opus")
    .default("opus")
    .describe("Format of the audio: Opus packets pass through untouched."),
  base_url: modelServerUrl()
    .optional()
    .describe("Base of the API, up to and including `/v1`. Default: that of the language model."),
  api_key: secret
    .optional()
    .describe(
      "The key for the server. Default: that of the language model, if it is on the same machine. Secret.",
    ),
  first_byte_timeout_ms: z
    .int()
    .min(1)
    .default(15_000)
    .describe("How long a request may take to the first byte of audio."),
  idle_timeout_ms: z.int().min(1).default(3_000).describe("The longest silence in the middle of a body."),
  body_bytes_max: z
    .int()
    .min(1_024)
    .default(1_048_576)
    .describe("Size of the audio of one sentence at the most."),
  early_clause: z
    .boolean()
    .default(true)
    .describe(
      "Whether the first clause of an answer is sent to the synthesizer while its sentence is still being written. It is " +
        "played only once the whole sentence has been checked; now and then it is spoken for nothing.",
    ),
  offline_voice: z
    .enum(["slt", "rms", "awb", "kal16"])
    .default("slt")
    .describe("Voice of the offline synthesizer."),
  offline_queue_length_max: z
    .int()
    .min(1)
    .default(64)
    .describe("Sentences that may wait for the offline synthesizer."),
  cache_bytes_max: z
    .int()
    .min(0)
    .max(1_073_741_824)
    .default(16_777_216)
    .describe(
      "Memory for what was spoken before, so that the same words need not be spoken twice. 0: none is kept.",
    ),
  cache_entries_max: z
    .int()
    .min(1)
    .max(100_000)
    .default(1_000)
    .describe("Texts of which the spoken form is kept at the most."),
  acknowledgement: z
    .enum(["off", "tone", "phrase"])
    .default("tone")
    .describe(
      "What a user hears at once when a spoken answer is likely to take long, on relays that ask for it: nothing, a soft " +
        'tone, or a few words such as "One moment".',
    ),
  acknowledgement_threshold_ms: z
    .int()
    .min(500)
    .max(20_000)
    .default(1_500)
    .describe("How long an answer must be expected to take for that, as learnt from the answers before it."),
  speak_ahead: z
    .enum(["auto", "on", "off"])
    .default("auto")
    .describe(
      "Whether the fixed phrases of the usual language are spoken into that memory at the start: `auto` does it with the " +
        "offline voice, which costs nothing.",
    ),
});
