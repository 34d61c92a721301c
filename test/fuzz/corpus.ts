/** The inputs that are kept: a file for each target, one input a line, as JSON strings. Lives in the repository. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Characters of all inputs of one target, and their number, at the most. */
const CORPUS_CHARS_MAX = 40_000;
const INPUTS_MAX = 200;

const fileOf = (root: string, target: string) => join(root, "test/fuzz/corpus", `${target}.jsonl`);

/** `root`: of the repository. */
export function readCorpus(root: string, target: string): string[] {
  const file = fileOf(root, target);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as string);
}

/** Keeps as many as there is room for, in this order. */
export function writeCorpus(root: string, target: string, inputs: readonly string[]): void {
  const lines: string[] = [];
  let chars = 0;
  for (const input of inputs) {
    // What JSON leaves as it is, an editor may not: all but the plainest is escaped.
    const line = JSON.stringify(input).replace(/[^ -~]/g, escaped);
    chars += line.length;
    if (lines.length >= INPUTS_MAX || chars > CORPUS_CHARS_MAX) break;
    lines.push(line);
  }
  const file = fileOf(root, target);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
