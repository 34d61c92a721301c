/**
 * LiveKit's way to a spoken answer, with LiveKit's own code: their sentence tokenizer, their `StreamAdapter` and their
 * OpenAI plugin for speech. The stages before it are those of every peer, and each frame of PCM goes to the relay as it
 * is, without an encoder. It is not among this project's dependencies: `BENCH_LIVEKIT_DIR` names a directory that has
 * it, see `first-audio.ts`.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { serve } from "./child.js";
import { listenAsPeer, type Voice } from "./peer-assistant.js";
import { type ModelServer, planAndSearch, streamedAnswer } from "./two-stages.js";

export type LiveKitCalls = {
  start: { input: ModelServer & { readonly directory: string }; output: { readonly port: number } };
};

/** What of LiveKit's types is needed here. */
interface Speech {
  readonly brand?: never;
}

interface SpeechStream extends AsyncIterable<SynthesizedAudio | symbol> {
  pushText(text: string): void;
  endInput(): void;
  close(): void;
}

interface SynthesizedAudio {
  readonly frame: {
    readonly data: Int16Array;
    readonly samplesPerChannel: number;
    readonly sampleRate: number;
  };
}

interface Agents {
  initializeLogger(options: { readonly pretty: boolean; readonly level: string }): void;
  readonly tts: {
    readonly StreamAdapter: new (speech: Speech, tokenizer: object) => { stream(): SpeechStream };
  };
  readonly tokenize: { readonly basic: { readonly SentenceTokenizer: new () => object } };
}

interface OpenAiPlugin {
  readonly TTS: new (options: {
    readonly apiKey: string;
    readonly baseURL: string;
    readonly model: string;
    readonly voice: string;
  }) => Speech;
}

const PACKET_MS = 20;
/** A frame is cut where one of ours could not be longer. */
const FRAME_BYTES_MAX = 8_192;

serve<LiveKitCalls>({
  start: async ({ directory, ...server }) => {
    const agents = await load<Agents>(directory, "agents");
    const plugin = await load<OpenAiPlugin>(directory, "agents-plugin-openai");
    agents.initializeLogger({ pretty: false, level: "warn" });
    const { baseUrl: baseURL } = server;
    const speech = new plugin.TTS({ apiKey: "sk-benchmark", baseURL, model: "tts-1", voice: "shimmer" });
    const adapter = new agents.tts.StreamAdapter(speech, new agents.tokenize.basic.SentenceTokenizer());
    return {
      port: await listenAsPeer(async (question, voice, signal) => {
        await planAndSearch(question, server);
        const stream = adapter.stream();
        await Promise.all([
          write(stream, streamedAnswer(question, server), signal),
          play(stream, voice, signal),
        ]);
      }),
    };
  },
});

async function write(stream: SpeechStream, text: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  for await (const piece of text) {
    if (signal.aborted) return;
    stream.pushText(piece);
  }
  stream.endInput();
}

async function play(stream: SpeechStream, voice: Voice, signal: AbortSignal): Promise<void> {
  voice.begin(PACKET_MS);
  for await (const audio of stream) {
    // Between the sentences come marks.
    if (typeof audio === "symbol") continue;
    const { data, sampleRate, samplesPerChannel } = audio.frame;
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    voice.send(bytes.subarray(0, FRAME_BYTES_MAX));
    if (signal.aborted) break;
    await sleep((samplesPerChannel / sampleRate) * 1_000);
  }
  stream.close();
}

async function load<T>(directory: string, name: string): Promise<T> {
  const path = join(directory, "node_modules", "@livekit", name, "dist", "index.js");
  return (await import(pathToFileURL(path).href)) as T;
}
