/**
 * The microphone. It stays open from the first press until the page forgets, and the last moment before a press is
 * kept: whoever speaks while pressing loses no word. Frames are 20 ms of mono sound at 48 kHz.
 */

export const SAMPLE_RATE_HZ = 48_000;
export const FRAME_MS = 20;

/** Kept from before the press. */
const BEFORE_MS = 240;
const FRAMES_BEFORE_MAX = BEFORE_MS / FRAME_MS;

/** How long the microphone may take to give its first sound; a person may have to allow it first. */
const FIRST_SOUND_MS_MAX = 30_000;

export type Frame = Float32Array<ArrayBuffer>;
export type FrameListener = (frame: Frame) => void;

interface OpenMicrophone {
  readonly context: AudioContext;
  readonly stream: MediaStream;
}

export class Microphone {
  #open: Promise<OpenMicrophone> | undefined;
  #before: Frame[] = [];
  #listener: FrameListener | undefined;

  /** Whether this browser can record at all: it needs a page from https or this machine. */
  static get isThere(): boolean {
    return "mediaDevices" in navigator && "AudioEncoder" in globalThis && "AudioWorkletNode" in globalThis;
  }

  /**
   * Hands every frame to `listener` from now on, beginning with those just before. Resolves when sound has come;
   * rejects when there is no microphone or it may not be used.
   */
  async listen(listener: FrameListener): Promise<void> {
    this.#open ??= this.#begin();
    const opened = this.#open;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soundCame = new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error("the microphone gives no sound")), FIRST_SOUND_MS_MAX);
      this.#listener = (frame) => {
        resolve();
        listener(frame);
      };
    });
    for (const frame of this.#before.splice(0)) this.#listener?.(frame);
    try {
      await Promise.all([opened, soundCame]);
    } catch (error) {
      // The next press tries anew.
      if (this.#open === opened) await this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Nobody listens any more; the microphone stays open. */
  rest(): void {
    this.#listener = undefined;
    this.#before = [];
  }

  /** Switches the microphone off. */
  async close(): Promise<void> {
    const opened = this.#open;
    this.#open = undefined;
    this.rest();
    const [result] = await Promise.allSettled([opened]);
    if (result.status === "rejected" || result.value === undefined) return;
    const { context, stream } = result.value;
    for (const track of stream.getTracks()) track.stop();
    await context.close();
  }

  async #begin(): Promise<OpenMicrophone> {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
    // One that is pulled out is looked for again at the next press.
    stream.getAudioTracks()[0]?.addEventListener("ended", () => void this.close());
    const context = new AudioContext({ sampleRate: SAMPLE_RATE_HZ, latencyHint: "interactive" });
    await context.audioWorklet.addModule("/kiosk/assets/page/capture-worklet.js");
    const node = new AudioWorkletNode(context, "capture", {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: "explicit",
    });
    node.port.onmessage = ({ data }: MessageEvent<Frame>) => this.#take(data);
    context.createMediaStreamSource(stream).connect(node);
    await context.resume();
    return { context, stream };
  }

  #take(frame: Frame): void {
    if (this.#listener !== undefined) {
      this.#listener(frame);
      return;
    }
    this.#before.push(frame);
    if (this.#before.length > FRAMES_BEFORE_MAX) this.#before.shift();
  }
}
