/** Settings of the HTTP API, as the configuration file writes them. */
import { z } from "zod";

const KEY_CHARS_MIN = 8;
const NAME_CHARS_MAX = 256;

const name = z.string().min(1).max(NAME_CHARS_MAX);

const apiKey = z.strictObject({
  key: z.string().min(KEY_CHARS_MIN),
  name: name.optional(),
  networks: z.array(name).min(1).optional(),
  username: name.optional(),
  groups: z.array(name).optional(),
});

export const httpOptions = z.strictObject({
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("Address of health checks and the HTTP API. `0.0.0.0`: all."),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(8087)
    .describe("Port of health checks and the HTTP API. 0: any free one."),
  api_keys: z
    .array(apiKey)
    .default([])
    .describe(
      "Keys that open the API, at HTTP and gRPC: a list of `{key, name, networks, username, groups}`, of which only " +
        `\`key\` (at least ${KEY_CHARS_MIN} characters, secret) is needed; \`name\` is for logs, the others bind what ` +
        "the key's holder may ask as. Without any, only this machine is answered.",
    ),
  default_network: name
    .default("demo")
    .describe("Network of requests that name none, at the OpenAI-, Ollama-compatible and gRPC doors."),
  default_username: name.default("you").describe("User of requests that name none, at the same doors."),
  model_names: z
    .array(z.string().regex(/^[\w.:/-]{1,128}$/))
    .min(1)
    .default(["readback"])
    .describe(
      "Names by which OpenAI and Ollama clients call the assistant; the first is the one it calls itself.",
    ),
});
