/** The habits of CONTRIBUTING.md that a machine can hold, as functions from a file's text to what breaks them. */
import ts from "typescript";
import { excuseOf } from "./long-lines.js";

export const FUNCTION_LINES_MAX = 70;
export const FILE_LINES_MAX = 500;
export const LINE_CHARS_MAX = 140;

/** What is untidy in a TypeScript or JavaScript file, one line each. */
export function untidy(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [...wholeFile(path, text), ...words(path, text)];
  const visit = (node: ts.Node): void => {
    const problem = inNode(node, file);
    if (problem !== undefined) found.push(`${path}:${lineOf(node.getStart(file), file)}: ${problem}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function lineOf(position: number, file: ts.SourceFile): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}

function wholeFile(path: string, text: string): string[] {
  const lines = text.split("\n").length - 1;
  const first = text.replace(/^#!.*\n/, "");
  const found: string[] = [];
  if (lines > FILE_LINES_MAX) found.push(`${path}: has ${lines} lines; at most ${FILE_LINES_MAX}`);
  if (excuseOf(path) === undefined)
    for (const [at, { length }] of longLines(text))
      found.push(`${path}:${at}: a line of ${length} characters; at most ${LINE_CHARS_MAX}`);
  if (!/^\/[/*]/.test(first) && !/\.test\.ts$/.test(path))
    found.push(`${path}: does not begin with what it is for`);
  return found;
}

/** Lines above the limit, with their numbers. */
export function longLines(text: string): readonly (readonly [number, string])[] {
  return text
    .split("\n")
    .flatMap((line, at) => (line.length > LINE_CHARS_MAX ? [[at + 1, line] as const] : []));
}

/** Put together, so that this file does not hold them itself. */
const WORDS = [
  ["TO", "DO"],
  ["FIX", "ME"],
  ["@ts-", "ignore"],
  ["@ts-", "nocheck"],
].map((parts) => parts.join(""));

function words(path: string, text: string): string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      WORDS.filter((word) => new RegExp(`(?<![\\w-])${word}(?!\\w)`).test(line)).map(
        (word) => `${path}:${index + 1}: ${word}`,
      ),
    );
}

function inNode(node: ts.Node, file: ts.SourceFile): string | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return "any";
  if (ts.isCatchClause(node) && node.block.statements.length === 0) return "an error is swallowed";
  if (isDeafCatch(node)) return "a rejection is swallowed";
  if (!ts.isFunctionLike(node) || isSuite(node)) return undefined;
  const lines = lineOf(node.end, file) - lineOf(node.getStart(file), file) + 1;
  return lines > FUNCTION_LINES_MAX
    ? `a function of ${lines} lines; at most ${FUNCTION_LINES_MAX}`
    : undefined;
}

/** `.catch(() => {})` and the like. */
function isDeafCatch(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const [handler] = node.arguments;
  if (node.expression.name.text !== "catch" || handler === undefined) return false;
  if (!ts.isArrowFunction(handler) && !ts.isFunctionExpression(handler)) return false;
  const { body } = handler;
  return ts.isBlock(body) ? body.statements.length === 0 : /^(?:undefined|null|void 0)$/.test(body.getText());
}

/** The body of a `describe`: a chapter of tests, not a function. */
function isSuite(node: ts.Node): boolean {
  const call = node.parent;
  return ts.isCallExpression(call) && /^describe\b/.test(call.expression.getText());
}

/** What no file that leaves this machine may name: paths of a machine, and hosts of package registries. */
const PLACES: readonly (readonly [what: string, found: RegExp])[] = [
  ["a path of a machine", new RegExp(`(?<![\\w.~-])/(?:${["work", "root", "home"].join("|")})/`)],
  [
    "a registry's host",
    /(?:registry|artifactory|nexus)[\w-]*\.[\w-]+\.(?:org|com|net|io|dev|internal|local)\b/,
  ],
];

/** What a file tells of the place where it was written, one line each; `isAllowed` excuses a line. */
export function placesNamed(path: string, text: string, isAllowed: (line: string) => boolean): string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      PLACES.filter(([, found]) => found.test(line) && !isAllowed(line)).map(
        ([what]) => `${path}:${index + 1}: ${what}`,
      ),
    );
}
