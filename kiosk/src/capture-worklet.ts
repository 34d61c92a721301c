/** In the audio thread: cuts what the microphone gives into frames of 20 ms and hands them over, as long as it runs. */

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** 20 ms at 48 kHz. */
const FRAME_SAMPLES = 960;

class Capture extends AudioWorkletProcessor {
  #frame = new Float32Array(FRAME_SAMPLES);
  #filled = 0;

  process([channels]: readonly (readonly Float32Array[])[]): boolean {
    const [samples] = channels ?? [];
    if (samples === undefined) return true;
    for (let at = 0; at < samples.length; ) {
      const piece = samples.subarray(at, at + FRAME_SAMPLES - this.#filled);
      this.#frame.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === FRAME_SAMPLES) this.#handOver();
    }
    return true;
  }

  #handOver(): void {
    this.port.postMessage(this.#frame, [this.#frame.buffer]);
    this.#frame = new Float32Array(FRAME_SAMPLES);
    this.#filled = 0;
  }
}

registerProcessor("capture", Capture);
