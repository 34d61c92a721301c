/** Files that come with the service and are no code: `locales/`, `models/`, `prompts/` and others. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Above the sources, or above the directory of the build. */
const ROOT = new URL(import.meta.url.endsWith(".ts") ? "../../" : "../../../", import.meta.url);

/** Where a file or a directory is; `path` is its path in the repository. */
export function shippedPath(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}

/** Throws where the file is missing. */
export function shippedText(path: string): string {
  return readFileSync(shippedPath(path), "utf8");
}

/** The release that this is, by its package. */
export function shippedVersion(): string {
  return (JSON.parse(shippedText("package.json")) as { readonly version: string }).version;
}

/** The rows of a text file, in order: lines that are neither empty nor remarks (`# …`). */
export function shippedRows(path: string): readonly string[] {
  const lines = shippedText(path).split("\n");
  return lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** The rows `name: value` of such a file, by name. */
export function shippedEntries(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    shippedRows(path).map((row) => {
      const end = row.indexOf(": ");
      return [row.slice(0, end), row.slice(end + 2)] as const;
    }),
  );
}
