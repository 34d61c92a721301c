/**
 * One index: its documents as `get` sees them, and the older view that a search sees until the next refresh. Keeps
 * sequence numbers and versions as the server does.
 */
import type { Clock } from "../../../src/lib/clock.js";
import { type Analyzers, checkAnalyzers, indexAnalyzer, readAnalyzers } from "./analysis.js";
import { type FieldValue, readDocument } from "./document-fields.js";
import { resourceNotFound, versionConflict } from "./errors.js";
import { isObject, type Json, type JsonObject } from "./json.js";
import { EMPTY_MAPPING, type Mapping, mergeMapping } from "./mapping.js";
import { chunksOf, encode, type SparseVector } from "./sparse.js";

export interface StoredDocument {
  readonly id: string;
  readonly source: JsonObject;
  readonly seqNo: number;
  readonly version: number;
  readonly routing: string | undefined;
  readonly values: ReadonlyMap<string, readonly FieldValue[]>;
}

/** What a write says besides the document. */
export interface WriteOptions {
  readonly routing?: string | undefined;
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

const REFRESH_INTERVAL_MS = 1_000;

export type Health = "green" | "yellow" | "red";

export class StoredIndex {
  readonly aliases = new Map<string, JsonObject>();
  readonly analyzers: Analyzers;
  readonly createdAtMs: number;
  /** In the order of their last writes. */
  readonly documents = new Map<string, StoredDocument>();
  readonly settings: JsonObject;
  mapping: Mapping;
  /** Set by a test: a red index answers neither searches nor writes. */
  health: Health = "green";
  #visible: Snapshot;
  #refreshedAtMs: number;
  #seqNo = -1;
  readonly #versions = new Map<string, number>();
  readonly #clock: Clock;
  readonly #inferenceExists: (id: string) => boolean;
  #waiting: (() => void)[] = [];

  constructor(
    readonly name: string,
    body: JsonObject,
    clock: Clock,
    inferenceExists: (id: string) => boolean,
  ) {
    this.settings = flatSettings(body.settings);
    this.analyzers = readAnalyzers(nested(body.settings).analysis);
    this.mapping = EMPTY_MAPPING;
    this.#clock = clock;
    this.#inferenceExists = inferenceExists;
    this.createdAtMs = clock.now();
    this.#refreshedAtMs = clock.monotonic();
    this.#visible = new Snapshot(this, []);
    if (isObject(body.mappings)) this.putMapping(body.mappings);
  }

  putMapping(body: JsonObject): void {
    const mapping = mergeMapping(this.mapping, body);
    checkAnalyzers(this.analyzers, mapping.fields.values());
    this.mapping = mapping;
  }

