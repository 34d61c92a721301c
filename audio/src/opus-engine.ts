// Loads libopus as packed by @evan/opus. The only module that knows that package.
//
// Its entry point chooses between its two builds by an environment variable; here the caller chooses, and the
// build is loaded on first use, so that who only reads Ogg never loads a codec. "wasm" works everywhere. "native"
// is two to three times as fast, but the process crashes when a worker thread that loaded it exits, unless the main
// thread loaded it as well: use it on the main thread.
import { createRequire } from "node:module";
import { AudioError } from "./errors.js";

export type OpusEngineName = "wasm" | "native";

interface CodecOptions {
  channels: 1 | 2;
  sample_rate: number;
}

/** `ctl` codes are those of `opus_defines.h`. PCM is interleaved signed 16-bit in the machine's order. */
export interface RawEncoder {
  ctl(code: number, value?: number): number;
  encode(pcm: Int16Array): Uint8Array;
}

export interface RawDecoder {
  ctl(code: number, value?: number): number;
  /** Returns PCM as bytes. */
  decode(packet: Uint8Array): Uint8Array;
}

export interface OpusEngine {
  Encoder: new (options: CodecOptions & { application: "voip" | "audio" }) => RawEncoder;
  Decoder: new (options: CodecOptions) => RawDecoder;
}

/** Throws `AudioError("engine_unavailable")`, with the cause, where the build does not load. */
export function loadOpusEngine(name: OpusEngineName): OpusEngine {
  try {
    return require(name === "native" ? "@evan/opus/node/index.js" : "@evan/opus/wasm/index.js") as OpusEngine;
  } catch (cause) {
    throw new AudioError("engine_unavailable", `the ${name} build of Opus does not load on this machine`, {
      cause,
    });
  }
}

const require = createRequire(import.meta.url);
