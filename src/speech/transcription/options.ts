/** Settings of the speech recogniser, as the configuration file writes them. */
import { z } from "zod";
import { modelServerUrl } from "../../lib/model-server-url.js";
import { secret } from "../../lib/secret.js";

export const transcriptionOptions = z.strictObject({
  provider: z
    .enum(["auto", "openai", "local", "none"])
    .default("auto")
    .describe(
      "Who understands spoken questions: `openai` (any server that speaks its API), `local` (pocketsphinx, where it is " +
        "installed: rough, English only), `none`, or `auto`: openai when a key or a base URL is set here or for the " +
        "language model, else local where it is installed, else none.",
    ),
  model: z
    .string()
    .min(1)
    .default("whisper-1")
    .describe("Name of the transcription model, as the server knows it."),
  base_url: modelServerUrl()
    .optional()
    .describe("Base of the API, up to and including `/v1`. Default: that of the language model."),
  api_key: secret
    .optional()
    .describe(
      "The key for the server. Default: that of the language model, if it is on the same machine. Secret.",
    ),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, "write a language tag such as `en` or `de-AT`")
    .optional()
    .describe(
      "The language that is spoken when a question does not name one, as a tag such as `en`. Default: the recogniser " +
        "finds out.",
    ),
  hints: z
    .enum(["titles_and_terms", "terms", "none"])
    .default("titles_and_terms")
    .describe(
      "What the recogniser is told of the documents that the user may read, so that it hears their words: " +
        "`titles_and_terms` (words and names that are rare in language and frequent in titles and texts), `terms` " +
        "(single words of the texts that stand in no title), or `none`. A provider outside your walls sees what it is " +
        "told.",
    ),
  stream: z
    .enum(["auto", "on", "off"])
    .default("auto")
    .describe(
      "Whether the transcript is streamed. `auto`: from models that are known to (`gpt-4o-transcribe`).",
    ),
  upload: z
    .enum(["whole", "streamed"])
    .default("whole")
    .describe(
      "When the question is sent: `whole`, when the button is released, or `streamed`, while it is held. Not every " +
        "server takes a streamed upload; from one that does not, `whole` is learnt.",
    ),
  timeout_ms: z
    .int()
    .min(1)
    .default(15_000)
    .describe("How long the transcript may take after the button is released, a second attempt included."),
  idle_timeout_ms: z.int().min(1).default(5_000).describe("The longest silence in the middle of an answer."),
  answer_bytes_max: z
    .int()
    .min(1_024)
    .default(1_048_576)
    .describe("Size of the answer to one question at the most."),
  local_command: z
    .string()
    .min(1)
    .default("pocketsphinx_continuous")
    .describe("Name or path of the local recogniser's program."),
  local_model_dir: z
    .string()
    .min(1)
    .default("/usr/share/pocketsphinx/model/en-us")
    .describe("Directory of the local recogniser's model: `en-us`, `en-us.lm.bin` and `cmudict-en-us.dict`."),
  local_timeout_ms: z
    .int()
    .min(1)
    .default(20_000)
    .describe("How long the local recogniser may work on one question."),
  local_concurrency_max: z
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe("Questions that the local recogniser works on at once; each keeps a processor busy."),
  local_queue_length_max: z
    .int()
    .min(0)
    .default(16)
    .describe("Questions that may wait for the local recogniser."),
});
