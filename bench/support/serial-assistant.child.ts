/**
 * The serial way to a spoken answer: the whole answer is written before any of it is spoken, and the whole body of its
 * speech is there before the first packet leaves. No check, no history, no search index: only the waiting is the same.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { OggOpusDemuxer } from "@readback/audio";
import { serve } from "./child.js";
import { listenAsPeer } from "./peer-assistant.js";
import { type ModelServer, planAndSearch, wholeAnswer, wholeSpeech } from "./two-stages.js";

export type SerialCalls = {
  start: { input: ModelServer; output: { readonly port: number } };
};

const PACKET_MS = 20;

serve<SerialCalls>({
  start: async (server) => ({
    port: await listenAsPeer(async (question, voice, signal) => {
      await planAndSearch(question, server);
      const packets = packetsIn(await wholeSpeech(await wholeAnswer(question, server), server));
      voice.begin(PACKET_MS);
      for (const packet of packets) {
        voice.send(packet);
        await sleep(PACKET_MS, undefined, { signal });
      }
    }),
  }),
});

function packetsIn(body: Uint8Array): Uint8Array[] {
  return new OggOpusDemuxer().push(body).flatMap((event) => (event.type === "packet" ? [event.data] : []));
}
