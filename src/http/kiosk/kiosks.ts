/** The kiosks of the settings, and which of them is at the door: each shows a token that stands for who asks there. */

import { isKiosk } from "../../domain/turn.js";
import { type Caller, type Doorkeeper, KeyRing } from "../../door/api-keys.js";
import type { Visitor } from "../../door/neighbour.js";
import { Rejection } from "../../door/rejection.js";
import { lookUp } from "../../locale/locales.js";

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
  /** Those that can be chosen; absent: all. */
  readonly languages?: readonly string[] | undefined;
  readonly features: readonly string[];
  /** Absent: none. */
  readonly mode?: string | undefined;
  /** Absent: shown unless a feature asks for the kiosk persona, which names no document. */
  readonly showSource?: boolean | undefined;
  readonly idleMs: number;
}

/** A kiosk that showed its token: everything that it may claim is bound. */
export interface Kiosk extends Caller {
  readonly networks: readonly [string];
  readonly username: string;
  readonly groups: readonly string[];
  readonly language: string | undefined;
  /** Those that can be chosen. */
  readonly languages: readonly string[];
  readonly features: readonly string[];
  /** Empty: none. */
  readonly mode: string;
  readonly showSource: boolean;
  /** Silence after which it forgets what was said. */
  readonly idleMs: number;
}

export class Kiosks implements Doorkeeper<Kiosk> {
  readonly #ring: KeyRing<Kiosk>;

  /** `known`: languages that there are texts in. Throws where a kiosk is to speak another. */
  constructor(settings: readonly KioskSettings[], known: readonly string[]) {
    this.#ring = new KeyRing(settings.map((kiosk) => [kiosk.token, kioskOf(kiosk, known)]));
  }

  async admit({ key }: Visitor): Promise<Kiosk> {
    const kiosk = key === undefined ? undefined : this.#ring.find(key);
    if (kiosk !== undefined) return kiosk;
    throw new Rejection("unauthorized", "A kiosk token is needed: open the page with the link of a kiosk.");
  }
}

function kioskOf({ token: _, network, ...rest }: KioskSettings, known: readonly string[]): Kiosk {
  const { features, language, languages = known, mode = "", showSource = !isKiosk(features) } = rest;
  const unknown =
    languages.find((tag) => !known.includes(tag)) ??
    (language !== undefined && lookUp(byTag(known), language) === undefined ? language : undefined);
  if (unknown !== undefined) {
    throw new Error(`http.kiosks: there are no texts in "${unknown}" (there are: ${known.join(", ")})`);
  }
  return { ...rest, language, languages, mode, networks: [network], showSource };
}

/** As locales are looked up by. */
function byTag(tags: readonly string[]): ReadonlyMap<string, string> {
  return new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
}
