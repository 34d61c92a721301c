/** The connections that are kept open through silence: to the server of the language model, and to that of the voice. */
import type { Config } from "../config/schema.js";
import type { Clock } from "../lib/clock.js";
import { WarmConnections, type WarmTarget } from "../lib/warm-connections.js";
import { OPENAI_BASE_URL } from "../llm/openai.js";
import { chosenProvider } from "../llm/options.js";
import type { Telemetry } from "../telemetry/events.js";
import { modelServer, type ServerSettings } from "./model-server.js";

export function createConnections(
  { llm, speech }: Pick<Config, "llm" | "speech">,
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
): WarmConnections {
  const voice = { provider: speech.provider, ...modelServer(speech, llm) };
  const servers = [llm, voice].filter((server) => chosenProvider(server) === "openai");
  const onFailed = (url: string, error: unknown) =>
    telemetry.emit({ type: "connection_failed", server: new URL(url).host, error: String(error) });
  return new WarmConnections(clock, llm.keepWarm ? servers.map(targetOf) : [], onFailed);
}

/** Every server of this API has a list of its models. */
function targetOf({ baseUrl = OPENAI_BASE_URL, apiKey }: ServerSettings): WarmTarget {
  const url = new URL(`${baseUrl.replace(/(?<!\/)\/+$/, "")}/models`);
  // Asked without them: what matters is the connection, not the answer.
  url.username = "";
  url.password = "";
  return {
    url: url.href,
    get headers() {
      return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    },
  };
}
