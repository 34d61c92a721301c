/**
 * The voice messages that are held in memory: being spoken, or not understood yet. Where there are too many, or they
 * come to too many bytes, the oldest is given up of whoever has most.
 */
import { TurnFailure } from "../domain/failure.js";
import { Holders } from "../lib/holders.js";
import { currentOrigin } from "../lib/origin.js";

export interface VoiceLimits {
  readonly voicesMax: number;
  readonly voicesPerConnectionMax: number;
  readonly voiceBytesMax: number;
}

/** The place of one voice message. */
export interface VoiceHold {
  /** So many bytes more are held of it. */
  grow(bytes: number): void;
  /** Nothing of it is held any more. */
  release(): void;
}

interface Voice {
  readonly peer: string;
  readonly connection: string;
  bytes: number;
  giveUp(failure: TurnFailure): void;
}

export class Voices {
  readonly #all = new Set<Voice>();
  readonly #peers = new Holders<Voice>();
  readonly #connections = new Holders<Voice>();
  readonly #bytesByPeer = new Map<string, number>();
  #bytes = 0;

  constructor(private readonly limits: VoiceLimits) {}

  get count(): number {
    return this.#all.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A voice message begins, of the origin for which the caller works; `giveUp` ends it, with an error to its user. */
  hold(giveUp: (failure: TurnFailure) => void): VoiceHold {
    const [peer, name] = currentOrigin();
    const connection = `${peer}\u0000${name}`;
    const voice: Voice = { peer, connection, bytes: 0, giveUp };
    this.#all.add(voice);
    this.#peers.use(peer, voice);
    this.#connections.use(connection, voice);
    const { voicesMax, voicesPerConnectionMax } = this.limits;
    if (this.#connections.count(connection) > voicesPerConnectionMax)
      this.#giveUp(this.#connections.oldestOf(connection));
    if (this.count > voicesMax) this.#giveUp(this.#peers.oldestOf(this.#peers.largest()));
    return { grow: (bytes) => this.#grow(voice, bytes), release: () => this.#release(voice) };
  }

  #grow(voice: Voice, bytes: number): void {
    if (!this.#all.has(voice)) return;
    voice.bytes += bytes;
    this.#count(voice.peer, bytes);
    if (this.#bytes > this.limits.voiceBytesMax) this.#giveUp(this.#peers.oldestOf(this.#heaviest()));
  }

  #release(voice: Voice): void {
    if (!this.#all.delete(voice)) return;
    this.#peers.drop(voice.peer, voice);
    this.#connections.drop(voice.connection, voice);
    this.#count(voice.peer, -voice.bytes);
  }

  #giveUp(voice: Voice | undefined): void {
    if (voice === undefined) return;
    this.#release(voice);
    voice.giveUp(new TurnFailure("assistant_unavailable", TOO_MANY));
  }

  #count(peer: string, bytes: number): void {
    this.#bytes += bytes;
    const held = (this.#bytesByPeer.get(peer) ?? 0) + bytes;
    if (held === 0) this.#bytesByPeer.delete(peer);
    else this.#bytesByPeer.set(peer, held);
  }

  #heaviest(): string | undefined {
    const [heaviest] = [...this.#bytesByPeer].sort(([, one], [, other]) => other - one);
    return heaviest?.[0];
  }
}

const TOO_MANY = "Too many people are speaking at once. Say it again in a moment.";
