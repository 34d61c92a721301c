/**
 * The matrix of docs/security.md, key by door by claim, held against running services. With UPDATE_DOCS=1 it is written
 * instead.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LOOK_MS } from "../../../src/lib/pressure.js";
import { patience } from "../../support/patience.js";
import { CLAIMS, cellOf, DOORS, KEYS, worlds } from "./matrix.js";

const DOCUMENT = new URL("../../../docs/security.md", import.meta.url);
const [BEGIN, END] = [
  "<!-- matrix: written by test/e2e/doors/matrix.test.ts -->\n",
  "<!-- end of the matrix -->",
];

/** Longer than a user's summaries are counted. */
const ROW_MS = 3_600_001;
/** Some 900 requests, one after another. */
const TEST_MS_MAX = patience(300_000);

test(
  "who may ask what, and as whom, is as the document says",
  async () => {
    const found = await matrix();
    const document = readFileSync(DOCUMENT, "utf8");
    const [before, rest = ""] = document.split(BEGIN);
    const [written, after] = rest.split(END);
    if (process.env.UPDATE_DOCS === "1") writeFileSync(DOCUMENT, `${before}${BEGIN}${found}${END}${after}`);
    else expect(written).toBe(found);
  },
  TEST_MS_MAX,
);

/** The table, with one row for the doors of a key that do the same. */
async function matrix(): Promise<string> {
  const { clock, of } = await worlds();
  const lines = [
    row(["key", "door", ...CLAIMS.map(({ name }) => name)]),
    row(Array(CLAIMS.length + 2).fill("---")),
  ];
  for (const key of KEYS) {
    const doorsByCells = new Map<string, string[]>();
    for (const { name, probe } of DOORS) {
      const cells: string[] = [];
      for (const { claims } of CLAIMS) cells.push(await cellOf(of(key), key, probe, claims));
      await clock.leap(ROW_MS);
      // The service sees that its loop is late no longer.
      await clock.advance(2 * LOOK_MS);
      const same = row(cells);
      doorsByCells.set(same, [...(doorsByCells.get(same) ?? []), name]);
    }
    for (const [cells, doors] of doorsByCells) lines.push(`| ${key.name} | ${doors.join(", ")} ${cells}`);
  }
  return `${lines.join("\n")}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
