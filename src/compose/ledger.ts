/** The ledger of operations and of runs of guides, which lies in the data folder. */
import type { Config } from "../config/schema.js";
import type { Clock } from "../lib/clock.js";
import { FileLedger } from "../operate/ledger/file-ledger.js";
import { ledgerFiles } from "../operate/ledger/files.js";
import type { Ledger } from "../operate/ledger/port.js";
import type { Telemetry } from "../telemetry/events.js";

/** Rejects with `LedgerUnusable`. */
export function openLedger(
  { dataDir, operate: { ledgerKeyFile } }: Config,
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
): Promise<Ledger> {
  const onCut = (path: string, bytes: number) => {
    const error = `${path}: cut off ${bytes} bytes of no row`;
    telemetry.emit({ type: "service_fault", where: "ledger", error });
  };
  return FileLedger.open(ledgerFiles(dataDir, ledgerKeyFile), { clock, onCut });
}
