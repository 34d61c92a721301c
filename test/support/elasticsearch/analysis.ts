/** Text to terms, by the analyzer that a field's mapping names. */
import { analyzeWithOffsets, type OffsetTerm } from "../../../src/lib/english-analyzer.js";
import { ElasticsearchError, NotSupported } from "./errors.js";
import { isObject, type Json, type JsonObject } from "./json.js";
import type { Field } from "./mapping.js";

export type Analyzer = (text: string) => OffsetTerm[];

/** The analyzers that an index's settings define by name, on top of the built-in ones. */
export type Analyzers = ReadonlyMap<string, Analyzer>;

const WORD = /[\p{L}\p{N}]\p{M}*(?:['’.]?[\p{L}\p{N}_]\p{M}*)*/gu;

/** Lucene's standard analyzer: words in lower case, none dropped. */
function standard(text: string): OffsetTerm[] {
  return [...text.matchAll(WORD)].map((match) => ({
    term: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function whitespace(text: string): OffsetTerm[] {
  return [...text.matchAll(/\S+/gu)].map((match) => ({
    term: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const whole: Analyzer = (text) => [{ term: text, start: 0, end: text.length }];

const BUILT_IN: Analyzers = new Map<string, Analyzer>([
  ["standard", standard],
  ["english", analyzeWithOffsets],
  ["whitespace", whitespace],
  ["keyword", whole],
]);

/** Reads `settings.analysis` of a new index. */
export function readAnalyzers(analysis: Json | undefined): Analyzers {
  const analyzers = new Map(BUILT_IN);
  if (!isObject(analysis)) return analyzers;
  if (Object.keys(analysis).some((key) => key !== "analyzer"))
    throw new NotSupported("filters, tokenizers and normalizers of an index's own");
  for (const [name, definition] of Object.entries((analysis.analyzer ?? {}) as JsonObject)) {
    const { type, ...rest } = definition as JsonObject;
    const known = BUILT_IN.get(String(type));
    if (known === undefined || Object.keys(rest).length > 0)
      throw new NotSupported(`the analyzer ${JSON.stringify(definition)}`);
    analyzers.set(name, known);
  }
  return analyzers;
}

/** Every analyzer that a mapping names exists. */
export function checkAnalyzers(analyzers: Analyzers, fields: Iterable<Field>): void {
  for (const { path, definition } of fields) {
    for (const key of ["analyzer", "search_analyzer"]) {
      const name = definition[key];
      if (name !== undefined && !analyzers.has(String(name)))
        throw new ElasticsearchError(
          400,
          "mapper_parsing_exception",
          `Failed to parse mapping: analyzer [${String(name)}] has not been configured in mappings`,
          { field: path },
        );
    }
  }
}

export function indexAnalyzer(analyzers: Analyzers, field: Field): Analyzer {
  if (field.type === "keyword") return whole;
  return analyzers.get(String(field.definition.analyzer ?? "standard"))!;
}

export function searchAnalyzer(analyzers: Analyzers, field: Field): Analyzer {
  const name = field.definition.search_analyzer;
  return name === undefined || field.type === "keyword"
    ? indexAnalyzer(analyzers, field)
    : analyzers.get(String(name))!;
}
