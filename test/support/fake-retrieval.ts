/** A knowledge engine that finds what a test scripted: it fails on calls not expected and on calls missing. */
import assert from "node:assert/strict";
import { type Passage, PROSE } from "../../src/domain/passage.js";
import type { Access } from "../../src/domain/user.js";
import { abortable } from "../../src/lib/deadline.js";
import type { DocumentOutline, Retrieval, SearchRequest } from "../../src/retrieval/port.js";

/** What comes of a call: a value, an error, or `"hang"`. */
type Result<T> = T | Error | "hang";

type Call =
  | { readonly type: "search"; readonly query: string; readonly result: Result<readonly Passage[]> }
  | {
      readonly type: "readable";
      readonly ids: readonly string[];
      readonly result: Result<readonly string[]>;
    };

export class ScriptedRetrieval implements Retrieval {
  /** Whose access each call was made with, in order. */
  readonly accesses: Access[] = [];
  /** Passages of whole documents, by id. */
  readonly documents = new Map<string, readonly Passage[]>();
  readonly #expected: Call[] = [];
  readonly #unexpected: string[] = [];

  /** A search for `query` is to come; searches that run together may come in any order. */
  expectSearch(query: string, result: Result<readonly Passage[]>): this {
    this.#expected.push({ type: "search", query, result });
    return this;
  }

  expectReadable(ids: readonly string[], result: Result<readonly string[]>): this {
    this.#expected.push({ type: "readable", ids, result });
    return this;
  }

  async search({ query, access }: SearchRequest, signal: AbortSignal): Promise<readonly Passage[]> {
    this.accesses.push(access);
    const at = this.#expected.findIndex((call) => call.type === "search" && call.query === query);
    const [call] = at < 0 ? [] : this.#expected.splice(at, 1);
    if (call?.type === "search") return settleWith(call.result, signal);
    return this.#refuse(`search: ${query}`);
  }

  async readable(ids: readonly string[], access: Access, signal: AbortSignal): Promise<ReadonlySet<string>> {
    this.accesses.push(access);
    const at = this.#expected.findIndex((call) => call.type === "readable" && call.ids.join() === ids.join());
    const [call] = at < 0 ? [] : this.#expected.splice(at, 1);
    if (call?.type === "readable") return new Set(await settleWith(call.result, signal));
    return this.#refuse(`readable: ${ids.join()}`);
  }

  async outline(): Promise<readonly DocumentOutline[]> {
    return this.#refuse("outline");
  }

  /** Nothing but what a test gives: a document need not be there as a whole. */
  async contents(documentId: string, access: Access): Promise<readonly Passage[]> {
    this.accesses.push(access);
    return this.documents.get(documentId) ?? [];
  }

  async revision(): Promise<string> {
    return this.#refuse("revision");
  }

  async ready(): Promise<void> {}

  async close(): Promise<void> {}

  /** To be called after each test. */
  verify(): void {
    assert.deepEqual(this.#unexpected, [], "calls that were not expected");
    assert.deepEqual(this.#expected, [], "calls that never came");
  }

  #refuse(call: string): never {
    this.#unexpected.push(call);
    throw new Error(`unexpected ${call}`);
  }
}

function settleWith<T>(result: Result<T>, signal: AbortSignal): Promise<T> {
  if (result === "hang") return abortable(new Promise<never>(() => {}), signal);
  return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
}

/** A passage that its whole network may read. */
export function passage(chunkId: string, text: string, more: Partial<Passage> = {}): Passage {
  return {
    chunkId,
    documentId: `doc-${chunkId}`,
    title: `Title ${chunkId}`,
    supersedes: [],
    sourceFile: `${chunkId}.md`,
    headings: [],
    position: 0,
    kind: PROSE,
    alsoIn: [],
    text,
    highlights: [],
    score: 1,
    access: { network: "plant", visibility: "network", allowedUsers: [], allowedGroups: [] },
    ...more,
  };
}
