/**
 * One index: its documents as `get` sees them, and the older view that a search sees until the next refresh. Keeps
 * sequence numbers and versions as the server does.
 */
import type { Clock } from "../../../src/lib/clock.js";
import { analyze } from "../../../src/lib/english-analyzer.js";
import { resourceNotFound, versionConflict } from "./errors.js";
import { isObject, type Json, type JsonObject, listOf } from "./json.js";
import { Mapping } from "./mapping.js";

export interface StoredDocument {
  readonly id: string;
  readonly source: JsonObject;
  readonly seqNo: number;
  readonly version: number;
}

/** What a write says besides the document. */
export interface WriteOptions {
  readonly create?: boolean;
  readonly ifSeqNo?: number | undefined;
  readonly ifPrimaryTerm?: number | undefined;
}

export interface Written {
  readonly result: "created" | "updated" | "deleted" | "not_found" | "noop";
  readonly seqNo: number;
  readonly version: number;
}

/** No primary ever fails here, so that all writes are of the first term. */
export const PRIMARY_TERM = 1;

/** How old the view of a search may be. */
const REFRESH_INTERVAL_MS = 1_000;

/** What `semantic_text` uses when its mapping names no endpoint. */
export const DEFAULT_INFERENCE_ID = ".elser-2-elasticsearch";

export class StoredIndex {
  readonly aliases = new Map<string, JsonObject>();
  /** In the order of their last writes. */
  readonly documents = new Map<string, StoredDocument>();
  readonly mapping = new Mapping();
  #visible: Snapshot;
  #refreshedAtMs: number;
  #seqNo = -1;
  readonly #versions = new Map<string, number>();

  constructor(
    readonly name: string,
    body: JsonObject,
    private readonly clock: Clock,
    private readonly inferenceExists: (id: string) => boolean,
  ) {
    this.#refreshedAtMs = clock.monotonic();
    this.#visible = new Snapshot(this, []);
    if (isObject(body.mappings)) this.mapping.merge(body.mappings);
  }

  /** What a search sees now. */
  get visible(): Snapshot {
    if (this.clock.monotonic() - this.#refreshedAtMs >= REFRESH_INTERVAL_MS) this.refresh();
    return this.#visible;
  }

  /** Makes every write so far visible to searches. */
  refresh(): void {
    this.#refreshedAtMs = this.clock.monotonic();
    this.#visible = new Snapshot(this, [...this.documents.values()]);
  }

  write(id: string, source: JsonObject, options: WriteOptions): Written {
    this.requireUnchanged(id, options);
    this.mapping.check(id, source);
    for (const { path, definition } of this.mapping.semanticFields(source)) {
      const endpoint = String(definition.inference_id ?? DEFAULT_INFERENCE_ID);
      if (!this.inferenceExists(endpoint))
        throw resourceNotFound(`Inference id [${endpoint}] not found for field [${path}]`);
    }
    const written = this.#next(id, this.documents.has(id) ? "updated" : "created");
    this.documents.delete(id);
    this.documents.set(id, { id, source, seqNo: written.seqNo, version: written.version });
    return written;
  }

  remove(id: string, options: WriteOptions): Written {
    this.requireUnchanged(id, options);
    return this.#next(id, this.documents.delete(id) ? "deleted" : "not_found");
  }

  #next(id: string, result: Written["result"]): Written {
    this.#seqNo += 1;
    const version = (this.#versions.get(id) ?? 0) + 1;
    this.#versions.set(id, version);
    return { result, version, seqNo: this.#seqNo };
  }

  /** Throws a conflict when the document is not as `options` want it. */
  requireUnchanged(id: string, { create, ifSeqNo, ifPrimaryTerm }: WriteOptions): void {
    const now = this.documents.get(id);
    if (create === true && now !== undefined)
      throw versionConflict(this.name, id, `document already exists (current version [${now.version}])`);
    if (ifSeqNo === undefined && ifPrimaryTerm === undefined) return;
    if (now?.seqNo !== ifSeqNo || ifPrimaryTerm !== PRIMARY_TERM)
      throw versionConflict(
        this.name,
        id,
        `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}]. current document has seqNo [${now?.seqNo}]`,
      );
  }
}

/** A field's words in one document. */
export interface FieldTerms {
  readonly terms: ReadonlySet<string>;
  readonly length: number;
}

/** Documents are never changed, only replaced: what was made of one holds as long as it lives. */
const analysed = new WeakMap<StoredDocument, Map<string, FieldTerms>>();

/** The documents that a search sees. */
export class Snapshot {
  constructor(
    readonly index: StoredIndex,
    /** In the order of their last writes. */
    readonly documents: readonly StoredDocument[],
  ) {}

  /** What a query finds in a field: nothing of fields that are not mapped, of `null`, or of an empty list. */
  valuesOf({ source }: StoredDocument, path: string): readonly Json[] {
    const value = source[path];
    return this.index.mapping.typeOf(path, value) === undefined
      ? []
      : listOf(value).filter((one) => one !== null);
  }

  termsOf(document: StoredDocument, path: string): FieldTerms {
    const cache = analysed.get(document) ?? new Map<string, FieldTerms>();
    analysed.set(document, cache);
    const known = cache.get(path);
    if (known !== undefined) return known;
    const terms = this.valuesOf(document, path).flatMap((value) => analyze(String(value)));
    const found = { terms: new Set(terms), length: terms.length };
    // The mapping may still grow, so that what was not found may be found later.
    if (terms.length > 0) cache.set(path, found);
    return found;
  }

  /** Greater for a word that few documents have. */
  rarityOf(path: string, term: string): number {
    const having = this.documents.filter((document) => this.termsOf(document, path).terms.has(term)).length;
    return Math.log(1 + this.documents.length / (having + 1)) + 0.1;
  }
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration such as `30s`; `undefined` for what is none. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d+)(ms|s|m|h)$/.exec(text);
  return match === null ? undefined : Number(match[1]) * UNITS_MS[match[2]!]!;
}
