// What other people's tools say of our files: opusinfo and ffprobe. These tests need the two Debian packages and
// fail, with the command to install them, where they are missing.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demuxAll, packetsOf, readFixture } from "./demux.test-util.js";
import { muxOggOpus, type OggOpusMuxerOptions } from "./ogg-muxer.js";
import { OpusPacketEncoder } from "./opus-encoder.js";

const TOOL_PACKAGES = { opusinfo: "opus-tools", ffprobe: "ffmpeg" } as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-audio-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const speech = packetsOf(demuxAll(readFixture("speech-pages-1000ms.opus")));
const CASES: [string, Uint8Array[], OggOpusMuxerOptions & { endTrimSamples?: number }][] = [
  ["speech with an end trim", speech, { endTrimSamples: 888, comments: ["TITLE=Lockout"] }],
  ["a page for each packet", speech, { packetsPerPageMax: 1, endTrimSamples: 959 }],
  ["pages of 60 ms, without end trim", speech, { pageMsMax: 60 }],
  [
    "stereo",
    packetsOf(demuxAll(readFixture("stereo-510k-continued.opus"))),
    { channels: 2, serial: 0xffffffff },
  ],
  ["packets of 2.5 ms", packetsOf(demuxAll(readFixture("speech-2.5ms.opus"))), {}],
  ["a single packet", speech.slice(0, 1), { endTrimSamples: 648 }],
  ...([8000, 12_000, 16_000, 24_000, 48_000] as const).map((sampleRateHz): (typeof CASES)[number] => {
    const encoder = new OpusPacketEncoder({ sampleRateHz, packetMs: 60 });
    const pcm = Float32Array.from(
      { length: sampleRateHz },
      (_, i) => 0.3 * Math.sin((i * 2000) / sampleRateHz),
    );
    const packets = encoder.encode(pcm);
    const { packets: last, endTrimSamples } = encoder.finish();
    const { preSkipSamples } = encoder;
    const options = { preSkipSamples, endTrimSamples, inputSampleRateHz: sampleRateHz };
    return [`our own packets at ${sampleRateHz} Hz`, [...packets, ...last], options];
  }),
];

describe.each(CASES)("%s", (name, packets, options) => {
  const file = muxOggOpus(packets, options);
  const end = demuxAll(file).at(-1);
  if (end?.type !== "end") throw new Error("not a whole stream");

  it("opusinfo has nothing to complain of and finds the same length", () => {
    const report = run("opusinfo", [save(name, file)]);
    expect(report).not.toMatch(/warning|error|negative|illegal|invalid/i);
    const [, minutes, seconds] = report.match(/Playback length: (\d+)m:([\d.]+)s/) ?? [];
    expect(Number(minutes) * 60 + Number(seconds)).toBeCloseTo(end.totals.playableSamples / 48_000, 2);
    expect(report).toContain(`Pre-skip: ${options.preSkipSamples ?? 312}`);
  });

  it("ffprobe finds the same packets and the same durations", () => {
    const entries = "packet=duration,size,data_hash";
    const json = run("ffprobe", [
      ...["-loglevel", "warning", "-of", "json", "-show_entries", entries, "-show_data_hash", "CRC32"],
      save(name, file),
    ]);
    const found = (JSON.parse(json) as { packets: { duration?: number; size: string; data_hash: string }[] })
      .packets;
    expect(found.map((packet) => packet.data_hash)).toEqual(
      packets.map((packet) => `CRC32:${crc32(packet).toString(16).padStart(8, "0")}`),
    );
    const durations = found.reduce((sum, packet) => sum + (packet.duration ?? 0), 0);
    expect(durations).toBe(end.totals.totalSamples - end.totals.endTrimSamples);
  });
});

/** Runs a tool and returns what it prints, on either stream. */
function run(tool: keyof typeof TOOL_PACKAGES, args: string[]): string {
  const result = spawnSync(tool, args, { encoding: "utf8" });
  if (result.error !== undefined) {
    throw new Error(`${tool} is not here: apt-get install -y ${TOOL_PACKAGES[tool]}`, {
      cause: result.error,
    });
  }
  expect(result.status).toBe(0);
  return result.stdout + result.stderr;
}

function save(name: string, file: Uint8Array): string {
  const path = join(folder, `${name.replaceAll(/\W+/g, "-")}.opus`);
  writeFileSync(path, file);
  return path;
}
