/**
 * Every regular expression of the project's code: literals as the TypeScript parser finds them, and those that are put
 * together while the program runs, as `RegExp` was asked for them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { joinedLines } from "../../src/lib/pattern.js";
import type { Pattern } from "./backtracking.js";
import { sourcePaths } from "./source-graph.js";

export interface FoundPattern extends Pattern {
  /** File and line, such as `src/lib/glob.ts:12`. */
  readonly at: string;
}

export interface Patterns {
  readonly literals: readonly FoundPattern[];
  /** Where one is put together: `file:line`. */
  readonly sites: readonly string[];
}

/** What the code of these folders holds; tests and what belongs to them left out. */
export function patternsIn(root: string, folders: readonly string[]): Patterns {
  const literals: FoundPattern[] = [];
  const sites: string[] = [];
  for (const path of folders.flatMap((folder) => sourcePaths(root, folder))) {
    if (/\.(?:test|fuzz|test-util)\.ts$/.test(path) || path === SEVERAL_LINES) continue;
    const file = ts.createSourceFile(
      path,
      readFileSync(join(root, path), "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node: ts.Node): void => {
      const at = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
      if (ts.isRegularExpressionLiteral(node)) literals.push({ at, ...parts(node.text) });
      const written = onSeveralLines(node);
      if (written !== undefined) literals.push({ at, ...written });
      if (isCompilation(node)) sites.push(at);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { literals, sites };
}

/** Expressions that are written over several lines: whoever calls its `pattern` has them. */
const SEVERAL_LINES = "src/lib/pattern.ts";

function onSeveralLines(node: ts.Node): Pattern | undefined {
  if (!ts.isTaggedTemplateExpression(node) || !ts.isCallExpression(node.tag)) return undefined;
  const { arguments: flags, expression } = node.tag;
  if (expression.getText() !== "pattern" || !ts.isNoSubstitutionTemplateLiteral(node.template))
    return undefined;
  const [given] = flags;
  const source = joinedLines(node.template.getText().slice(1, -1));
  return { source, flags: given !== undefined && ts.isStringLiteral(given) ? given.text : "" };
}

function parts(literal: string): Pattern {
  const end = literal.lastIndexOf("/");
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

function isCompilation(node: ts.Node): boolean {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp";
}

/** Runs `work` and returns what `RegExp` was asked for meanwhile, once each. */
export async function compiledDuring(root: string, work: () => Promise<void>): Promise<FoundPattern[]> {
  const found = new Map<string, FoundPattern>();
  const original = globalThis.RegExp;
  const note = (made: RegExp) => {
    const at = callerIn(root, new Error("here").stack ?? "");
    if (at !== undefined) found.set(`${at} ${String(made)}`, { at, source: made.source, flags: made.flags });
    return made;
  };
  globalThis.RegExp = new Proxy(original, {
    construct: (target, given: ConstructorParameters<RegExpConstructor>) => note(new target(...given)),
    apply: (target, _self, given: ConstructorParameters<RegExpConstructor>) => note(new target(...given)),
  });
  try {
    await work();
  } finally {
    globalThis.RegExp = original;
  }
  return [...found.values()];
}

/** The place that asked for it, if that is in the project's own code. */
function callerIn(root: string, stack: string): string | undefined {
  const caller = stack
    .split("\n")
    .find((line) => /^\s*at /.test(line) && !/test\/support\/|src\/lib\/pattern\.ts/.test(line));
  const from = caller?.indexOf(root) ?? -1;
  if (caller === undefined || from < 0) return undefined;
  const [path, line] = caller.slice(from + root.length).split(":");
  return /^(?:node_modules|test)\//.test(path!) ? undefined : `${path}:${line}`;
}
