/** A folder with a bad file of each kind: the rest goes in, each is named, and memory stays within bounds. */
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pdfFile, pdfLines } from "../src/ingest/read/files.test-util.js";
import { patience } from "./support/patience.js";

const COMMAND = fileURLToPath(new URL("../bin/readback.js", import.meta.url));
const GIGABYTE = 2 ** 30;
/** Whoever runs the tests as root can read everything; this user cannot. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const base = realpathSync(mkdtempSync(join(tmpdir(), "readback-")));
const docs = join(base, "docs");
const server = createServer();

/** A DOCX whose text unpacks to 300 MB. */
function zipBomb(): Uint8Array {
  const types =
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';
  return zipSync({
    "[Content_Types].xml": strToU8(types),
    "word/document.xml": [new Uint8Array(300_000_000), { level: 9 }],
  });
}

beforeAll(async () => {
  mkdirSync(join(docs, "locked"), { recursive: true });
  const write = (name: string | Buffer, content: string | Uint8Array) =>
    writeFileSync(
      typeof name === "string" ? join(docs, name) : Buffer.concat([Buffer.from(`${docs}/`), name]),
      content,
    );
  for (let i = 0; i < 20; i++) write(`good-${i}.md`, `# Good ${i}\nOil the chain number ${i}.`);
  write("corrupt.pdf", "%PDF-1.7\nThis is no PDF.");
  const plain = join(base, "plain.pdf");
  writeFileSync(plain, pdfFile({ pages: [pdfLines(["Close the valve."], { y: 700 })] }));
  const password = ["--encrypt", "user", "owner", "256", "--"];
  execFileSync("qpdf", [...password, plain, join(docs, "encrypted.pdf")]);
  write("bomb.docx", zipBomb());
  write("broken.docx", "PK\u0003\u0004 This is no archive.");
  write("wrong.pdf", "# Text\nThis is Markdown, whatever it is called.");
  write("empty.md", "");
  write("latin1.txt", Uint8Array.of(0x47, 0x72, 0xfc, 0x6e));
  write("binary.md", Uint8Array.of(0x61, 0, 0x62));
  write(Buffer.from([0x6e, 0xff, 0x2e, 0x6d, 0x64]), "Oil.");
  write("unreadable.md", "Oil.");
  write("locked/inside.md", "Oil.");
  write("front.md", "---\nallowed_users: [bob\n---\nOil.");
  const huge = openSync(join(docs, "huge.txt"), "w");
  ftruncateSync(huge, 2 * GIGABYTE);
  closeSync(huge);
  symlinkSync("circle-b.md", join(docs, "circle-a.md"));
  symlinkSync("circle-a.md", join(docs, "circle-b.md"));
  symlinkSync(docs, join(docs, "again"));
  writeFileSync(join(base, "outside.md"), "Oil the safe.");
  symlinkSync(join(base, "outside.md"), join(docs, "out.md"));
  symlinkSync("nothing.md", join(docs, "dangling.md"));
  execFileSync("mkfifo", [join(docs, "pipe.md")]);
  await new Promise<void>((resolve) => server.listen(join(docs, "socket.md"), resolve));
  chmodSync(join(docs, "unreadable.md"), 0);
  chmodSync(join(docs, "locked"), 0);
  chmodSync(base, 0o755);
  mkdirSync(join(base, "data"), { mode: 0o777 });
  chmodSync(join(base, "data"), 0o777);
}, 60_000);
afterAll(() => {
  server.close();
  chmodSync(join(docs, "locked"), 0o700);
  rmSync(base, { recursive: true, force: true });
});

interface Run {
  readonly code: number | null;
  readonly output: string;
  /** Of the largest process, while it lived. */
  readonly peakBytes: number;
}

function readback(...args: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: base,
    env: { PATH: process.env.PATH, READBACK_DATA_DIR: join(base, "data") },
    stdio: ["ignore", "pipe", "pipe"],
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let output = "";
  let peakBytes = 0;
  const look = () => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peakBytes = Math.max(peakBytes, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024);
    } catch (error) {
      // It has ended between its last word and this look.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      look();
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output, peakBytes }));
  });
}

describe("a folder with one bad file of each kind", () => {
  it("is ingested but for those, each by its name, in bounded memory", {
    timeout: patience(120_000),
  }, async () => {
    const { code, output, peakBytes } = await readback("ingest", docs, "--network", "plant");
    expect(output).toMatch(/plant: 20 added, 0 updated, 0 unchanged, 0 removed, 17 failed/);
    expect(code).toBe(1);
    for (const [file, reason] of [
      ["corrupt.pdf", /the PDF is damaged or cut short/],
      ["encrypted.pdf", /encrypted with a password/],
      ["bomb.docx", /unpack/],
      ["broken.docx", /damaged|no archive|cut short|not a Word/],
      ["wrong.pdf", /not a PDF but text/],
      ["empty.md", /the file is empty/],
      ["latin1.txt", /not UTF-8/],
      ["binary.md", /null characters/],
      ["n\\xFF.md", /its name is not UTF-8/],
      ["unreadable.md", /permission denied/],
      ["locked", /the folder cannot be read: permission denied/],
      ["front.md", /not YAML/],
      ["huge.txt", /2147483648 bytes, more than/],
      ["circle-a.md", /in a circle/],
      ["circle-b.md", /in a circle/],
      ["out.md", /leads out of the folder/],
      ["dangling.md", /no such file/],
    ] as const) {
      const line = output.split("\n").find((text) => text.startsWith("  failed:") && text.includes(file));
      expect(line, file).toMatch(reason);
    }
    expect(peakBytes).toBeGreaterThan(0);
    // The 2 GB file alone would be ten times as much.
    expect(peakBytes).toBeLessThan(400_000_000);
    console.log(`peak memory of the ingesting process: ${Math.round(peakBytes / 1e6)} MB`);

    const listed = await readback("dead-letters", "list", "--network", "plant");
    expect(listed.output.trim().split("\n").length).toBe(17);
    const bomb = join(docs, "bomb.docx");
    const shown = await readback("dead-letters", "show", bomb);
    expect(shown.output).toMatch(/network {3}plant[\s\S]*attempts {2}1/);
    expect((await readback("dead-letters", "show", join(docs, "good-1.md"))).code).toBe(1);

    writeFileSync(join(docs, "empty.md"), "Oil the hinge.");
    const replayed = await readback("dead-letters", "replay", join(docs, "empty.md"), bomb);
    expect(replayed.output).toMatch(/plant: 1 added, 0 updated, 0 unchanged, 0 removed, 1 failed/);
    expect(replayed.code).toBe(1);
    const left = await readback("dead-letters", "list", "--network", "plant");
    expect(left.output).not.toContain("empty.md");
    expect(left.output.trim().split("\n").length).toBe(16);
  });
});
