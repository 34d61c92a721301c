/** Which server embeds, reranks and speaks, and with which key: the language model's, where the settings name no other. */
import type { Key } from "../lib/secret.js";
import { OPENAI_BASE_URL } from "../retrieval/embedding/openai.js";

export interface ServerSettings {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: Key | undefined;
}

/**
 * The language model's key is for its own server. One on another machine gets none but its own, since whoever runs it
 * could use that key.
 */
export function modelServer(own: ServerSettings, llm: ServerSettings): ServerSettings {
  const baseUrl = own.baseUrl ?? llm.baseUrl;
  const isSameMachine = machineOf(baseUrl) === machineOf(llm.baseUrl);
  return { baseUrl, apiKey: own.apiKey ?? (isSameMachine ? llm.apiKey : undefined) };
}

function machineOf(baseUrl: string | undefined): string {
  return new URL(baseUrl ?? OPENAI_BASE_URL).hostname;
}

/** Without a key OpenAI's own server answers nobody. */
const NEEDS_KEY = machineOf(undefined);

/**
 * `server`, which `section` of the settings asks for. Throws where it would refuse every request for want of a key, and
 * says what to set.
 */
export function keyed<S extends ServerSettings>(section: string, server: S): S {
  if (server.apiKey !== undefined || machineOf(server.baseUrl) !== NEEDS_KEY) return server;
  throw new Error(
    `${section} asks for a model at ${NEEDS_KEY}, and there is no key for it: set ${section}.api_key (or ` +
      `OPENAI_API_KEY), ${section}.base_url for another server, or another provider.`,
  );
}
