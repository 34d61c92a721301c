/** Files that an earlier release wrote, see test/fixtures/layouts: a data folder with one of each. */
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const FIXTURES = fileURLToPath(new URL("../fixtures/layouts", import.meta.url));

/** A copy of that data folder, gone when the test is over. */
export function earlierDataFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "readback-layouts-")), "data");
  cpSync(FIXTURES, folder, { recursive: true });
  chmodSync(folder, 0o700);
  onTestFinished(() => rmSync(join(folder, ".."), { recursive: true, force: true }));
  return folder;
}
