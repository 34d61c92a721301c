/**
 * Source files as the architecture test sees them: what each imports (types included) and which doors to the world it
 * uses, read with the TypeScript parser.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import ts from "typescript";

export interface Import {
  /** A file of the project such as `src/lib/clock.ts`, or a package or built-in module. */
  readonly target: string;
  readonly typeOnly: boolean;
  /** The names taken from it; `*` for all of them. */
  readonly names: readonly string[];
  readonly line: number;
}

/** Something that only some files may touch, such as `process.env`. */
export interface Use {
  readonly what: string;
  readonly line: number;
}

export interface Source {
  /** With forward slashes, from the project's root. */
  readonly path: string;
  readonly imports: readonly Import[];
  readonly uses: readonly Use[];
  /** Types, interfaces, classes and enumerations that are defined here and exported. */
  readonly exportedTypes: readonly string[];
  /** Whether all that it does is to pass on what others export. */
  readonly barrel: boolean;
}

/** Files of a folder, deeply, by their path from `root`. */
export function readSources(root: string, folder: string): Source[] {
  return sourcePaths(root, folder).map((path) => parseSource(path, readFileSync(join(root, path), "utf8")));
}

/** Whether a file is a test or belongs to tests. */
export function isTest({ path }: Pick<Source, "path">): boolean {
  return /^test\/|\.(?:test|fuzz|test-util)\.ts$/.test(path);
}

/** Paths of the TypeScript files of a folder, deeply, from `root`. */
export function sourcePaths(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .sort();
}

export function parseSource(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const uses: Use[] = [];
  const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const visit = (node: ts.Node): void => {
    for (const found of importsOf(node)) {
      imports.push({ ...found, target: resolve(path, found.target), line: lineOf(node) });
    }
    const what = useOf(node);
    if (what !== undefined) uses.push({ what, line: lineOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  const barrel =
    file.statements.some(passesOn) &&
    file.statements.every((statement) => passesOn(statement) || ts.isImportDeclaration(statement));
  return { path, imports, uses, exportedTypes: file.statements.flatMap(exportedType), barrel };
}

function exportedType(statement: ts.Statement): readonly string[] {
  const isType =
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  const isExported = isType && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  return isExported && statement.name !== undefined ? [statement.name.text] : [];
}

function passesOn(statement: ts.Statement): boolean {
  return ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;
}

/** `./x.js` of a file as a file of the project; a package without the path inside it. */
function resolve(from: string, specifier: string): string {
  if (specifier.startsWith("."))
    return posix.join(posix.dirname(from), specifier).replace(/\.(?:js|mjs)$/, ".ts");
  if (/^(?:node:|\/)/.test(specifier)) return specifier;
  const [scope, name] = specifier.split("/");
  return scope!.startsWith("@") ? `${scope}/${name}` : scope!;
}

/** What a node imports: by declaration, `import()`, `require()`, `import("…").T`, or as a file named by its URL. */
function importsOf(node: ts.Node): readonly Omit<Import, "line">[] {
  if (ts.isImportDeclaration(node)) {
    const { importClause, moduleSpecifier } = node;
    const typeOnly = importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return [{ target: textOf(moduleSpecifier), typeOnly, names: importedNames(importClause) }];
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
    return [{ target: textOf(node.moduleSpecifier), typeOnly: node.isTypeOnly, names: ["*"] }];
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return [{ target: textOf(node.argument.literal), typeOnly: true, names: ["*"] }];
  return loadedBy(node).map((target) => ({ target, typeOnly: false, names: ["*"] }));
}

/** The modules that a call loads while the program runs. */
function loadedBy(node: ts.Node): readonly string[] {
  if (ts.isCallExpression(node)) {
    const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
    return isImport || node.expression.getText() === "require" ? textsIn(node.arguments) : [];
  }
  if (!ts.isNewExpression(node) || node.arguments?.[1]?.getText() !== "import.meta.url") return [];
  return textsIn(node.arguments.slice(0, 1)).filter((text) => /\.[jt]s$/.test(text));
}

/** Every text in these expressions: an argument may choose between two. */
function textsIn(nodes: readonly ts.Node[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (ts.isStringLiteralLike(node)) return [node.text];
    return ts.isConditionalExpression(node) ? textsIn([node.whenTrue, node.whenFalse]) : [];
  });
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : node.getText();
}

function importedNames(clause: ts.ImportClause | undefined): readonly string[] {
  if (clause === undefined) return [];
  const bindings = clause.namedBindings;
  const named =
    bindings !== undefined && ts.isNamedImports(bindings)
      ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
      : bindings === undefined
        ? []
        : ["*"];
  return clause.name === undefined ? named : ["default", ...named];
}

const GLOBAL_CALLS = new Set(["setTimeout", "setInterval"]);
const MEMBERS = new Set([
  "Date.now",
  "performance.now",
  "performance.timeOrigin",
  "process.hrtime",
  "process.uptime",
  "process.env",
  "AbortSignal.timeout",
  "Math.random",
  "crypto.getRandomValues",
  "crypto.randomUUID",
]);

/** The door to time, chance or the environment that a node goes through. */
function useOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    const member = ts.isPropertyAccessExpression(node) ? node.name.text : textOf(node.argumentExpression);
    const name = `${node.expression.getText().replace(/^globalThis\./, "")}.${member}`;
    return MEMBERS.has(name) ? name : GLOBAL_CALLS.has(member) && isGlobal(node) ? member : undefined;
  }
  if (ts.isIdentifier(node) && GLOBAL_CALLS.has(node.text) && !ts.isPropertyAccessExpression(node.parent)) {
    return ts.isImportSpecifier(node.parent) ? undefined : node.text;
  }
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length)
    return "new Date";
  if (ts.isCallExpression(node) && node.expression.getText() === "Date") return "Date()";
  return destructured(node);
}

function isGlobal(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): boolean {
  return node.expression.getText() === "globalThis";
}

/** `const { env } = process` goes through the same door. */
function destructured(node: ts.Node): string | undefined {
  if (!ts.isVariableDeclaration(node) || !ts.isObjectBindingPattern(node.name)) return undefined;
  const owner = node.initializer?.getText();
  return node.name.elements
    .map((element) => `${owner}.${(element.propertyName ?? element.name).getText()}`)
    .find((name) => MEMBERS.has(name));
}
