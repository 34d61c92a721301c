/** The kiosks of the settings, and which of them is at the door: each shows a token that stands for who asks there. */

import { isKiosk } from "../../domain/turn.js";
import { type Caller, type Doorkeeper, KeyRing, type Visitor } from "../../door/api-keys.js";
import { Rejection } from "../../door/rejection.js";

/** One kiosk as the settings have it. */
export interface KioskSettings {
  readonly token: string;
  /** For logs. */
  readonly name?: string | undefined;
  readonly network: string;
  readonly username: string;
  readonly groups: readonly string[];
  /** The language it speaks until somebody chooses another; absent: the browser's. */
  readonly language?: string | undefined;
  readonly features: readonly string[];
  /** Absent: shown unless a feature asks for the kiosk persona, which names no document. */
  readonly showSource?: boolean | undefined;
  readonly idleMs: number;
}

/** A kiosk that showed its token: bound to one network, one user and that user's groups. */
export interface Kiosk extends Caller {
  readonly networks: readonly [string];
  readonly username: string;
  readonly groups: readonly string[];
  readonly language: string | undefined;
  readonly features: readonly string[];
  readonly showSource: boolean;
  /** Silence after which it forgets what was said. */
  readonly idleMs: number;
}

export class Kiosks implements Doorkeeper<Kiosk> {
  readonly #ring: KeyRing<Kiosk>;

  constructor(settings: readonly KioskSettings[]) {
    this.#ring = new KeyRing(settings.map((kiosk) => [kiosk.token, kioskOf(kiosk)]));
  }

  admit({ key }: Visitor): Kiosk {
    const kiosk = key === undefined ? undefined : this.#ring.find(key);
    if (kiosk !== undefined) return kiosk;
    throw new Rejection("unauthorized", "A kiosk token is needed: open the page with the link of a kiosk.");
  }
}

function kioskOf({ token: _, network, showSource, ...rest }: KioskSettings): Kiosk {
  const { features, language } = rest;
  return { ...rest, language, networks: [network], showSource: showSource ?? !isKiosk(features) };
}
