/** A spoken answer through the loudspeaker: decoded into a WAV file, which every player plays, for the first that can. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpusPacketDecoder } from "@readback/audio";
import { writePrivateFile } from "../lib/private-files.js";

/** Players as they are tried, each with what it needs to be told before the name of a file. */
const PLAYERS: readonly (readonly [program: string, ...args: readonly string[]])[] = [
  ["pw-play"],
  ["paplay"],
  ["ffplay", "-nodisp", "-autoexit", "-loglevel", "error"],
  ["mpv", "--no-video", "--really-quiet"],
  ["play", "-q"],
  ["aplay", "-q"],
  ["afplay"],
  ["cvlc", "--play-and-exit", "--quiet"],
];

/** Of what is played; any Opus packet decodes at this rate. */
const SAMPLE_RATE_HZ = 48_000;

/** Of what a player says about its failure. */
const COMPLAINT_CHARS_MAX = 200;

/** Plays mono Opus packets to their end; resolves with the player's name. Rejects when there is none that can. */
export async function play(packets: readonly Uint8Array[], signal: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "readback-play-"));
  try {
    const file = join(folder, "answer.wav");
    await writePrivateFile(file, wav(packets));
    const failed: string[] = [];
    for (const [program, ...args] of PLAYERS) {
      const failure = await run(program, [...args, file], signal);
      if (failure === undefined) return program;
      if (failure !== "missing") failed.push(`${program}: ${failure}`);
    }
    throw new Error(problem(failed));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function problem(failed: readonly string[]): string {
  if (failed.length > 0) return `The answer cannot be played. ${failed.join("; ")}`;
  const names = PLAYERS.map(([program]) => program).join(", ");
  return `There is no player here: install one of ${names} (such as the Debian package ffmpeg), or use --voice <file>.`;
}

/** Why the program did not play, `missing` where it is not there; undefined where it did. */
function run(program: string, args: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], signal });
    let complaint = "";
    child.stderr.on("data", (part: Buffer) => {
      complaint = `${complaint}${part.toString("utf8")}`.slice(-COMPLAINT_CHARS_MAX);
    });
    child.once("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else resolve(error.code === "ENOENT" ? "missing" : error.message);
    });
    child.once("close", (code, by) => {
      if (code === 0) resolve(undefined);
      else resolve([`ended with ${code ?? by}`, ...complaint.trim().split("\n")].filter(Boolean).join(", "));
    });
  });
}

/** RIFF: a header of 44 bytes, then samples of 16 bits, little end first, one channel. */
function wav(packets: readonly Uint8Array[]): Uint8Array {
  const decoder = new OpusPacketDecoder({ sampleRateHz: SAMPLE_RATE_HZ });
  const samples = packets.map((packet) => {
    const pcm = decoder.decode(packet);
    return Buffer.from(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength));
  });
  const bytes = samples.reduce((sum, { length }) => sum + length, 0);
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  header.writeUInt32LE(2 * SAMPLE_RATE_HZ, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, ...samples]);
}
