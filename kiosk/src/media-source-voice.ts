/** An answer's sound through an `<audio>` element that is fed as packets come. */
import type { Voice, VoiceListener } from "./voice.js";
import { WEBM_OPUS, webmCluster, webmHeader } from "./webm.js";

/** How long after its end a sound counts as ended that does not say so. */
const LATE_MS_MAX = 3_000;

export class MediaSourceVoice implements Voice {
  static get isThere(): boolean {
    return "MediaSource" in globalThis && MediaSource.isTypeSupported(WEBM_OPUS);
  }

  readonly #source = new MediaSource();
  readonly #address = URL.createObjectURL(this.#source);
  readonly #over = new AbortController();
  /** Waits for the buffer to take it: at most one answer. */
  #waiting: Uint8Array<ArrayBuffer>[] = [webmHeader()];
  #buffer: SourceBuffer | undefined;
  #lengthMs = 0;
  #isWhole = false;

  constructor(
    private readonly element: HTMLAudioElement,
    private readonly listener: VoiceListener,
  ) {
    const { signal } = this.#over;
    this.#source.addEventListener("sourceopen", () => this.#opened(), { signal, once: true });
    element.addEventListener("ended", () => this.#end(), { signal });
    element.addEventListener("error", () => this.#end(), { signal });
    element.src = this.#address;
    // Refused where nobody touched the page: then the answer is read, not heard.
    element.play().catch(() => this.#end());
  }

  add(packet: Uint8Array, packetMs: number): void {
    this.#waiting.push(webmCluster(packet, this.#lengthMs));
    this.#lengthMs += packetMs;
    this.#feed();
  }

  finish(): void {
    if (this.#over.signal.aborted) return;
    this.#isWhole = true;
    this.#feed();
    const leftMs = this.#lengthMs - this.element.currentTime * 1_000;
    const timer = setTimeout(() => this.#end(), leftMs + LATE_MS_MAX);
    this.#over.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }

  stop(): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.element.pause();
    this.element.removeAttribute("src");
    this.element.load();
    URL.revokeObjectURL(this.#address);
  }

  #opened(): void {
    this.#buffer = this.#source.addSourceBuffer(WEBM_OPUS);
    this.#buffer.addEventListener("updateend", () => this.#feed(), { signal: this.#over.signal });
    this.#feed();
  }

  /** Gives the buffer what waits; it takes one piece at a time. */
  #feed(): void {
    if (this.#buffer === undefined || this.#buffer.updating || this.#source.readyState !== "open") return;
    const pieces = this.#waiting.splice(0);
    if (pieces.length > 0) {
      this.#buffer.appendBuffer(joined(pieces));
    } else if (this.#isWhole) {
      this.#source.endOfStream();
    }
  }

  #end(): void {
    if (this.#over.signal.aborted) return;
    this.stop();
    this.listener.ended();
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
