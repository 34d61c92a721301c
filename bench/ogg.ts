// Ogg Opus demultiplexing against prism-media: throughput, and how long a packet waits after its last byte.
//
//   node dist/bench/ogg.js
//
// The contenders take turns within each round; times are medians over the rounds, ratios the medians of each round's.
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { muxOggOpus, OggOpusDemuxer, OpusPacketEncoder } from "@readback/audio";
import prism from "prism-media";

const FILE_SECONDS = 600;
const PAGE_MS = 1000;
const PACKET_MS = 20;
const ROUNDS = 31;
const WARM_UP_ROUNDS = 3;
const CHUNK_BYTES = [64, 1024, 16_384];

/** How fast the speech of a provider arrives, in seconds of audio a second. */
const ARRIVAL_SPEED = 6.5;
const ARRIVAL_CHUNK_BYTES = 64;
const ARRIVAL_SECONDS = 60;

const AIMS = { ratioWithoutCrc: 3, ratioWithCrc: 1.5, delayMs: 2 };

/** Prints both tables. */
export async function run(): Promise<void> {
  const packets = speechPackets(FILE_SECONDS);
  const file = muxOggOpus(packets, { pageMsMax: PAGE_MS });
  console.log(
    `Ogg: ${packets.length} packets of ${PACKET_MS} ms, pages of ${PAGE_MS} ms, ${file.length} bytes`,
  );
  console.log(`median of ${ROUNDS} interleaved rounds; aims: ${JSON.stringify(AIMS)}\n`);
  for (const chunkBytes of CHUNK_BYTES) await compareThroughput(file, packets.length, chunkBytes);
  await compareDelays();
}

/** Counts the bytes of the packets that it gets out of the chunks. */
type Contender = (chunks: readonly Uint8Array[]) => number | Promise<number>;

const PEER = "prism-media, no CRC";
type ContenderName = "readback, no CRC" | "readback, CRC" | typeof PEER;
const CONTENDERS: Record<ContenderName, Contender> = {
  "readback, no CRC": (chunks) => countWithReadback(chunks, false),
  "readback, CRC": (chunks) => countWithReadback(chunks, true),
  [PEER]: countWithPrism,
};
const NO_TIMES: Record<ContenderName, number> = { "readback, no CRC": 0, "readback, CRC": 0, [PEER]: 0 };

async function compareThroughput(file: Uint8Array, packets: number, chunkBytes: number): Promise<void> {
  const chunks = chunksOf(file, chunkBytes);
  const names = Object.keys(CONTENDERS) as ContenderName[];
  const rounds: Record<ContenderName, number>[] = [];
  const sums = new Set<number>();
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const timesMs = { ...NO_TIMES };
    for (const name of names) {
      const start = performance.now();
      sums.add(await CONTENDERS[name](chunks));
      timesMs[name] = performance.now() - start;
    }
    if (round >= 0) rounds.push(timesMs);
  }
  if (sums.size !== 1) throw new Error(`the contenders disagree: ${[...sums].join(", ")} bytes`);

  for (const name of names) {
    const medianMs = percentile(
      rounds.map((timesMs) => timesMs[name]),
      0.5,
    );
    const ratio = percentile(
      rounds.map((timesMs) => timesMs[PEER] / timesMs[name]),
      0.5,
    );
    const perSecond = packets / medianMs / 1000;
    console.log(
      `chunks of ${String(chunkBytes).padStart(5)} B  ${name.padEnd(20)} ${medianMs.toFixed(2).padStart(6)} ms  ` +
        `${perSecond.toFixed(2).padStart(6)} M packets/s  ${ratio.toFixed(2).padStart(5)}x`,
    );
  }
  console.log("");
}

/**
 * Replays a body on a virtual timeline: a chunk arrives when its last byte would at the given speed, and a packet
 * leaves at that moment plus the time that the demultiplexer really took to emit it.
 */
async function compareDelays(): Promise<void> {
  const packets = speechPackets(ARRIVAL_SECONDS);
  const file = muxOggOpus(packets, { pageMsMax: PAGE_MS });
  const bytesPerMs = (file.length / (ARRIVAL_SECONDS * 1000)) * ARRIVAL_SPEED;
  const chunks = chunksOf(file, ARRIVAL_CHUNK_BYTES);
  const arrivalsMs = chunks.map((_, i) => Math.min(file.length, (i + 1) * ARRIVAL_CHUNK_BYTES) / bytesPerMs);
  const completeMs = audioPacketEnds(file).map(
    (end) => arrivalsMs[Math.ceil(end / ARRIVAL_CHUNK_BYTES) - 1]!,
  );
  if (completeMs.length !== packets.length) throw new Error("the file does not hold the packets put in");

  console.log(
    `body at ${ARRIVAL_SPEED}x real time, chunks of ${ARRIVAL_CHUNK_BYTES} B: from a packet's last byte to its emission`,
  );
  const contenders = { readback: emissionsOfReadback, "prism-media": emissionsOfPrism };
  for (const [name, emissionsOf] of Object.entries(contenders)) {
    await emissionsOf(chunks, arrivalsMs); // warm up
    const emittedMs = await emissionsOf(chunks, arrivalsMs);
    if (emittedMs.length !== packets.length) throw new Error(`${name} emitted ${emittedMs.length} packets`);
    const delaysMs = emittedMs.map((at, i) => at - completeMs[i]!);
    const figures = [0.5, 0.99, 1].map((p) => percentile(delaysMs, p).toFixed(3).padStart(8));
    console.log(`  ${name.padEnd(12)} p50 ${figures[0]} ms   p99 ${figures[1]} ms   max ${figures[2]} ms`);
  }
}

