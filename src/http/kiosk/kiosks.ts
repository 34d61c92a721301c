/** The kiosks of the settings, and which of them is at the door: each shows a token that stands for who asks there. */

import { type Caller, type Doorkeeper, KeyRing } from "../../api/api-keys.js";
import type { Visitor } from "../../api/neighbour.js";
import { Rejection } from "../../api/rejection.js";
import { isKiosk } from "../../domain/turn.js";
import { lookUp } from "../../locale/locales.js";
import type { KioskSettings } from "../options.js";
import { type Logo, readLogo } from "./logo.js";
import { type Palette, paletteOf } from "./palette.js";

/** What the page shows of whose it is. */
export interface Brand {
  readonly name: string | undefined;
  readonly logo: Logo | undefined;
  /** Absent: the page's own, light or dark as the browser wants it. */
  readonly palette: Palette | undefined;
  /** By language tag. */
  readonly welcome: Readonly<Record<string, string>>;
}

/** A kiosk that showed its token: everything that it may claim is bound. */
export interface Kiosk
  extends Pick<KioskSettings, "username" | "groups" | "features" | "roles" | "idleMs" | "suggestions">,
    Pick<KioskSettings, "keyboard" | "volume" | "call">,
    Omit<Caller, "username" | "groups" | "features" | "roles"> {
  readonly networks: readonly [string];
  readonly language: string | undefined;
  /** Those that can be chosen. */
  readonly languages: readonly string[];
  /** Empty: none. */
  readonly mode: string;
  readonly showSource: boolean;
  readonly brand: Brand;
}

export class Kiosks implements Doorkeeper<Kiosk> {
  readonly logos: readonly Logo[];
  readonly #ring: KeyRing<Kiosk>;

  /** `known`: languages that there are texts in. Throws where a kiosk is to speak another, or could not be read. */
  constructor(settings: readonly KioskSettings[], known: readonly string[]) {
    const kiosks = settings.map((kiosk) => [kiosk.token, kioskOf(kiosk, known)] as const);
    this.logos = kiosks.flatMap(([, { brand }]) => brand.logo ?? []);
    this.#ring = new KeyRing(kiosks);
  }

  async admit({ key }: Visitor): Promise<Kiosk> {
    const kiosk = key === undefined ? undefined : this.#ring.find(key);
    if (kiosk !== undefined) return kiosk;
    throw new Rejection("unauthorized", "A kiosk token is needed: open the page with the link of a kiosk.");
  }
}

function kioskOf({ token: _, network, ...rest }: KioskSettings, known: readonly string[]): Kiosk {
  const { brand, features, language, languages = known, mode = "", showSource = !isKiosk(features) } = rest;
  const texts = [brand.welcome, rest.suggestions, rest.call?.text ?? {}].flatMap((of) => Object.keys(of));
  const unknown =
    [...languages, ...texts].find((tag) => !known.includes(tag)) ??
    (language !== undefined && lookUp(byTag(known), language) === undefined ? language : undefined);
  if (unknown !== undefined) {
    throw new Error(`http.kiosks: there are no texts in "${unknown}" (there are: ${known.join(", ")})`);
  }
  return { ...rest, language, languages, mode, networks: [network], showSource, brand: brandOf(rest) };
}

function brandOf({ brand, name, username }: Omit<KioskSettings, "token" | "network">): Brand {
  const { accent, background, logo, text, welcome } = brand;
  const isColoured = [accent, background, text].some((colour) => colour !== undefined);
  try {
    return {
      name: brand.name,
      logo: logo === undefined ? undefined : readLogo(logo),
      palette: isColoured ? paletteOf(brand) : undefined,
      welcome,
    };
  } catch (error) {
    const which = `http.kiosks, brand of ${name ?? username}`;
    throw new Error(`${which}: ${(error as Error).message}`, { cause: error });
  }
}

/** As locales are looked up by. */
function byTag(tags: readonly string[]): ReadonlyMap<string, string> {
  return new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
}
