/** An answer's sound, decoded by ogg-opus-decoder and played through Web Audio. */
import { OggOpusMuxer } from "/kiosk/assets/audio/ogg-muxer.js";
import type { Voice, VoiceListener } from "./voice.js";

/** What this file needs of https://www.npmjs.com/package/ogg-opus-decoder. */
interface Decoder {
  readonly ready: Promise<void>;
  decode(ogg: Uint8Array): Promise<DecodedAudio>;
  flush(): Promise<DecodedAudio>;
  free(): void;
}
interface DecodedAudio {
  readonly channelData: readonly Float32Array<ArrayBuffer>[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

const DECODER = "/kiosk/assets/decoder/ogg-opus-decoder.min.js";

/** A page of Ogg, and with it a piece of sound, for so much at the most. */
const PAGE_MS_MAX = 60;
/** Between the first sound and its being heard: evens out packets that come late. */
const LEAD_S = 0.1;

export class DecodedVoice implements Voice {
  readonly #context = new AudioContext();
  readonly #gain = new GainNode(this.#context);
  readonly #muxer = new OggOpusMuxer({ preSkipSamples: 0, pageMsMax: PAGE_MS_MAX });
  readonly #decoder = newDecoder();
  /** Pages are decoded one after the other. */
  #work: Promise<void>;
  #endS = 0;
  #over = false;

  /** `element`: plays nothing here, and says how loud it would. */
  constructor(
    private readonly element: HTMLAudioElement,
    private readonly listener: VoiceListener,
  ) {
    this.#gain.connect(this.#context.destination);
    this.#followVolume();
    element.addEventListener("volumechange", this.#followVolume);
    this.#work = this.#decoder.then(async ({ ready }) => {
      await ready;
      await this.#context.resume();
    });
    this.#decode(this.#muxer.header());
  }

  add(packet: Uint8Array): void {
    this.#decode(this.#muxer.push(packet));
  }

  finish(): void {
    this.#decode(this.#muxer.finish());
    this.#then(async (decoder) => {
      this.#play(await decoder.flush());
      const leftMs = Math.max(0, this.#endS - this.#context.currentTime) * 1_000;
      setTimeout(() => this.#end(), leftMs);
    });
  }

  stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.element.removeEventListener("volumechange", this.#followVolume);
    void this.#context.close();
    void this.#decoder.then((decoder) => decoder.free());
  }

  readonly #followVolume = () => {
    this.#gain.gain.value = this.element.volume;
  };

  #decode(ogg: Uint8Array): void {
    if (ogg.length > 0) this.#then(async (decoder) => this.#play(await decoder.decode(ogg)));
  }

  #then(step: (decoder: Decoder) => Promise<void>): void {
    this.#work = this.#work
      .then(async () => {
        const decoder = await this.#decoder;
        if (!this.#over) await step(decoder);
      })
      .catch((error: unknown) => {
        // The answer stands on the screen; why it is not heard is for whoever looks after that.
        console.error(String(error));
        this.#end();
      });
  }

  #play({ channelData, sampleRate, samplesDecoded }: DecodedAudio): void {
    if (this.#over) return;
    const [samples] = channelData;
    if (samples === undefined || samplesDecoded === 0) return;
    const buffer = this.#context.createBuffer(1, samplesDecoded, sampleRate);
    buffer.copyToChannel(samples.subarray(0, samplesDecoded), 0);
    const node = new AudioBufferSourceNode(this.#context, { buffer });
    node.connect(this.#gain);
    const startS = Math.max(this.#endS, this.#context.currentTime + (this.#endS === 0 ? LEAD_S : 0));
    node.start(startS);
    this.#endS = startS + buffer.duration;
  }

  #end(): void {
    if (this.#over) return;
    this.stop();
    this.listener.ended();
  }
}

/** Loads the decoder where it is needed; browsers keep it. */
async function newDecoder(): Promise<Decoder> {
  const script = document.createElement("script");
  script.src = DECODER;
  script.charset = "utf-8";
  const loaded = new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error("the decoder is not there"));
  });
  document.head.append(script);
  await loaded;
  const library = (globalThis as unknown as Record<string, { readonly OggOpusDecoder: new () => Decoder }>)[
    "ogg-opus-decoder"
  ];
  if (library === undefined) throw new Error("the decoder is another");
  return new library.OggOpusDecoder();
}