function countWithReadback(chunks: readonly Uint8Array[], checkCrc: boolean): number {
  const demuxer = new OggOpusDemuxer({ checkCrc });
  let bytes = 0;
  for (const chunk of chunks) {
    for (const event of demuxer.push(chunk)) {
      if (event.type === "packet") bytes += event.data.length;
    }
  }
  demuxer.end();
  return bytes;
}

/** As a stream in flowing mode with its default options, the fastest of its documented uses. */
async function countWithPrism(chunks: readonly Uint8Array[]): Promise<number> {
  const demuxer = new prism.opus.OggDemuxer();
  let bytes = 0;
  demuxer.on("data", (packet: Buffer) => {
    bytes += packet.length;
  });
  for (const chunk of chunks) {
    if (!demuxer.write(chunk)) await once(demuxer, "drain");
  }
  demuxer.end();
  await once(demuxer, "end");
  return bytes;
}

function emissionsOfReadback(chunks: readonly Uint8Array[], arrivalsMs: readonly number[]): number[] {
  const demuxer = new OggOpusDemuxer();
  const emittedMs: number[] = [];
  chunks.forEach((chunk, i) => {
    const start = performance.now();
    for (const event of demuxer.push(chunk)) {
      if (event.type === "packet") emittedMs.push(arrivalsMs[i]! + performance.now() - start);
    }
  });
  return emittedMs;
}

/** Gives the stream a turn of the event loop after each chunk, as real arrival would. */
async function emissionsOfPrism(
  chunks: readonly Uint8Array[],
  arrivalsMs: readonly number[],
): Promise<number[]> {
  const demuxer = new prism.opus.OggDemuxer();
  const emittedMs: number[] = [];
  let arrivedMs = 0;
  let start = 0;
  demuxer.on("data", () => emittedMs.push(arrivedMs + performance.now() - start));
  for (const [i, chunk] of chunks.entries()) {
    arrivedMs = arrivalsMs[i]!;
    start = performance.now();
    demuxer.write(chunk);
    await new Promise(setImmediate);
  }
  return emittedMs;
}

/** Real Opus packets: ten seconds of a voice-like sound at 24 kbit/s, over and over. */
function speechPackets(seconds: number): Uint8Array[] {
  const sampleRateHz = 48_000;
  const encoder = new OpusPacketEncoder({ sampleRateHz, packetMs: PACKET_MS, bitrateBps: 24_000 });
  const pcm = Float32Array.from({ length: sampleRateHz * 10 }, (_, i) => {
    const t = i / sampleRateHz;
    const pitch = 2 * Math.PI * (120 * t + 2 * Math.sin(2 * Math.PI * 0.7 * t));
    const voice = [1, 2, 3, 5, 8].reduce((sum, k) => sum + Math.sin(k * pitch) / k, 0);
    return 0.2 * voice * Math.max(0, Math.sin(2 * Math.PI * 2.5 * t));
  });
  const recorded = encoder.encode(pcm);
  const count = (seconds * 1000) / PACKET_MS;
  return Array.from({ length: count }, (_, i) => recorded[i % recorded.length]!);
}

/** Offset just after each audio packet of a file whose two header packets have pages of their own. */
function audioPacketEnds(file: Uint8Array): number[] {
  const ends: number[] = [];
  let page = 0;
  for (let at = 0; at < file.length; page++) {
    const segments = file[at + 26]!;
    let bodyAt = at + 27 + segments;
    for (const lacing of file.subarray(at + 27, at + 27 + segments)) {
      bodyAt += lacing;
      if (lacing < 255 && page >= 2) ends.push(bodyAt);
    }
    at = bodyAt;
  }
  return ends;
}

function chunksOf(bytes: Uint8Array, chunkBytes: number): Buffer[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.ceil(buffer.length / chunkBytes) }, (_, i) =>
    buffer.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
}

/** The value below which the share `p` of the values lies; 1 gives the largest. */
function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))]!;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
