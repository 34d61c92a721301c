/**
 * Everything that commands print goes through here, and nothing of it commands the terminal: what documents, users and
 * servers bring is shown as it is written (`lib/printable.ts`), and cannot pretend to be a line of its own.
 */
import { printable, printableJson } from "../lib/printable.js";

/** Prints lines on standard output. A line feed in one of them is shown, not obeyed. */
export function say(...lines: readonly string[]): void {
  write(process.stdout, lines);
}

/** Prints lines on standard error. */
export function complain(...lines: readonly string[]): void {
  write(process.stderr, lines);
}

/** Prints a value as JSON that is indented. */
export function sayJson(value: unknown): void {
  sayWritten(JSON.stringify(value, undefined, 2));
}

/** Prints JSON that is written already, such as a record a line. */
export function sayWritten(json: string): void {
  const text = json.trimEnd();
  if (text !== "") process.stdout.write(`${printableJson(text)}\n`);
}

/** Help and wrong usage, which end with a line feed. */
export const COMMANDER_OUTPUT = {
  writeOut: (text: string) => say(...text.trimEnd().split("\n")),
  writeErr: (text: string) => complain(...text.trimEnd().split("\n")),
} as const;

/** Whoever reads the output, such as `head`, may have had enough of it: the command runs to its end all the same. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
}

function write(stream: NodeJS.WritableStream, lines: readonly string[]): void {
  stream.write(lines.map((line) => `${printable(line)}\n`).join(""));
}

/** One line on standard error that is drawn over on a terminal, and printed now and then where it is none. */
export class ProgressLine {
  #part: number | undefined;

  constructor(private readonly terminal: NodeJS.WriteStream = process.stderr) {}

  /** `part`: how many parts of the work are done. Where there is no terminal, a line is printed when that changes. */
  show(text: string, part?: number): void {
    if (this.terminal.isTTY) this.terminal.write(`\r${printable(text)}\u001b[K`);
    else if (part !== this.#part) this.terminal.write(`${printable(text)}\n`);
    this.#part = part;
  }

  clear(): void {
    if (this.terminal.isTTY) this.terminal.write("\r\u001b[K");
  }
}
