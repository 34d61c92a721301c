/** YAML to values. Every scalar is the text that the author wrote: `1.10` is not 1.1, `0123` is not 83, `no` is not false. */
import { isNode, LineCounter, parseDocument } from "yaml";

export interface Yaml {
  /** Texts, lists and mappings; `null` when there is nothing. Check the shape before use. */
  readonly data: unknown;
  /** The line, from 1, on which the value at `path` begins, or else the one that holds it. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** It is no YAML. */
export class YamlError extends Error {
  override readonly name = "YamlError";
  constructor(
    message: string,
    /** From 1. */
    readonly line: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Throws `YamlError`. Takes time and memory in proportion to the text: aliases cannot multiply it. */
export function parseYaml(text: string): Yaml {
  refuseDeep(text);
  const lineCounter = new LineCounter();
  const parsed = parseDocument(text, { schema: "failsafe", logLevel: "error", lineCounter });
  const [error] = parsed.errors;
  if (error !== undefined) {
    const line = Math.max(1, error.linePos?.[0].line ?? 1);
    throw new YamlError(firstLine(error), line, { cause: error });
  }
  return {
    data: readValue(() => parsed.toJS({ maxAliasCount: ALIASES_MAX })),
    lineOf(path) {
      for (let length = path.length; length >= 0; length--) {
        const node = parsed.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line;
      }
      return 1;
    },
  };
}

/** Lists and mappings that one line opens within each other; the parser's time grows faster than their number. */
const NESTED_IN_LINE_MAX = 16;
const DEEP_LINE = new RegExp(`^[ \\t]*(?:[-?:][ \\t]+){${NESTED_IN_LINE_MAX + 1}}`, "m");

function refuseDeep(text: string): void {
  const deep = DEEP_LINE.exec(text);
  if (deep === null) return;
  const line = text.slice(0, deep.index).split("\n").length;
  throw new YamlError(
    `a line opens more than ${NESTED_IN_LINE_MAX} lists or mappings within each other`,
    line,
  );
}

/** How often values may be repeated by aliases. */
const ALIASES_MAX = 100;

function readValue(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw new YamlError("it repeats values too often", 1, { cause: error });
  }
}

function firstLine(error: Error): string {
  return error.message.split("\n")[0]!.replace(/:$/, "");
}
