/**
 * Files that lie beside a document, bear its name and hold settings: `pay.pdf.yaml`, `pay.meta.json`. Readback has no such
 * files; where one speaks of access, somebody means the document beside it, which is in doubt then. Files that bear
 * nearly the name of a manifest are of the same kind.
 */

import { isWithin } from "../../lib/edit-distance.js";
import { codeNotes } from "../code/code-notes.js";
import type { Note } from "../read/port.js";
import type { SourceEntry } from "../source.js";
import { folded } from "./words.js";

/** Sidecars by the name of the document. */
export type Sidecars = ReadonlyMap<string, readonly SourceEntry[]>;

export interface Sidecar {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Of one document. */
export const SIDECARS_MAX = 4;

const SETTINGS = /\.(?:ya?ml|json5?|jsonc|toml|ini|cfg|conf|properties|xml)$/i;
const ABOUT = /[._-](?:meta(?:data)?|access|acl|permissions?|info|props?|properties|readback)$/i;

/** Which settings lie beside which documents. */
export function sidecarsOf(entries: readonly SourceEntry[]): Sidecars {
  const settings = new Map<string, SourceEntry[]>();
  for (const entry of entries) {
    if (!SETTINGS.test(entry.name)) continue;
    const stem = entry.name.replace(SETTINGS, "").replace(ABOUT, "").toLowerCase();
    const others = settings.get(stem) ?? [];
    if (others.length < SIDECARS_MAX) settings.set(stem, [...others, entry]);
  }
  const found = new Map<string, readonly SourceEntry[]>();
  for (const { name } of entries) {
    if (SETTINGS.test(name)) continue;
    const whole = name.toLowerCase();
    const beside = [...(settings.get(whole) ?? []), ...(settings.get(whole.replace(/\.[^./]*$/, "")) ?? [])];
    if (beside.length > 0) found.set(name, beside.slice(0, SIDECARS_MAX));
  }
  return found;
}

/** What the sidecars say; bytes that are no text say nothing. */
export function sidecarNotes(sidecars: readonly Sidecar[]): readonly Note[] {
  return sidecars.flatMap(({ name, bytes }) =>
    codeNotes(name, new TextDecoder().decode(bytes)).map((note) => ({
      ...note,
      where: `${name} beside it, ${note.where}`,
    })),
  );
}

/** `Readback.yaml`, `readbak.yml`, `readback.yaml.txt`, in the root. The manifest itself is none of these. */
export function isMisspeltManifest(name: string): boolean {
  if (name.includes("/") || EXACT.test(name)) return false;
  const [, stem, extension] = /^(.*?)\.(ya?ml|json|toml)(?:\.txt)?$/i.exec(name) ?? [];
  if (stem === undefined || extension === undefined) return false;
  const letters = folded(stem)
    .replace(/[^a-z]/g, "")
    .replace(/(?:manifest|access)$/, "");
  return isWithin(2, letters, "readback");
}

const EXACT = /^readback\.(?:ya?ml|json)$/;
