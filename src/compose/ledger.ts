/** The ledger of operations and of runs of guides, which lies in the data folder. */
import type { Config } from "../config/schema.js";
import type { Clock } from "../lib/clock.js";
import { FileLedger } from "../operate/ledger/file-ledger.js";
import { ledgerFiles } from "../operate/ledger/files.js";
import type { Ledger, LedgerEntry, LedgerRow } from "../operate/ledger/port.js";
import type { Telemetry } from "../telemetry/events.js";

/** A ledger that tells when a row could not be written. */
export class WatchedLedger implements Ledger {
  /** As the last row that was to be written left it. */
  state: "ready" | "unavailable" = "ready";

  constructor(
    private readonly ledger: Ledger,
    private readonly telemetry: Telemetry,
  ) {}

  async append(entry: LedgerEntry): Promise<LedgerRow> {
    try {
      const row = await this.ledger.append(entry);
      this.state = "ready";
      return row;
    } catch (error) {
      this.state = "unavailable";
      this.telemetry.emit({ type: "ledger_failed", error: String(error) });
      throw error;
    }
  }

  rows(): AsyncIterable<LedgerRow> {
    return this.ledger.rows();
  }

  close(): Promise<void> {
    return this.ledger.close();
  }
}

/** Rejects with `LedgerUnusable`. */
export async function openLedger(
  { dataDir, operate: { ledgerKeyFile } }: Config,
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
): Promise<WatchedLedger> {
  const onCut = (path: string, bytes: number) => {
    const error = `${path}: cut off ${bytes} bytes of no row`;
    telemetry.emit({ type: "service_fault", where: "ledger", error });
  };
  const ledger = await FileLedger.open(ledgerFiles(dataDir, ledgerKeyFile), { clock, onCut });
  return new WatchedLedger(ledger, telemetry);
}
