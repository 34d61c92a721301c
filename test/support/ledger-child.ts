/**
 * Appends to a ledger without end, in a process of its own, for tests that kill it or leave it no room:
 * `node ledger-child.js <data directory>`. Each row that was acknowledged is told by its number, a failure by its words.
 */
import { writeSync } from "node:fs";
import { systemClock } from "../../src/lib/clock.js";
import { FileLedger } from "../../src/operate/ledger/file-ledger.js";
import { ledgerFiles } from "../../src/operate/ledger/files.js";
import type { Telemetry } from "../../src/telemetry/events.js";
import { ENTRIES } from "./ledger-entries.js";

const [dataDirectory] = process.argv.slice(2) as [string];
/** Rows that come at once; on a full disk it is tried so often. */
const [TOGETHER_MAX, FAILURES_MAX] = [5, 3];

const emit: Telemetry["emit"] = ({ type }) => void (type === "service_fault" && writeSync(1, "cut\n"));
const ledger = await FileLedger.open(ledgerFiles(dataDirectory), { clock: systemClock, telemetry: { emit } });
for (let turn = 0, failures = 0; failures < FAILURES_MAX; turn += 1) {
  const entries = ENTRIES.slice(0, 1 + (turn % TOGETHER_MAX));
  for (const append of await Promise.allSettled(entries.map((entry) => ledger.append(entry)))) {
    if (append.status === "fulfilled") writeSync(1, `${append.value.seq}\n`);
    else writeSync(1, `failed ${append.reason.name} ${append.reason.message}\n`);
  }
  const rows = ledger.rows()[Symbol.asyncIterator]();
  await rows.next();
  await rows.return?.();
  failures += Number(
    !(await ledger.append(ENTRIES[7]!).then(
      () => true,
      () => false,
    )),
  );
}
await ledger.close();