  /** What a search sees now. */
  get visible(): Snapshot {
    const interval = this.#refreshIntervalMs;
    if (interval !== undefined && this.#clock.monotonic() - this.#refreshedAtMs >= interval) this.refresh();
    return this.#visible;
  }

  /** Makes every write so far visible to searches. */
  refresh(): void {
    this.#refreshedAtMs = this.#clock.monotonic();
    this.#visible = new Snapshot(this, [...this.documents.values()]);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /**
   * For `refresh=wait_for`. Waiting for the next periodic refresh would only cost time, so it happens at once; with
   * the periodic one switched off somebody else has to refresh, as on the server.
   */
  async refreshed(): Promise<void> {
    if (this.#refreshIntervalMs !== undefined) return this.refresh();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  get #refreshIntervalMs(): number | undefined {
    const setting = this.settings["index.refresh_interval"] ?? "1s";
    if (String(setting) === "-1") return undefined;
    return durationMs(String(setting)) ?? REFRESH_INTERVAL_MS;
  }

  get hasSemanticText(): boolean {
    return [...this.mapping.fields.values()].some(({ type }) => type === "semantic_text");
  }

  write(id: string, source: JsonObject, options: WriteOptions): Written {
    this.requireUnchanged(id, options);
    const read = readDocument(this.mapping, id, source);
    this.#checkInference(read.values);
    checkAnalyzers(this.analyzers, read.mapping.fields.values());
    this.mapping = read.mapping;
    const existed = this.documents.has(id);
    const written = this.#next(id, existed ? "updated" : "created");
    this.documents.delete(id);
    this.documents.set(id, {
      id,
      source,
      values: read.values,
      seqNo: written.seqNo,
      version: written.version,
      routing: options.routing,
    });
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
  requireUnchanged(id: string, options: WriteOptions): void {
    const now = this.documents.get(id);
    if (options.create === true && now !== undefined)
      throw versionConflict(this.name, id, `document already exists (current version [${now.version}])`);
    const { ifSeqNo, ifPrimaryTerm } = options;
    if (ifSeqNo === undefined && ifPrimaryTerm === undefined) return;
    const wanted = `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}].`;
    if (now === undefined) throw versionConflict(this.name, id, `${wanted} but no document was found`);
    if (now.seqNo !== ifSeqNo || ifPrimaryTerm !== PRIMARY_TERM)
      throw versionConflict(
        this.name,
        id,
        `${wanted} current document has seqNo [${now.seqNo}] and primary term [${PRIMARY_TERM}]`,
      );
  }

  #checkInference(values: ReadDocumentValues): void {
    for (const field of this.mapping.fields.values()) {
      if (field.type !== "semantic_text" || !values.has(field.path)) continue;
      const id = String(field.definition.inference_id ?? DEFAULT_INFERENCE_ID);
      if (!this.#inferenceExists(id))
        throw resourceNotFound(`Inference id [${id}] not found for field [${field.path}]`);
    }
  }
}

type ReadDocumentValues = ReadonlyMap<string, readonly FieldValue[]>;

/** What `semantic_text` uses when its mapping names no endpoint. */
export const DEFAULT_INFERENCE_ID = ".elser-2-elasticsearch";

/** The documents that a search sees, with what ranking needs to know of each field. */
export class Snapshot {
  readonly #statistics = new Map<string, FieldStatistics>();

  constructor(
    readonly index: StoredIndex,
    /** In the order of their last writes. */
    readonly documents: readonly StoredDocument[],
  ) {}

  /** The terms of a field over all documents; of keywords each value is one term. */
  statistics(field: string): FieldStatistics {
    const known = this.#statistics.get(field);
    if (known !== undefined) return known;
    const documentFrequency = new Map<string, number>();
    let documentCount = 0;
    let totalLength = 0;
    for (const document of this.documents) {
      const { frequencies, length } = termsOf(this.index, document, field);
      if (length === 0) continue;
      documentCount += 1;
      totalLength += length;
      for (const term of frequencies.keys())
        documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1);
    }
    const statistics = { documentFrequency, documentCount, totalLength };
    this.#statistics.set(field, statistics);
    return statistics;
  }

  /** The place of a document, which explanations name. */
  placeOf(document: StoredDocument): number {
    return this.documents.indexOf(document);
  }
}

export interface FieldStatistics {
  /** In how many documents each term stands. */
  readonly documentFrequency: ReadonlyMap<string, number>;
  /** Documents that have the field. */
  readonly documentCount: number;
  /** Terms of the field over all documents. */
  readonly totalLength: number;
}

/** A field's terms in one document. */
export interface FieldTerms {
  readonly frequencies: ReadonlyMap<string, number>;
  readonly length: number;
}

const NO_TERMS: FieldTerms = { frequencies: new Map(), length: 0 };

const analysed = new WeakMap<StoredDocument, Map<string, FieldTerms>>();

export function termsOf(index: StoredIndex, document: StoredDocument, path: string): FieldTerms {
  const cache = analysed.get(document) ?? new Map<string, FieldTerms>();
  analysed.set(document, cache);
  const cached = cache.get(path);
  if (cached !== undefined) return cached;
  const values = document.values.get(path);
  const field = index.mapping.fields.get(path);
  if (values === undefined || field === undefined) return NO_TERMS;
  const analyzer = indexAnalyzer(index.analyzers, field);
  const frequencies = new Map<string, number>();
  let length = 0;
  for (const value of values) {
    const terms = field.type === "text" ? analyzer(String(value)).map(({ term }) => term) : [String(value)];
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    length += terms.length;
  }
  const terms = { frequencies, length };
  cache.set(path, terms);
  return terms;
}

export interface SemanticChunk {
  readonly text: string;
  readonly vector: SparseVector;
}

const encoded = new WeakMap<StoredDocument, Map<string, readonly SemanticChunk[]>>();

/** The chunks of a `semantic_text` field with their vectors. */
export function semanticChunks(document: StoredDocument, path: string): readonly SemanticChunk[] {
  const cache = encoded.get(document) ?? new Map<string, readonly SemanticChunk[]>();
  encoded.set(document, cache);
  const cached = cache.get(path);
  if (cached !== undefined) return cached;
  const chunks = (document.values.get(path) ?? [])
    .flatMap((value) => chunksOf(String(value)))
    .map((text) => ({ text, vector: encode(text) }));
  cache.set(path, chunks);
  return chunks;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a duration such as `30s`; `undefined` for what is none. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text);
  return match === null ? undefined : Number(match[1]) * UNITS_MS[match[2]!]!;
}

/** Settings by their full names, such as `index.refresh_interval`. */
export function flatSettings(settings: Json | undefined): JsonObject {
  const flat: Record<string, Json> = {};
  const visit = (value: Json, path: string): void => {
    if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) visit(inner, path === "" ? key : `${path}.${key}`);
    } else flat[path.startsWith("index.") ? path : `index.${path}`] = value;
  };
  visit(settings ?? {}, "");
  return flat;
}

/** Settings below `index`, whether that was written or not. */
function nested(settings: Json | undefined): JsonObject {
  if (!isObject(settings)) return {};
  return isObject(settings.index) ? { ...settings, ...settings.index } : settings;
}
