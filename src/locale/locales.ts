/** The languages that fixed texts are said in, and which of them a tag or a network means. */
import type { Locale } from "./locale.js";

export class Locales {
  /** `byNetwork` has the locale of each network that is answered in one language. */
  constructor(
    private readonly byTag: ReadonlyMap<string, Locale>,
    /** What is taken where nothing tells a language. */
    readonly usual: Locale,
    private readonly byNetwork: ReadonlyMap<string, Locale> = new Map(),
    /** By network, then by lower case tag; the tag "" stands for every other. */
    private readonly emergencies: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(),
  ) {}

  /** Canonical tags, sorted. */
  get languages(): readonly string[] {
    return [...this.byTag.values()].map(({ language }) => language).sort();
  }

  get all(): readonly Locale[] {
    return [...this.byTag.values()];
  }

  /** The locale for a BCP 47 tag, the usual one where there is none. */
  of(tag: string | undefined): Locale {
    return (tag === undefined ? undefined : this.find(tag)) ?? this.usual;
  }

  /** What is said in `network` in an emergency that its documents do not answer. */
  emergency(network: string, locale: Locale): string {
    const texts = this.emergencies.get(network);
    return texts?.get("") ?? (texts && lookUp(texts, locale.language)) ?? locale.say("emergency");
  }

  /** As RFC 4647 looks up: "es-MX" finds "es", "pt" does not find "pt-BR". */
  find(tag: string): Locale | undefined {
    return lookUp(this.byTag, tag);
  }

  ofNetwork(network: string): Locale | undefined {
    return this.byNetwork.get(network);
  }
}

/** `byTag` has lower case tags. */
export function lookUp<T>(byTag: ReadonlyMap<string, T>, tag: string): T | undefined {
  const subtags = tag.trim().toLowerCase().split(/[-_]/).slice(0, SUBTAGS_MAX);
  for (let length = subtags.length; length > 0; length--) {
    const found = byTag.get(subtags.slice(0, length).join("-"));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** More than any registered tag has. */
const SUBTAGS_MAX = 12;
