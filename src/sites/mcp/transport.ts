/** A way to a server that keeps to the limits of its site, and tells which one was broken. */
import type { Transport } from "@modelcontextprotocol/client";
import type { SiteFailure } from "../port.js";

export interface LimitedTransport extends Transport {
  /** Why it ended, or must end. */
  readonly failure: SiteFailure | undefined;
}
