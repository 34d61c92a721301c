/**
 * Which documents are revisions of one another: those of one title that name a revision. Documents are named by their
 * index in the catalogue. A family is put in order when it is first asked for after a change.
 */
import { compareRevisions, titleKey } from "../revision.js";

interface TitleRevision {
  readonly title: string;
  readonly revision: string | undefined;
}

/** Indices of the documents with one title, newest revision first; equal revisions share an entry. */
type Family = readonly (readonly number[])[];

export class RevisionFamilies {
  /** By title. */
  readonly #members = new Map<string, Set<number>>();
  readonly #changed = new Set<string>();
  /** In order; those of one revision only are left out. */
  readonly #families = new Map<string, Family>();

  constructor(private readonly documentAt: (index: number) => TitleRevision) {}

  add(index: number): void {
    this.#change(index, (members) => members.add(index));
  }

  /** To be called while the document is still there. */
  remove(index: number): void {
    this.#change(index, (members) => members.delete(index));
  }

  /** Takes out of `readable` (1 for those that are in it) every document of which a newer revision is in it. */
  dropSuperseded(readable: Uint8Array): void {
    this.#putInOrder();
    for (const family of this.#families.values()) {
      const current = family.findIndex((revision) => revision.some((index) => readable[index] === 1));
      for (const revision of family.slice(current + 1)) for (const index of revision) readable[index] = 0;
    }
  }

  /** Newest first. */
  newerThan(index: number): readonly number[] {
    const { family, place } = this.#placeOf(index);
    return family.slice(0, place).flat();
  }

  /** Newest first. */
  olderThan(index: number): readonly number[] {
    const { family, place } = this.#placeOf(index);
    return family.slice(place + 1).flat();
  }

  #placeOf(index: number): { readonly family: Family; readonly place: number } {
    this.#putInOrder();
    const family = this.#families.get(titleKey(this.documentAt(index).title)) ?? [];
    const place = family.findIndex((revision) => revision.includes(index));
    return place < 0 ? { family: [], place: 0 } : { family, place };
  }

  #change(index: number, change: (members: Set<number>) => void): void {
    const { title, revision } = this.documentAt(index);
    if (revision === undefined) return;
    const key = titleKey(title);
    const members = this.#members.get(key) ?? new Set();
    this.#members.set(key, members);
    change(members);
    if (members.size === 0) this.#members.delete(key);
    this.#changed.add(key);
  }

  #putInOrder(): void {
    for (const key of this.#changed) {
      const family = this.#inOrder([...(this.#members.get(key) ?? [])]);
      if (family.length > 1) this.#families.set(key, family);
      else this.#families.delete(key);
    }
    this.#changed.clear();
  }

  #inOrder(members: readonly number[]): Family {
    const order = (a: number, b: number) =>
      compareRevisions(this.documentAt(b).revision!, this.documentAt(a).revision!);
    const family: number[][] = [];
    for (const member of members.toSorted(order)) {
      const last = family.at(-1);
      if (last !== undefined && order(last[0]!, member) === 0) last.push(member);
      else family.push([member]);
    }
    return family;
  }
}
