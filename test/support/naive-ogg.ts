/**
 * A plain-minded Ogg Opus writer for test bodies (RFC 3533, RFC 7845), kept apart from the project's own on purpose:
 * bytes for a test should not come from the code under test. The Opus packets are real: an encoded sweep of tones.
 */
import { Encoder } from "@evan/opus";

export interface OggOptions {
  readonly serial?: number;
  /** Packets that share a page. 50 packets of 20 ms is the one second that common encoders use. */
  readonly packetsPerPage?: number;
  readonly packetMs?: number;
  readonly channels?: number;
  /** Samples at 48 kHz that a player drops at the start. */
  readonly preSkip?: number;
  /** Nothing is sent for `ms` before packet `before`, counted from 0. */
  readonly gap?: { readonly before: number; readonly ms: number };
}

/** One whole Ogg Opus file; with no packets, the two headers alone. */
export function oggOpus(packets: readonly Uint8Array[], options: OggOptions = {}): Uint8Array {
  const serial = options.serial ?? 0x52424b31;
  const packetsPerPage = options.packetsPerPage ?? 50;
  const packetSamples = (options.packetMs ?? 20) * 48;
  const preSkip = options.preSkip ?? 312;
  const pages = [
    oggPage({
      flags: 2,
      granule: 0,
      serial,
      sequence: 0,
      packets: [opusHead(options.channels ?? 1, preSkip)],
    }),
    oggPage({ flags: 0, granule: 0, serial, sequence: 1, packets: [opusTags()] }),
  ];
  for (let first = 0; first < packets.length; first += packetsPerPage) {
    const group = packets.slice(first, first + packetsPerPage);
    const last = first + group.length >= packets.length;
    const { before, ms } = options.gap ?? { before: 0, ms: 0 };
    const gapSamples = first + group.length > before ? ms * 48 : 0;
    pages.push(
      oggPage({
        flags: last ? 4 : 0,
        granule: (first + group.length) * packetSamples + gapSamples,
        serial,
        sequence: pages.length,
        packets: group,
      }),
    );
  }
  return Buffer.concat(pages);
}

/** Real Opus packets of a rising and falling tone: no two of the first 500 are alike. */
export function tonePackets(count: number, packetMs: 20 | 40 | 60 = 20): Uint8Array[] {
  const samples = packetMs * 48;
  const known = toneCache.get(packetMs) ?? [];
  if (known.length === 0) {
    const encoder = new Encoder({ channels: 1, sample_rate: 48_000, application: "voip" });
    encoder.bitrate = 24_000;
    encoder.expert_frame_duration = packetMs;
    for (let packet = 0; packet < DISTINCT_PACKETS; packet++) {
      const pcm = new Int16Array(samples);
      for (let i = 0; i < samples; i++) {
        const t = (packet * samples + i) / 48_000;
        pcm[i] = Math.round(8_000 * Math.sin(2 * Math.PI * (220 * t + 60 * Math.sin(0.7 * t))));
      }
      known.push(new Uint8Array(encoder.encode(pcm)));
    }
    toneCache.set(packetMs, known);
  }
  return Array.from({ length: count }, (_, i) => known[i % known.length] as Uint8Array);
}

const DISTINCT_PACKETS = 500;
const toneCache = new Map<number, Uint8Array[]>();

interface Page {
  readonly flags: number;
  readonly granule: number;
  readonly serial: number;
  readonly sequence: number;
  readonly packets: readonly Uint8Array[];
}

/** One page of whole packets: 27 bytes of header, the lacing table, the body. */
function oggPage({ flags, granule, serial, sequence, packets }: Page): Uint8Array {
  const lacing = packets.flatMap((packet) => [
    ...Array<number>(Math.floor(packet.length / 255)).fill(255),
    packet.length % 255,
  ]);
  if (lacing.length > 255) throw new RangeError("too much for one Ogg page: lower packetsPerPage");
  const header = Buffer.alloc(27);
  header.write("OggS", 0, "latin1");
  header[5] = flags;
  header.writeBigInt64LE(BigInt(granule), 6);
  header.writeUInt32LE(serial, 14);
  header.writeUInt32LE(sequence, 18);
  header[26] = lacing.length;
  const page = Buffer.concat([header, Uint8Array.from(lacing), ...packets]);
  page.writeUInt32LE(oggCrc(page), 22);
  return page;
}

/** CRC-32 with polynomial 0x04c11db7, no reflection, start 0; the checksum field counts as zero. */
function oggCrc(page: Uint8Array): number {
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
  }
  return crc >>> 0;
}

function opusHead(channels: number, preSkip: number): Uint8Array {
  const head = Buffer.alloc(19);
  head.write("OpusHead", 0, "latin1");
  head[8] = 1;
  head[9] = channels;
  head.writeUInt16LE(preSkip, 10);
  head.writeUInt32LE(48_000, 12);
  return head;
}

function opusTags(): Uint8Array {
  const vendor = Buffer.from("readback test");
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4);
  tags.write("OpusTags", 0, "latin1");
  tags.writeUInt32LE(vendor.length, 8);
  vendor.copy(tags, 12);
  return tags;
}
