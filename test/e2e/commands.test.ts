/** The commands that show operators what users are given, run as operators run them, on the sample handbook. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience } from "../support/patience.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));
const HANDBOOK = fileURLToPath(new URL("../../examples/handbook/", import.meta.url));
const run = promisify(execFile);

const directory = mkdtempSync(join(tmpdir(), "readback-commands-"));
const readback = async (...args: string[]) => {
  const env = { PATH: process.env.PATH, READBACK_DATA_DIR: join(directory, "data") };
  return (await run(process.execPath, [BIN, ...args, "--network", "acme"], { env })).stdout;
};

beforeAll(() => readback("ingest", HANDBOOK), 60_000);
afterAll(() => rmSync(directory, { recursive: true }));

const PAY = "monthly pay bands for machine operation";

interface SearchJson {
  readonly returned: readonly { readonly title: string }[];
  readonly legs: readonly {
    readonly leg: string;
    readonly candidates: readonly {
      readonly title: string;
      readonly fate: { readonly type: string };
      readonly decision: { readonly readable: boolean; readonly reason: string };
      readonly terms: readonly { readonly score: number }[];
      readonly score: number;
    }[];
  }[];
}
const searchJson = async (...args: string[]) =>
  JSON.parse(await readback("search", PAY, "--json", ...args)) as SearchJson;

describe("a document that is restricted to one user and one group", { timeout: patience(60_000) }, () => {
  test.each([
    ["a packer", ["--as", "maria", "--groups", "packing"], "restricted_to_others", false],
    ["the user that it names", ["--as", "petra.lindqvist"], "named_user", true],
    ["a member of the group", ["--as", "maria", "--groups", "packing,human-resources"], "in_group", true],
    ["a kiosk", ["--as", "kiosk-1", "--kiosk"], "restricted_to_others", false],
  ] as const)("is explained for %s, down to the terms", async (_who, args, reason, readable) => {
    const { returned, legs } = await searchJson(...args);
    const [first] = legs[0]!.candidates;
    expect(first).toMatchObject({ title: "Pay bands", decision: { reason, readable } });
    expect(first!.fate.type).toBe(readable ? "returned" : "withheld");
    expect(returned.some(({ title }) => title === "Pay bands")).toBe(readable);
    const sum = first!.terms.reduce((total, { score }) => total + score, 0);
    expect(sum).toBeCloseTo(first!.score, 6);
  });

  test("every candidate has a fate that fits its decision", async () => {
    const { legs } = await searchJson("--as", "maria", "--candidates", "100");
    const { candidates } = legs[0]!;
    for (const { fate, decision } of candidates) expect(fate.type === "withheld").toBe(!decision.readable);
    const fates = candidates.map(({ fate }) => fate.type);
    for (const fate of ["returned", "withheld"]) expect(fates).toContain(fate);
  });

  test("is told apart from one that is not there", async () => {
    expect(await readback("documents", "why", "pay-bands.md", "--as", "maria")).toContain(
      "not readable: it is restricted and names neither the user nor one of the groups",
    );
    const missing = readback("documents", "why", "holidays.md", "--as", "maria");
    await expect(missing).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("readback documents list --network acme"),
    });
  });
});

describe("two revisions of one document", { timeout: patience(60_000) }, () => {
  test("are both listed, and the old one says what is read in its place", async () => {
    const list = await readback("documents", "list");
    expect(list).toMatch(/lockout-tagout-2025-09\.md\n.*superseded/);
    expect(list).toMatch(/lockout-tagout-2026-03\.md\n(?!.*superseded)/);
    const why = await readback("documents", "why", "lockout-tagout-2025-09.md", "--as", "maria");
    expect(why).toContain("searches bring revision 2026-03 in its place");
  });
});
