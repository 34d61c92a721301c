/** The fixed texts of one language. They were checked when they were loaded; saying them can no longer fail. */
import type { TextKey, ValuesOf } from "./catalogue.js";

export class Locale {
  /** `language` is the canonical BCP 47 tag. */
  constructor(
    readonly language: string,
    private readonly texts: ReadonlyMap<TextKey, string>,
  ) {}

  /** The text with its values filled in. What a value contains is never taken for a placeholder. */
  say<Key extends TextKey>(key: Key, ...[values]: ValuesOf<Key>): string {
    const given: Readonly<Record<string, string>> = values ?? {};
    const text = this.texts.get(key) ?? "";
    return text.replace(PLACEHOLDER, (whole, variable: string) => given[variable] ?? whole);
  }

  /** The texts that take no values, but for those of the page: what a voice may be asked for word by word. */
  get phrases(): readonly string[] {
    return [...this.texts]
      .filter(([key, text]) => !key.includes(".") && text.match(PLACEHOLDER) === null)
      .map(([, text]) => text);
  }

  /** The texts whose keys begin with `group` and a dot, by the rest of the key, placeholders left: for a page. */
  group(group: GroupOf<TextKey>): Readonly<Record<string, string>> {
    const prefix = `${group}.`;
    const within = [...this.texts].filter(([key]) => key.startsWith(prefix));
    return Object.fromEntries(within.map(([key, text]) => [key.slice(prefix.length), text]));
  }
}

type GroupOf<Key extends string> = Key extends `${infer Group}.${string}` ? Group : never;

export const PLACEHOLDER = /%([a-z][a-z0-9_]*)%/g;
