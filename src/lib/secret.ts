/** Secrets of the settings that are replaced while the service runs: whoever has one sends what it is by then. */
import { z } from "zod";

/** In a text it is what it is now. */
export class Secret {
  constructor(private text: string) {}

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }

  become(other: Secret): void {
    this.text = other.text;
  }
}

/** Where nothing is replaced, a text is enough. */
export type Key = Secret | string;

const asKey = (text: string): Key => new Secret(text);

export const secret = z.string().min(1).transform(asKey);
/** Text by text, such as headers; all of them may be secrets. */
export const secrets = z.record(z.string(), z.string().transform(asKey)).default({});

/** Of a record such as headers what it says now. */
export function textsOf(record: Readonly<Record<string, Key>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, key]) => [name, String(key)]));
}

/**
 * Gives the secrets of `settings` the texts that they have in `again`. Throws where other settings are others, too: a key
 * could be for a server that is not asked yet. Then nothing changes.
 */
export function rotateSecrets(settings: object, again: object): void {
  const [before, after] = [parted(settings), parted(again)];
  if (String(before.secrets) === String(after.secrets)) return;
  if (before.rest !== after.rest)
    throw new Error(
      "Keys of other servers have changed together with other settings, which takes a restart.",
    );
  for (const [i, one] of before.secrets.entries()) one.become(after.secrets[i]!);
}

/** The secrets, and everything else, in the order of the settings. */
function parted(settings: object) {
  const secrets: Secret[] = [];
  const rest = JSON.stringify(settings, function (this: Readonly<Record<string, unknown>>, name, value) {
    const own = this[name];
    if (!(own instanceof Secret)) return value;
    return secrets.push(own) && "";
  });
  return { rest, secrets };
}
