/**
 * Red team of issue 11, line 8: what documents, users and servers bring is shown by commands and logs, and never obeyed
 * by the terminal: escape sequences, controls of both sets, marks that turn the direction of writing, line feeds in the
 * names of files.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { EnvelopeDecoder, encodeServiceCommand, parseRelayCommand } from "@readback/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "../../src/telemetry/logs.js";
import { listening } from "./support/listening.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));

/** A title of a window, a cleared screen, eight-bit controls, a line that overwrites, text turned around. */
const ATTACK = "Lock\u001b]0;owned\u0007\u001b[2J\u009b31m\rout \u202eevil\u2066\u007f\u2028end";
const FILE = "a\u001b[31m\nin doubt: b\u202e.md";

/** What a terminal obeys, but for the end of a line and a tab. */
const OBEYED = /[\p{C}\u2028\u2029]/gu;
const obeyed = (text: string) => (text.match(OBEYED) ?? []).filter((one) => one !== "\n" && one !== "\t");

let base: string;
let docs: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "readback-terminal-")));
  docs = mkdtempSync(join(base, "docs-"));
  const title = JSON.stringify(ATTACK).replace(
    /[\u007f-\u009f]/g,
    (one) => `\\x${one.charCodeAt(0).toString(16)}`,
  );
  writeFileSync(
    join(docs, FILE),
    `---\ntitle: ${title}\nvisiblity: ${title}\n---\n# Chain ${ATTACK}\n\nOil the chain ${ATTACK}.\n`,
  );
  writeFileSync(join(docs, `bad${FILE}`), "");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function readback(args: readonly string[]): Promise<{ stdout: string; output: string }> {
  const env = { PATH: process.env.PATH, READBACK_DATA_DIR: join(base, "data") };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env, cwd: base }, (_error, stdout, stderr) =>
      resolve({ stdout, output: stdout + stderr }),
    );
  });
}

describe("commands about documents", () => {
  it("show what titles, names and errors hold", async () => {
    const network = ["--network", "plant"];
    const ingested = await readback(["ingest", docs, ...network]);
    expect(ingested.output).toContain("in doubt: a\\u{1b}[31m\\u{a}in doubt: b\\u{202e}.md:");
    expect(obeyed(ingested.output)).toEqual([]);
    const listed = await readback(["documents", "list", ...network]);
    expect(listed.stdout).toContain("Lock\\u{1b}]0;owned\\u{7}");
    expect(listed.stdout.split("\n").filter((line) => line.startsWith("in doubt"))).toEqual([]);
    const attacks = [
      ["documents", "list", ...network],
      ["documents", "list", ...network, "--json"],
      ["documents", "show", FILE, ...network],
      ["documents", "why", FILE, "--as", "ann", ...network],
      ["documents", "show", ATTACK, ...network],
      ["search", `chain ${ATTACK}`, ...network, "--as", "ann"],
      ["search", `chain ${ATTACK}`, ...network, "--as", "ann", "--json"],
      ["dead-letters", "list"],
      ["dead-letters", "replay"],
      ["ingest", join(docs, ATTACK), ...network],
      [`da${ATTACK}nce`],
      ["ask", `--${ATTACK}`],
    ];
    const outputs = await Promise.all(attacks.map((args) => readback(args)));
    expect(outputs.map(({ output }) => obeyed(output))).toEqual(attacks.map(() => []));
    const { stdout } = await readback(["documents", "list", ...network, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject([{ sourceFile: FILE }]);
  }, 240_000);
});

describe("readback ask", () => {
  let server: Server;
  afterEach(() => server.close());

  it("shows what a server answers, and sets in what goes on in another line", async () => {
    server = createServer((socket) => {
      const decoder = new EnvelopeDecoder();
      socket.on("error", () => undefined);
      socket.on("data", (bytes) => {
        decoder.push(bytes);
        for (let next = decoder.next(); next.type === "envelope"; next = decoder.next()) {
          if (next.envelope.contentType !== "json") continue;
          const parsed = parseRelayCommand(next.envelope);
          if (parsed.type !== "command" || parsed.command.command !== "ai_message") continue;
          const { network, username, requestId } = parsed.command;
          const text = `${ATTACK}\n  9.99 s  “forged”`;
          socket.write(
            encodeServiceCommand(
              { command: "text_message", text, ...(requestId === undefined ? {} : { requestId }) },
              { network, username },
            ),
          );
        }
      });
    });
    const port = await listening(server);
    const { output } = await readback(["ask", "hello", "--relay", `127.0.0.1:${port}`]);
    expect(output).toContain("Lock\\u{1b}]0;owned");
    expect(obeyed(output)).toEqual([]);
    expect(output.split("\n").filter((line) => line.startsWith("  9.99 s"))).toEqual([]);
  }, 60_000);
});

describe.each(["development", "production"] as const)("logs in %s", (environment) => {
  it("show what events bring", () => {
    const stream = new PassThrough();
    const { subscriber } = createLog({ environment, debugNetworks: [], secrets: [], stream });
    subscriber({ type: "sync_document_failed", network: ATTACK, documentId: FILE, error: ATTACK });
    const line = String(stream.read());
    expect(line).toContain("\\u001b]0;owned");
    expect(obeyed(line)).toEqual([]);
    expect(line.trimEnd()).not.toContain("\n");
  });
});

/** Where commands print, by their sources. */
it("all output of commands goes through one place", () => {
  const folder = fileURLToPath(new URL("../../src/cli/", import.meta.url));
  const direct = readdirSync(folder)
    .filter((name) => !name.includes(".test") && name !== "output.ts")
    .filter((name) => /console\.|process\.std(?:out|err)/.test(readFileSync(join(folder, name), "utf8")));
  expect(direct).toEqual([]);
});
