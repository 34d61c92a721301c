/**
 * What every peer of `first-audio` does before it speaks, with plain requests and nothing of the service: stage 1 asks
 * the model what to search for, a search takes its time, stage 2 writes the answer from what was found.
 */

export interface ModelServer {
  readonly baseUrl: string;
  /** What the search takes. */
  readonly searchMs: number;
}

const MODEL = "gpt-4.1-mini";
/** What was found: as long as five passages are. */
const FOUND = "The lathe hall stays locked at night. ".repeat(60);
const TOOL = { type: "function", function: { name: "retrieve_relevant_documents", parameters: {} } };

/** Stage 1 and the search. */
export async function planAndSearch(question: string, { baseUrl, searchMs }: ModelServer): Promise<void> {
  const asked = { ...messagesOf(question), tools: [TOOL], tool_choice: "required" };
  await (await post(`${baseUrl}/chat/completions`, asked)).json();
  await new Promise((resolve) => setTimeout(resolve, searchMs));
}

/** Stage 2, all at once. */
export async function wholeAnswer(question: string, { baseUrl }: ModelServer): Promise<string> {
  const response = await post(`${baseUrl}/chat/completions`, messagesOf(`${FOUND}\n${question}`));
  const { choices } = (await response.json()) as Completion;
  return choices[0]!.message.content;
}

/** Stage 2, as it is written. */
export async function* streamedAnswer(
  question: string,
  { baseUrl }: ModelServer,
): AsyncGenerator<string, void, undefined> {
  const asked = { ...messagesOf(`${FOUND}\n${question}`), stream: true };
  const response = await post(`${baseUrl}/chat/completions`, asked);
  const decoder = new TextDecoder();
  let unread = "";
  for await (const bytes of response.body!) {
    unread += decoder.decode(bytes, { stream: true });
    const events = unread.split("\n\n");
    unread = events.pop()!;
    for (const event of events) {
      if (event === "data: [DONE]") return;
      const content = (JSON.parse(event.slice("data: ".length)) as Chunk).choices[0]?.delta.content;
      if (content) yield content;
    }
  }
}

/** The whole body of a spoken text, as Ogg Opus. */
export async function wholeSpeech(input: string, { baseUrl }: ModelServer): Promise<Uint8Array> {
  const asked = { model: "tts-1", voice: "shimmer", input, response_format: "opus" };
  const response = await post(`${baseUrl}/audio/speech`, asked);
  return new Uint8Array(await response.arrayBuffer());
}

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}

function messagesOf(content: string): object {
  return { model: MODEL, messages: [{ role: "user", content }] };
}

async function post(url: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response;
}
