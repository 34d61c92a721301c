/** How the widest types of the API are cut down, by the names that the client gives them. */
import { AGGREGATION_KINDS } from "../aggregations.js";
import { QUERY_KINDS } from "../query.js";

/** Of the widest types, what the stand-in has; the rest is answered with 501 and would only make the file long. */
export const KEPT: Readonly<Record<string, readonly string[]>> = {
  QueryDslQueryContainer: QUERY_KINDS,
  AggregationsAggregationContainer: ["aggregations", "aggs", "meta", ...AGGREGATION_KINDS],
  MappingProperty: [
    "Boolean",
    "Keyword",
    "Text",
    "Date",
    "DenseVector",
    "Nested",
    "Object",
    "SemanticText",
    "ByteNumber",
    "DoubleNumber",
    "FloatNumber",
    "HalfFloatNumber",
    "IntegerNumber",
    "LongNumber",
    "ShortNumber",
  ].map((type) => `Mapping${type}Property`),
  MappingDynamicTemplate: [],
  IndicesIndexSettingsKeys: [
    "index",
    "number_of_shards",
    "number_of_replicas",
    "refresh_interval",
    "analysis",
  ],
  IndicesIndexSettingsAnalysis: ["analyzer"],
  AnalysisAnalyzer: ["Standard", "Whitespace", "Keyword", "English"].map((name) => `Analysis${name}Analyzer`),
  RetrieverContainer: [],
  RankContainer: [],
  SearchFieldCollapse: [],
  SearchInnerHits: [],
  SearchRescore: [],
  SearchSuggester: [],
  SearchFieldSuggester: [],
  SortOptionsKeys: ["_score", "_doc"],
  Script: [],
};
